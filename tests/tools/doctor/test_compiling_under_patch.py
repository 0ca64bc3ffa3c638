"""The behaviour of compile backends while a patch of dynconf is in force."""

import pytest

import dynconf

torch = pytest.importorskip("torch")
pytest.importorskip("torch.nn", reason="needs all of torch")

pytestmark = [pytest.mark.real_torch, pytest.mark.usefixtures("registry")]
under_patch = dynconf.patch(verify_correctness=True, recompile_limit=63)


@pytest.fixture(autouse=True)
def nothing_compiled():
    """Begin and end without compiled code."""
    torch._dynamo.reset()
    yield
    torch._dynamo.reset()


def in_force():
    """Tell whether the flags of the patch are in force."""
    config = torch._dynamo.config
    return config.verify_correctness is True and config.cache_size_limit == 63  # its name in every release


def quotients(a, bc, d):
    """Compute with nested inputs and a plain number."""
    b, c = bc
    return a / d - b / c


QUOTIENT_INPUTS = torch.full((2,), 1.0), (torch.full((2,), 2.0), torch.full((2,), 3.0)), 4


@under_patch
def test_a_backend_sees_example_inputs_while_it_compiles():
    """The graph, called on the example inputs, gives the size, strides and dtype of the result."""
    seen = []

    def backend(graph, example_inputs):
        assert in_force()
        seen.extend(graph(*example_inputs))
        return graph.forward

    result = torch.compile(quotients, backend=backend, fullgraph=True)(*QUOTIENT_INPUTS)
    expected = quotients(*QUOTIENT_INPUTS)
    assert torch.equal(result, expected)
    for attribute in (torch.Tensor.size, torch.Tensor.stride, lambda tensor: tensor.dtype):
        assert attribute(seen[0]) == attribute(expected)


@under_patch
def test_a_backend_sees_the_real_inputs_when_it_runs():
    """The callable that a backend returns gets the inputs of the call."""
    seen = []

    def backend(graph, example_inputs):
        def run(*inputs):
            result = graph.forward(*inputs)
            seen.extend(result)
            return result

        return run

    result = torch.compile(quotients, backend=backend, fullgraph=True)(*QUOTIENT_INPUTS)
    assert torch.equal(result, quotients(*QUOTIENT_INPUTS))
    assert torch.equal(seen[-1], result)


@under_patch
def test_aot_autograd_makes_a_backend_of_a_compiler():
    """The compiler gets the graphs of forward and backward."""
    from functorch.compile import make_boxed_func
    from torch._dynamo.backends.common import aot_autograd

    compiled = []

    def compiler(graph, example_inputs):
        compiled.append(in_force())
        return make_boxed_func(graph.forward)

    x = torch.randn(3, 3, requires_grad=True)
    torch.compile(torch.sin, backend=aot_autograd(fw_compiler=compiler))(x).sum().backward()
    assert compiled == [True, True]
    assert torch.allclose(x.grad, x.cos())
