"""Running both sides of a comparison: each on its own backend and flags, with its own copy of everything.

Both sides must start each iteration alike, or a difference would mean nothing. So every random number comes
from a seed that depends on the iteration alone, a side never sees the tensors of the other or of the caller,
and after the first difference no further iteration runs: the parameters are no longer equal.
"""

import copy
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import torch

from dynconf.errors import InvalidValueError
from dynconf.live.patch import Patch
from dynconf.tools.doctor.comparison import Kind, ValueComparison
from dynconf.tools.doctor.compiling import CountingBackend, compile_isolated
from dynconf.tools.doctor.global_state import seed
from dynconf.tools.doctor.steps import in_one_line
from dynconf.tools.doctor.tensors import compare_named, compare_trees, tensors_in


class Side:
    """One side of a comparison, ``base`` or ``control``, with its copies of the model and the inputs."""

    def __init__(
        self, name: str, model: Any, example_inputs: Any, backend: CountingBackend | None, flags: Patch
    ) -> None:
        self.name = name
        self.flags = flags
        self.output: Any = None
        model, self._arguments, self._keywords = _copies(model, example_inputs)
        self._backend = backend
        self._call = model if backend is None else compile_isolated(model, backend)
        self._module = _as_module(model)

    @property
    def graphs(self) -> int | None:
        """The number of graphs it compiled; None if it runs without ``torch.compile``."""
        return self._backend.graphs if self._backend else None

    def parameters(self) -> dict[str, torch.Tensor]:
        return dict(self._module.named_parameters())

    def buffers(self) -> dict[str, torch.Tensor]:
        return dict(self._module.named_buffers())

    def inputs(self) -> dict[str, torch.Tensor]:
        """Return the tensors among the inputs by path."""
        return {**tensors_in(self._arguments, "input"), **tensors_in(self._keywords, "input")}

    def forward(self, seed_number: int) -> Any:
        """Call the model under that seed, without gradients of an earlier iteration; return the output."""
        for leaf in self._gradient_leaves().values():
            leaf.grad = None
        seed(seed_number)
        self.output = self._call(*self._arguments, **self._keywords)
        return self.output

    def differentiable_outputs(self) -> list[torch.Tensor]:
        return [each for each in tensors_in(self.output).values() if each.requires_grad]

    def backward(self, seed_number: int) -> dict[str, Any]:
        """Propagate a random gradient, drawn under that seed, from every output that requires one.

        Returns the gradients of parameters and inputs by name, without those that are None.
        """
        seed(seed_number)
        outputs = self.differentiable_outputs()
        # Drawn on the CPU in one dtype, so that both sides get the same numbers on any device.
        gradients = [torch.randn(each.shape, dtype=torch.float64).to(each) for each in outputs]
        torch.autograd.backward(outputs, gradients)
        return {name: leaf.grad for name, leaf in self._gradient_leaves().items() if leaf.grad is not None}

    def _gradient_leaves(self) -> dict[str, torch.Tensor]:
        """Return the tensors in which autograd accumulates gradients."""
        tensors = {**self.parameters(), **self.inputs()}
        return {name: tensor for name, tensor in tensors.items() if tensor.is_leaf}

    def step(self) -> dict[str, torch.Tensor]:
        """Take one step of SGD, and return the parameters."""
        torch.optim.SGD(self._module.parameters(), lr=0.01).step()
        return self.parameters()


def _as_module(model: Any) -> torch.nn.Module:
    """Return the model; a function takes part as a module without parameters."""
    return model if isinstance(model, torch.nn.Module) else torch.nn.Module()


def _copies(model: Any, example_inputs: Any) -> tuple[Any, tuple[Any, ...], dict[str, Any]]:
    """Copy the model, positional and keyword arguments; the copies share what the originals share."""
    # A computed tensor cannot be copied together with its history, so its copy starts a new one.
    memo: dict[int, Any] = {
        id(each): each.detach().clone().requires_grad_(each.requires_grad)
        for each in tensors_in(example_inputs).values()
        if not each.is_leaf
    }
    try:
        model, inputs = copy.deepcopy((model, example_inputs), memo)
    except Exception as error:
        raise InvalidValueError(
            f"cannot copy the model and its inputs, and each side needs a copy: {in_one_line(error)}"
        ) from error
    if isinstance(inputs, Mapping):
        return model, (), dict(inputs)
    return model, tuple(inputs) if isinstance(inputs, (tuple, list)) else (inputs,), {}


def reject_shared_memory(sides: Iterable[Side], model: Any) -> None:
    """Raise InvalidValueError if a side has a parameter or buffer of the other, or of the original."""
    # A model's own __deepcopy__ may return the model itself, or share its weights.
    module = _as_module(model)
    owners = dict.fromkeys(map(id, (*module.parameters(), *module.buffers())), "the original model")
    for side in sides:
        owner = f"the {side.name} side"
        for name, tensor in {**side.parameters(), **side.buffers()}.items():
            if owners.setdefault(id(tensor), owner) != owner:
                raise InvalidValueError(
                    f"the copy for {owner} shares the memory of {name!r} with {owners[id(tensor)]}, so a step"
                    " of one side would change the other; make sure that copy.deepcopy copies the whole model"
                )


@dataclass(slots=True)
class Iterations:
    """The iterations of a comparison, with their results so far."""

    sides: Sequence[Side]
    precision: float | None
    compared: dict[tuple[Kind, str], ValueComparison] = field(default_factory=dict)
    note: str = ""
    iterations: int = 0

    def iterate(self, *, optimizer: bool) -> None:
        """Run both sides once and compare; stop where the rest would only repeat a difference."""
        self.iterations += 1
        seed_number = self.iterations
        outputs = partial(compare_trees, name="output")
        if not self._compare("forward", lambda side: side.forward(seed_number), outputs):
            return
        self._compare("input", Side.inputs)
        self._compare("parameter", Side.parameters)
        self._compare("buffer", Side.buffers)
        # Outputs of another shape or structure have gradients that cannot be compared.
        if any(each.problem not in (None, "values") for each in self.compared.values()):
            return
        if not any(side.differentiable_outputs() for side in self.sides):
            self.note = "no output requires a gradient: gradients and the optimizer's step were not compared"
            return
        has_gradients = self._compare("gradient", lambda side: side.backward(seed_number))
        if has_gradients and optimizer and self.sides[0].parameters():
            self._compare("optimizer", Side.step)

    def notes(self, warnings: Iterable[str]) -> Iterator[str]:
        """Yield notes on the run, on a side that ran without Dynamo, and on nondeterministic operations."""
        if self.note:
            yield self.note
        errors = {each.name for each in self.compared.values() if each.problem == "error"}
        for side in self.sides:
            if side.graphs == 0 and f"({side.name})" not in errors:
                yield f"the {side.name} side compiled no graph: it ran as plain Python (is Dynamo disabled?)"
        texts = [each.partition("\n")[0] for each in warnings]
        yield from dict.fromkeys(text for text in texts if "deterministic" in text)

    def _compare(
        self,
        kind: Kind,
        action: Callable[[Side], Any],
        compare_results: Callable[..., list[ValueComparison]] = compare_named,
    ) -> bool:
        """Compare the results of *action* on both sides; return False if one raised, which differs, too."""
        results, errors = [], []
        for side in self.sides:
            try:
                with side.flags:
                    results.append(action(side))
            except Exception as error:
                message = f"the {side.name} side raised {in_one_line(error)}"
                errors.append(ValueComparison(kind, f"({side.name})", problem="error", message=message))
        for each in errors or compare_results(
            kind, base=results[0], control=results[1], precision=self.precision
        ):
            before = self.compared.get((each.kind, each.name))
            if before is None or not each.ok or (each.max_absolute or 0) >= (before.max_absolute or 0):
                self.compared[each.kind, each.name] = replace(each, iteration=self.iterations - 1)
        return not errors
