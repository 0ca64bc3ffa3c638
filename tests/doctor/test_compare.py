"""`compare` on real torch: what it finds, what it refuses, and what it leaves behind."""

import copy
import json
import os
import random
from dataclasses import dataclass
from typing import NamedTuple

import pytest

import dynconf

torch = pytest.importorskip("torch")
nn = pytest.importorskip("torch.nn", reason="needs all of torch")

pytestmark = [
    pytest.mark.real_torch,
    pytest.mark.filterwarnings("ignore:Failed to initialize NumPy"),
]

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


@pytest.fixture(scope="module")
def on_inductor():
    """Compare a model with dropout and batch norm on Inductor, once for several tests."""
    torch.manual_seed(0)
    layers = nn.Linear(10, 10), nn.Dropout(0.5), nn.BatchNorm1d(10), nn.Linear(10, 3), nn.Sigmoid()
    return dynconf.compare(nn.Sequential(*layers), (X,), iterations=3)


def test_a_sound_model_has_no_differences_on_inductor(on_inductor):
    """Outputs, gradients, buffers and updated parameters agree, with dropout and batch norm."""
    assert on_inductor.ok, str(on_inductor)
    assert on_inductor.graphs == {"base": 0, "control": 1}
    assert on_inductor.iterations == 3


def test_everything_is_compared_with_its_shape_and_dtype(on_inductor):
    """Each kind has its entries by name, with shape, dtype and the largest error."""
    by_name = {(each.kind, each.name): each for each in on_inductor.compared}
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


def test_a_single_wrong_element_is_located():
    """Its index, its share of the elements and its error are reported."""
    spot = torch.zeros(8, 3)
    spot[2, 1] = 0.5
    result = compare(Branch(same, lambda y: y + spot))
    forward = found(result)["forward", "output"]
    assert forward.first == (2, 1)
    assert forward.mismatched == pytest.approx(1 / 24)
    assert forward.max_absolute == pytest.approx(0.5)


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


def test_nan_equals_nan():
    """NaN on both sides is no difference, NaN on one side is."""
    both = Branch(lambda y: y * float("nan"), lambda y: y * float("nan"))
    assert compare(both).ok
    one = compare(Branch(same, lambda y: y * float("nan")))
    assert ("forward", "output") in found(one)
    json.loads(json.dumps(one.as_json(), allow_nan=False))


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
    """What cannot be compared element by element is a difference that says why."""
    difference = found(compare(Branch(same, compiled)))["forward", name]
    assert difference.problem == problem
    assert "base side" in difference.message or "control side" in difference.message


def test_a_missing_gradient_is_a_difference():
    """A parameter that gets a gradient on one side only is reported."""

    class Half(nn.Module):
        def __init__(self):
            super().__init__()
            self.used, self.dropped = nn.Parameter(torch.ones(3)), nn.Parameter(torch.ones(3))

        def forward(self, x):
            other = self.dropped.detach() if torch.compiler.is_compiling() else self.dropped
            return self.used * x + other

    result = compare(Half(), torch.ones(3))
    difference = found(result)["gradient", "dropped"]
    assert difference.problem == "missing"
    assert "control" in difference.message


def test_inputs_are_copied_for_each_side():
    """A model that changes its input changes the copies, and not the original."""

    class Adds(nn.Module):
        def forward(self, x):
            return x.add_(1)

    given = torch.zeros(3)
    result = compare(Adds(), {"x": given})
    assert result.ok
    assert torch.equal(given, torch.zeros(3))


def test_an_input_that_ends_up_different_is_a_difference():
    """Inputs are compared after the call."""

    class Adds(nn.Module):
        def forward(self, x):
            x.add_(2.0 if torch.compiler.is_compiling() else 1.0)
            return x * 0

    assert found(compare(Adds(), [torch.zeros(3)])).keys() >= {("input", "input[0]")}


def test_tied_parameters_stay_tied():
    """A model with one weight in two places works, and the original is untouched."""

    class Tied(nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.second = nn.Linear(10, 10), nn.Linear(10, 10)
            self.second.weight = self.first.weight

        def forward(self, x):
            return self.second(self.first(x))

    model = Tied()
    before = copy.deepcopy(model.state_dict())
    result = compare(model)
    assert result.ok
    assert {"first.weight", "second.bias"} <= {each.name for each in result.compared}
    assert all(torch.equal(before[name], value) for name, value in model.state_dict().items())
    assert all(parameter.grad is None for parameter in model.parameters())


def test_a_model_that_cannot_be_copied_is_refused():
    """The error says why."""

    class Stubborn(nn.Linear):
        def __deepcopy__(self, memo):
            raise RuntimeError("there is only one of me")

    with pytest.raises(dynconf.InvalidValueError, match=r"cannot copy the model.*there is only one of me"):
        compare(Stubborn(10, 3))


def test_copies_that_share_memory_are_refused():
    """If the copy of a model is the model itself, both sides would train it; the error names a parameter."""

    class Shared(nn.Linear):
        def __deepcopy__(self, memo):
            return self

    with pytest.raises(dynconf.InvalidValueError, match=r"shares the memory of 'weight'"):
        compare(Shared(10, 3))


def test_a_buffer_that_differs_is_reported():
    """Buffers are compared after the call."""

    class Counts(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("calls", torch.zeros((), dtype=torch.int64))

        def forward(self, x):
            self.calls += 2 if torch.compiler.is_compiling() else 1
            return x * 1

    difference = found(compare(Counts()))["buffer", "calls"]
    assert (difference.dtype, difference.max_absolute) == ("int64", 1)


def test_integers_are_compared_exactly():
    """An integer that is off by one in a million is a difference."""
    big = Branch(lambda y: (y * 0).long() + 10**6, lambda y: (y * 0).long() + 10**6 + 1)
    assert found(compare(big))["forward", "output"].tolerance.relative == 0


def test_without_gradients_the_rest_is_compared():
    """If no output requires a gradient, gradients and the optimizer are left out, and a note says so."""
    result = compare(lambda x: x.argmax(), X)
    assert result.ok
    assert any("no output requires a gradient" in note for note in result.notes)
    assert {each.kind for each in result.compared} == {"forward", "input"}


def test_gradients_of_inputs_are_compared():
    """An input that requires a gradient gets one on both sides, even if it was computed itself."""
    computed = X.clone().requires_grad_() * 2
    result = compare(nn.Linear(10, 3), (computed,))
    assert result.ok
    assert "input[0]" in {each.name for each in result.compared if each.kind == "gradient"}


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


def test_without_optimizer_no_step_is_taken():
    """With optimizer=False nothing of that kind is compared."""
    result = compare(nn.Linear(10, 3), optimizer=False)
    assert result.ok
    assert "optimizer" not in {each.kind for each in result.compared}


def test_two_configs_of_one_backend_are_compared():
    """Each side is compiled under its own flags, even if both run on the same backend."""
    seen = []

    def doubles_when_verbose(graph, inputs):
        verbose = torch._dynamo.config.verbose
        seen.append(verbose)
        return lambda *args: [each * (2 if verbose else 1) for each in graph(*args)]

    options = {"base": doubles_when_verbose, "control": doubles_when_verbose}
    assert compare(nn.Linear(10, 3), **options).ok
    result = compare(nn.Linear(10, 3), **options, control_flags={"verbose": True})
    assert ("forward", "output") in found(result)
    assert seen == [False, False, False, True]


def test_eager_is_plain_pytorch_unless_it_is_given_flags():
    """A base side on "eager" compiles nothing; given flags, which only Dynamo reads, it does."""
    assert compare(nn.Linear(10, 3)).graphs == {"base": 0, "control": 1}
    assert compare(nn.Linear(10, 3), base_flags={"verbose": True}).graphs == {"base": 1, "control": 1}


def test_a_comparison_without_compiled_code_says_so():
    """A note tells that a side ran without Dynamo, since the comparison means little then."""
    with dynconf.patch(disable=True):
        result = compare(nn.Linear(10, 3))
    assert any("compiled no graph" in note for note in result.notes)


def test_a_compiled_model_is_compared_as_the_model_it_wraps():
    """What torch.compile returned stands for the model inside."""
    assert compare(torch.compile(nn.Linear(10, 3), backend="eager")).graphs["control"] == 1


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


def test_bfloat16_gets_the_tolerance_of_its_dtype():
    """A precision that bfloat16 cannot hold does not fail it; a real difference does."""
    model, x = nn.Linear(10, 3).bfloat16(), X.bfloat16()
    assert compare(model, x, control="aot_eager").ok
    off = compare(Branch(same, lambda y: y * 1.1).bfloat16(), x)
    assert ("forward", "output") in found(off)


def state_of_the_process():
    """Return everything that a comparison may change, as data."""
    return {
        "python": random.getstate(),
        "torch": torch.get_rng_state().tolist(),
        "deterministic": torch.are_deterministic_algorithms_enabled(),
        "warn_only": torch.is_deterministic_algorithms_warn_only_enabled(),
        "cublas": os.environ.get("CUBLAS_WORKSPACE_CONFIG"),
        "anomaly": (torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled()),
        "gradients": torch.is_grad_enabled(),
        "config": dynconf.snapshot(),
        "counters": {name: dict(counts) for name, counts in torch._dynamo.utils.counters.items()},
    }


@pytest.fixture
def unusual_state(monkeypatch):
    """Put the process into a state that is nobody's default."""
    monkeypatch.setenv("CUBLAS_WORKSPACE_CONFIG", ":0:0")
    torch.use_deterministic_algorithms(True, warn_only=False)
    torch.manual_seed(99)
    random.seed(98)
    try:
        with torch.autograd.set_detect_anomaly(True, check_nan=False), dynconf.patch(recompile_limit=77):
            yield
    finally:
        torch.use_deterministic_algorithms(False)


def shuffles_everything(y):
    """Change all the global state there is, then raise."""
    torch.manual_seed(5)
    random.seed(5)
    torch.use_deterministic_algorithms(False)
    os.environ["CUBLAS_WORKSPACE_CONFIG"] = "broken"
    torch.autograd.set_detect_anomaly(False)
    raise ArithmeticError("and out")


def test_the_process_is_restored_after_a_comparison(unusual_state):
    """Random numbers, deterministic and anomaly mode, variables, counters and config are as before."""
    model = nn.Linear(10, 3)
    before = state_of_the_process()
    compare(model)
    assert state_of_the_process() == before


def test_the_process_is_restored_after_an_exception(unusual_state):
    """Even if the model changes the state itself and raises."""
    model = Branch(shuffles_everything, same)
    before = state_of_the_process()
    assert not compare(model).ok
    assert state_of_the_process() == before


def test_the_process_is_restored_after_an_interruption(unusual_state):
    """Even if Ctrl-C ends the comparison."""

    def interrupted(y):
        os.environ["CUBLAS_WORKSPACE_CONFIG"] = "broken"
        raise KeyboardInterrupt

    model = Branch(interrupted, same)
    before = state_of_the_process()
    with pytest.raises(KeyboardInterrupt):
        compare(model)
    assert state_of_the_process() == before


def test_compiled_code_of_the_caller_is_kept(graph_counter):
    """What the caller compiled is not compiled again afterwards, even if it is the compared model."""
    graphs = graph_counter()
    model = nn.Linear(10, 3)
    compiled = torch.compile(model, backend=graphs)
    compiled(X)
    assert compare(model).ok
    assert not compare(Branch(explode, same)).ok
    compiled(X)
    assert graphs.count == 1


def test_what_the_caller_compiled_does_not_stand_in_for_a_side():
    """A side compiles for itself, even if the caller has compiled the same model on the same backend."""
    model = nn.Linear(10, 3)
    torch.compile(model, backend="aot_eager")(X)
    assert compare(model).graphs["control"] == 1


def test_sizes_of_one_comparison_do_not_make_the_next_one_dynamic():
    """Each comparison compiles for its own sizes, whatever sizes others had."""
    shapes = []

    def recording(graph, inputs):
        shapes.extend(tuple(each.shape) for each in inputs if not isinstance(each, int))
        return graph.forward

    for rows in (4, 5, 6):
        assert compare(torch.sin, torch.ones(rows, 2), control=recording).ok
    assert shapes == [(4, 2), (5, 2), (6, 2)]


def test_a_model_whose_graph_breaks_leaves_no_compiled_code():
    """Functions that had to be compiled by themselves lose their compiled code again."""

    class Breaks(nn.Module):
        def forward(self, x):
            x = x + 1
            torch._dynamo.graph_break()
            return x * 2

    result = compare(Breaks())
    assert result.ok
    assert result.graphs["control"] == 2
    entries = torch._dynamo.eval_frame._debug_get_cache_entry_list(Breaks.forward.__code__)
    assert entries == []
