"""A compiler of forward and backward while a patch of dynconf is in force."""

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
