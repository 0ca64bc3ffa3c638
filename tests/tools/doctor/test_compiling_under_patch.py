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
def test_a_registered_backend_is_found_by_name():
    """A decorated function is a backend under its name, and runs under the patch."""
    calls = []

    @torch._dynamo.register_backend
    def from_a_decorator(graph, example_inputs):
        calls.append(in_force())
        return graph.forward

    assert torch.equal(torch.compile(torch.relu, backend="from_a_decorator")(-torch.ones(3)), torch.zeros(3))
    assert calls == [True]


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


@under_patch
def test_a_backend_can_fall_back_to_others_by_name():
    """It tries one that does not exist, one that fails, then one that works."""
    tried = []

    @torch._dynamo.register_backend
    def always_fails(graph, example_inputs):
        raise RuntimeError("not today")

    def first_that_works(graph, example_inputs):
        for name in ("no_such_backend", "always_fails", "aot_eager"):
            tried.append(name)
            try:
                return torch._dynamo.lookup_backend(name)(graph, example_inputs)
            except (torch._dynamo.exc.InvalidBackend, RuntimeError):
                tried.append("failed")
        return graph.forward

    assert torch.equal(torch.compile(torch.relu, backend=first_that_works)(-torch.ones(3)), torch.zeros(3))
    assert tried == ["no_such_backend", "failed", "always_fails", "failed", "aot_eager"]


@under_patch
def test_arithmetic_in_place_keeps_its_dtype_under_aot_eager():
    """A float32 tensor to which a float64 one is added in place stays float32, with the same value."""

    def accumulate(a, b):
        x = torch.cos(a)
        x += b
        return torch.sin(x)

    a, b = torch.randn(10), torch.randn(10, dtype=torch.float64)
    result, expected = torch.compile(accumulate, backend="aot_eager")(a, b), accumulate(a, b)
    assert result.dtype == expected.dtype == torch.float32
    assert torch.allclose(result, expected)


@dynconf.patch(recompile_limit=63)  # torch cannot explain under verify_correctness
def test_the_explaining_backend_counts_graphs_breaks_and_operations():
    """Three nested functions around a graph break make one graph more than there are breaks."""
    from torch._dynamo.backends.debugging import ExplainWithBackend

    def inner(x):
        x = torch.sin(x)
        torch._dynamo.graph_break()
        return torch.sin(x)

    def middle(x):
        return torch.cos(inner(torch.cos(x)))

    def outer(x):
        return torch.tan(middle(torch.tan(x)))

    explaining = ExplainWithBackend("eager")
    x = torch.randn(5)
    assert torch.allclose(torch.compile(outer, backend=explaining)(x), outer(x))
    explained = explaining.output()
    assert explained.op_count == 6
    assert explained.graph_break_count == explained.graph_count - 1
    assert explained.graph_count == 6
    for heading in ("Graph Count", "Graph Break Count", "Op Count", "Break Reasons"):
        assert heading in str(explained)
