"""`compare` on real torch: differences, and arguments that it rejects."""

import warnings
from dataclasses import dataclass
from typing import NamedTuple

import pytest

import dynconf

torch = pytest.importorskip("torch")
nn = pytest.importorskip("torch.nn", reason="needs all of torch")

pytestmark = pytest.mark.real_torch

X = torch.randn(8, 10, generator=torch.Generator().manual_seed(0))


class Branch(nn.Module):
    """A linear layer whose output goes through one function when compiled and another one when not."""

    def __init__(self, plain, compiled):
        super().__init__()
        self.linear = nn.Linear(10, 3)
        self.plain, self.compiled = plain, compiled

    def forward(self, x):
        y = self.linear(x)
        return self.compiled(y) if torch.compiler.is_compiling() else self.plain(y)


def same(y):
    """Return the argument."""
    return y


def found(comparison):
    """Return the differences by kind and name."""
    return {(each.kind, each.name): each for each in comparison.differences}


def compare(model, inputs=(X,), **options):
    """Compare on a backend that compiles fast."""
    options = {"control": "aot_eager", "iterations": 2} | options
    return dynconf.compare(model, inputs, **options)


def test_a_sound_model_has_no_differences_on_inductor():
    """With dropout and batch norm; each kind has its entries by name, with shape, dtype and largest error."""
    torch.manual_seed(0)
    layers = nn.Linear(10, 10), nn.Dropout(0.5), nn.BatchNorm1d(10), nn.Linear(10, 3), nn.Sigmoid()
    with dynconf.patch({"inductor.cpp.vec_isa_ok": False}):  # trying them out takes ten compilations
        result = dynconf.compare(nn.Sequential(*layers), (X,), iterations=3)
    assert result.ok, str(result)
    assert result.graphs == {"base": 0, "control": 1}
    assert result.iterations == 3
    by_name = {(each.kind, each.name): each for each in result.compared}
    kinds = {kind for kind, _ in by_name}
    assert kinds == {"forward", "input", "parameter", "buffer", "gradient", "optimizer"}
    weight = by_name["gradient", "0.weight"]
    assert (weight.shape, weight.dtype) == ((10, 10), "float32")
    assert 0 <= weight.max_absolute < 1e-4
    assert by_name["buffer", "2.num_batches_tracked"].max_absolute == 0


def test_a_compiled_path_that_is_off_by_one_percent_is_reported():
    """Output and gradients differ, parameters do not, and the run stops after that iteration."""
    result = compare(Branch(same, lambda y: y * 1.01))
    assert not result.ok
    assert {("forward", "output"), ("gradient", "linear.weight")} <= set(found(result))
    assert ("parameter", "linear.weight") not in found(result)
    assert result.iterations == 1
    forward = found(result)["forward", "output"]
    assert forward.max_relative == pytest.approx(0.01, rel=1e-3)
    assert "forward output" in str(result)


class Pair(NamedTuple):
    left: object
    right: object


@dataclass
class Output:
    loss: object
    parts: object


def test_outputs_of_any_nesting_are_compared_by_path():
    """Dicts, tuples, named tuples and dataclasses are opened; each leaf is named by its path."""
    model = Branch(
        lambda y: {"a": (y, [y * 2]), "b": Pair(y, 3), "c": Output(y.sum(), {"d": y})},
        lambda y: {"a": (y, [y * 3]), "b": Pair(y, 4), "c": Output(y.sum(), {"d": y + 1})},
    )
    names = {name for kind, name in found(compare(model)) if kind == "forward"}
    assert names == {"output['a'][1][0]", "output['b'].right", "output['c'].parts['d']"}


@pytest.mark.parametrize(
    ("compiled", "problem", "name"),
    [
        (lambda y: y[:2], "shape", "output"),
        (lambda y: y.double(), "dtype", "output"),
        (lambda y: (y, y), "missing", "output"),
        (lambda y: None, "structure", "output"),
    ],
)
def test_other_shapes_dtypes_and_structures_are_differences(compiled, problem, name):
    """Values that cannot be compared element by element are a difference that says why."""
    difference = found(compare(Branch(same, compiled)))["forward", name]
    assert difference.problem == problem
    assert "base side" in difference.message or "control side" in difference.message


def test_what_a_call_leaves_behind_is_compared():
    """Inputs and buffers that it changes, and gradients, which one side may lack; the output is the same."""

    class Drifts(nn.Module):
        def __init__(self):
            super().__init__()
            self.used, self.dropped = nn.Parameter(torch.ones(3)), nn.Parameter(torch.ones(3))
            self.register_buffer("calls", torch.zeros((), dtype=torch.int64))

        def forward(self, x):
            is_compiling = torch.compiler.is_compiling()
            y = self.used * x.clone() + (self.dropped.detach() if is_compiling else self.dropped)
            x.add_(2.0 if is_compiling else 1.0)
            self.calls += 2 if is_compiling else 1
            return y

    differences = found(compare(Drifts(), [torch.ones(3)]))
    assert {("gradient", "dropped"), ("input", "input[0]"), ("buffer", "calls")} <= differences.keys()
    assert ("forward", "output") not in differences
    assert differences["gradient", "dropped"].problem == "missing"
    assert "control" in differences["gradient", "dropped"].message
    assert (differences["buffer", "calls"].dtype, differences["buffer", "calls"].max_absolute) == ("int64", 1)


def test_without_gradients_the_rest_is_compared():
    """If no output requires a gradient, gradients and the optimizer are left out, and a note says so."""
    result = compare(lambda x: x.argmax(), X)
    assert result.ok
    assert any("no output requires a gradient" in note for note in result.notes)
    assert {each.kind for each in result.compared} == {"forward", "input"}


def explode(y):
    """Raise something."""
    raise ArithmeticError("too hot")


def test_an_exception_on_one_side_is_a_difference():
    """It names the side, and the class and text of the exception."""
    result = compare(Branch(explode, same))
    difference = found(result)["forward", "(base)"]
    assert difference.problem == "error"
    assert "base side raised ArithmeticError: too hot" in difference.message
    assert ("forward", "(control)") not in found(result)


def broken_backend(graph, inputs):
    """Fail to compile."""
    raise RuntimeError("no such instruction")


def test_a_backend_that_fails_is_a_difference():
    """A side that cannot compile does not run as plain Python, even if the caller suppresses errors."""
    with dynconf.patch(suppress_errors=True):
        result = compare(nn.Linear(10, 3), control=broken_backend)
    assert "no such instruction" in found(result)["forward", "(control)"].message
    assert not result.notes


def test_an_exception_in_backward_is_a_difference_of_gradients():
    """Its kind is gradient."""

    class Fails(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, grad):
            raise ArithmeticError("no way back")

    result = compare(Branch(Fails.apply, same))
    assert "no way back" in found(result)["gradient", "(base)"].message


def test_an_operation_that_cannot_be_deterministic_is_noted():
    """The warning of torch that it has no deterministic algorithm becomes a note."""

    def wobbly(x):
        index = torch.zeros(8, dtype=torch.long)
        return torch.zeros(3).put_(index, x[:, 0], accumulate=False)

    result = compare(wobbly, (X.detach(),))
    assert any("put_" in note and "deterministic" in note for note in result.notes), result.notes


def test_a_backend_whose_errors_are_suppressed_compiled_nothing():
    """A user who holds suppress_errors has its graphs run as plain Python."""

    def fails(graph, inputs):
        raise RuntimeError

    with dynconf.hold(suppress_errors=True), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = dynconf.compare(nn.Linear(10, 3), (torch.ones(2, 10),), control=fails)
    assert any("control side compiled no graph" in note for note in result.notes)


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"iterations": 0}, dynconf.InvalidValueError, "iterations: 0"),
        ({"iterations": True}, dynconf.InvalidValueError, "iterations: True"),
        ({"precision": -1}, dynconf.InvalidValueError, "precision: -1"),
        ({"precision": "fine"}, dynconf.InvalidValueError, "precision: 'fine'"),
        ({"control": "inducter"}, dynconf.InvalidValueError, "did you mean 'inductor'"),
        ({"control": 3}, dynconf.InvalidValueError, "3 is not a backend"),
        ({"base_flags": {"verbos": True}}, dynconf.UnknownFlagError, "base_flags: .*verbos"),
        ({"control_flags": {"verbose": "x"}}, dynconf.InvalidValueError, "control_flags: verbose"),
    ],
)
def test_wrong_arguments_are_refused_before_anything_runs(options, error, words):
    """The error names the argument; the model is not called."""
    with pytest.raises(error, match=words):
        compare(explode, **options)
