"""The two sides of `compare`: their copies, backends, flags and gradients."""

import copy

import pytest

import dynconf

torch = pytest.importorskip("torch")
nn = pytest.importorskip("torch.nn", reason="needs all of torch")

pytestmark = pytest.mark.real_torch

X = torch.randn(8, 10, generator=torch.Generator().manual_seed(0))


def compare(model, inputs=(X,), **options):
    """Compare on a backend that compiles fast."""
    return dynconf.compare(model, inputs, **{"control": "aot_eager", "iterations": 2} | options)


def test_inputs_are_copied_for_each_side():
    """A model that changes its input changes the copies, and not the original."""

    class Adds(nn.Module):
        def forward(self, x):
            return x.add_(1)

    given = torch.zeros(3)
    result = compare(Adds(), {"x": given})
    assert result.ok
    assert torch.equal(given, torch.zeros(3))


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


def no_copy(model, memo):
    """Refuse to be copied."""
    raise RuntimeError("there is only one of me")


@pytest.mark.parametrize(
    ("copied", "said"),
    [
        (no_copy, r"cannot copy the model.*there is only one of me"),
        (lambda model, memo: model, r"shares the memory of 'weight'"),  # so both sides would train it
    ],
)
def test_a_model_that_cannot_be_copied_is_refused(copied, said):
    """The error says why, or names a parameter."""
    kind = type("Stubborn", (nn.Linear,), {"__deepcopy__": copied})
    with pytest.raises(dynconf.InvalidValueError, match=said):
        compare(kind(10, 3))


def test_gradients_of_inputs_are_compared():
    """An input that requires a gradient gets one on both sides, even if it was computed itself."""
    computed = X.clone().requires_grad_() * 2
    result = compare(nn.Linear(10, 3), (computed,))
    assert result.ok
    assert "input[0]" in {each.name for each in result.compared if each.kind == "gradient"}


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
    assert ("forward", "output") in {(each.kind, each.name) for each in result.differences}
    assert seen == [False, False, False, True]


def test_eager_is_plain_pytorch_unless_it_is_given_flags():
    """A base side on "eager" compiles nothing; given flags, which only Dynamo reads, it does."""
    assert compare(nn.Linear(10, 3)).graphs == {"base": 0, "control": 1}
    assert compare(nn.Linear(10, 3), base_flags={"verbose": True}).graphs == {"base": 1, "control": 1}


def test_code_of_the_caller_does_not_stand_in_for_a_side():
    """A side compiles for itself, even if the caller has compiled the model, or gives it compiled."""
    model = nn.Linear(10, 3)
    compiled = torch.compile(model, backend="aot_eager")
    compiled(X)
    assert compare(model).graphs["control"] == compare(compiled).graphs["control"] == 1


def test_sizes_of_one_comparison_do_not_make_the_next_one_dynamic():
    """Each comparison compiles for its own sizes, whatever sizes others had."""
    shapes = []

    def recording(graph, inputs):
        shapes.extend(tuple(each.shape) for each in inputs if not isinstance(each, int))
        return graph.forward

    for rows in (4, 5, 6):
        assert compare(torch.sin, torch.ones(rows, 2), control=recording).ok
    assert shapes == [(4, 2), (5, 2), (6, 2)]


def test_each_iteration_has_its_own_seed_on_both_sides(monkeypatch):
    """An error that one sequence of random numbers hides may show with the next."""
    from dynconf.tools.doctor import runner

    seeds, seed = [], runner.seed
    monkeypatch.setattr(runner, "seed", lambda number: (seeds.append(number), seed(number)))
    assert compare(nn.Linear(10, 3)).ok
    assert seeds == [1, 1, 1, 1, 2, 2, 2, 2]  # forward and backward of two sides


def test_gradients_are_those_of_one_iteration():
    """They do not add up, as they would in a training loop without zero_grad."""
    from dynconf.tools.doctor.runner import Side

    side = Side("base", nn.Linear(10, 3), (X,), None, dynconf.patch(verbose=False))
    gradients = []
    for _ in range(2):
        side.forward(1)
        gradients.append(side.backward(1)["weight"].clone())
    assert torch.equal(*gradients)


def test_a_value_is_shown_from_the_iteration_in_which_it_was_furthest_off():
    """Even if each of them is within the tolerance."""
    errors = iter([1e-5, 3e-5, 2e-5])

    def imprecise(graph, inputs):
        return lambda *args: [each + next(errors) for each in graph(*args)]

    result = compare(lambda x: x * 2, (torch.zeros(3),), control=imprecise, iterations=3)
    (output,) = [each for each in result.compared if each.kind == "forward"]
    assert result.ok
    assert (output.iteration, output.max_absolute) == (1, pytest.approx(3e-5, rel=1e-3))
