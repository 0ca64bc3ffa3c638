"""CUDA graphs under a patch that is stacked with another decorator; skipped where there is no GPU.

Run on a machine with one: ``python -m pytest tests/test_cudagraphs.py``.
"""

import functools

import pytest

import dynconf

torch = pytest.importorskip("torch")
pytest.importorskip("torch.nn", reason="needs all of torch")

pytestmark = [
    pytest.mark.real_torch,
    pytest.mark.filterwarnings("default"),  # torch's own, on machines that we do not know
    pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device, and torch finds none"),
]
DEVICE = "cuda"
REPLAYS = 5


def compiles_with_autograd(function):
    """Check that the patch is in force, and that AOTAutograd compiled every graph."""

    @functools.wraps(function)
    def checked(*args, **kwargs):
        from torch._dynamo.utils import counters

        config = torch._dynamo.config
        assert config.verify_correctness is True
        assert config.automatic_dynamic_shapes is True
        counters.clear()
        result = function(*args, **kwargs)
        counts = counters["aot_autograd"]
        assert counts["ok"] > 0
        assert counts["not_ok"] == 0
        return result

    return checked


def patched_and_checked(function):
    """Stack the two decorators: the patch outside, the check of the counters inside."""
    patch = dynconf.patch(verify_correctness=True, automatic_dynamic_shapes=True)
    return patch(compiles_with_autograd(function))


@pytest.fixture(autouse=True)
def nothing_compiled():
    """Begin without compiled code, and leave without, with the flags as they were."""
    torch._dynamo.reset()
    before = dynconf.snapshot()
    yield
    torch._dynamo.reset()
    assert dynconf.snapshot() == before


def on_graphs(model):
    """Compile *model* on the backend that records CUDA graphs."""
    return torch.compile(model, backend="cudagraphs")


def replayed(model, x, *others):
    """Record a graph of *model*, and yield the result of each call, after the backward of its sum."""
    run = on_graphs(model)
    for _ in range(REPLAYS):
        x.grad = None
        result = run(x, *others)
        result.sum().backward()
        yield result


def vector(*, size=3, requires_grad=False, device=None):
    """Return random numbers on the device."""
    return torch.randn(size, device=device or DEVICE, requires_grad=requires_grad)


@patched_and_checked
def test_a_basic_graph_runs_forward_and_backward():
    """Recorded once and replayed, result and gradient are those of plain PyTorch."""

    def model(x, y):
        return (x + y) * y

    x, y = vector(requires_grad=True), vector()
    for result in replayed(model, x, y):
        torch.testing.assert_close(result, model(x, y))
        torch.testing.assert_close(x.grad, y)


@patched_and_checked
def test_a_copy_from_device_to_host_is_no_obstacle():
    """A model that goes on on the CPU gives the right result there, and a gradient on the device."""

    def model(x, y):
        return (x + y).cpu() * 3

    x, y = vector(requires_grad=True), vector()
    for result in replayed(model, x, y):
        assert result.device.type == "cpu"
        torch.testing.assert_close(result, model(x, y))
        torch.testing.assert_close(x.grad, torch.full_like(x, 3))


@patched_and_checked
def test_a_scalar_from_the_host_is_read_anew():
    """A scalar tensor that stays on the CPU counts with its present value at each replay."""

    def model(x, y):
        return (x + y) * 3

    x, y = vector(requires_grad=True), vector(size=(), device="cpu")
    for result in replayed(model, x, y):
        torch.testing.assert_close(result, model(x, y))
        y += 1


@patched_and_checked
def test_an_input_that_is_mutated_changes_once_at_each_replay():
    """A graph that adds to its input in place adds at each call, neither never nor twice."""

    def model(x, y):
        y.add_(3)
        return x * y

    x, y = vector(requires_grad=True), vector()
    expected = y.clone()
    for result in replayed(model, x, y):
        expected += 3
        torch.testing.assert_close(y, expected)
        torch.testing.assert_close(result, x * expected)


@patched_and_checked
def test_a_constant_that_is_mutated_starts_anew_at_each_replay():
    """A constant that the model makes and changes has the same value at each call."""

    def model(x, y):
        constant = torch.tensor(1)
        constant.add_(2)
        return x * y * 0 + constant

    x, y = vector(size=1, requires_grad=True), vector(size=1)
    for result in replayed(model, x, y):
        torch.testing.assert_close(result, torch.full_like(x, 3))


@patched_and_checked
def test_a_tensor_made_inside_is_made_anew_at_each_replay():
    """A tensor from a factory that is changed in place starts from its fill at each call."""

    def model(y):
        made = torch.zeros(3, device=DEVICE)
        made.add_(3)
        return made * y

    y = vector(requires_grad=True)
    for _ in replayed(model, y):
        torch.testing.assert_close(y.grad, torch.full_like(y, 3))


@patched_and_checked
def test_a_tensor_whose_size_is_changed_in_place_keeps_the_new_size():
    """A copy that is resized and filled comes back with the new size at each call."""

    def model(x):
        x = x.clone()
        x.resize_(20)
        x.fill_(2)
        return x

    run, x = on_graphs(model), torch.empty(0, device=DEVICE)
    for _ in range(REPLAYS):
        torch.testing.assert_close(run(x), torch.full((20,), 2.0, device=DEVICE))
        assert x.shape == (0,)


@patched_and_checked
def test_filling_an_empty_view_changes_nothing():
    """A fill of a view without elements is dropped, and the fill of the whole is kept."""

    def model(x):
        x = x.clone()
        nothing = x[0:0]
        x.fill_(2)
        nothing.fill_(3)
        return x, nothing

    run, x = on_graphs(model), torch.empty(20, device=DEVICE)
    for _ in range(REPLAYS):
        whole, nothing = run(x)
        torch.testing.assert_close(whole, torch.full((20,), 2.0, device=DEVICE))
        assert nothing.shape == (0,)
