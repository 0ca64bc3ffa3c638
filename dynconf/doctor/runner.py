"""Running both sides of a comparison: each on its own backend and flags, with its own copy of everything."""

import copy
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import torch

from dynconf.doctor.comparison import Compared, Kind
from dynconf.doctor.compiling import CountingBackend, compile_apart
from dynconf.doctor.failure import in_one_line
from dynconf.doctor.global_state import seed
from dynconf.doctor.tensors import compare_named, compare_trees, tensors_in
from dynconf.errors import InvalidValueError
from dynconf.live.patch import Patch

SEED = 1
"""The seed of the first iteration; each further one has the next number."""

LEARNING_RATE = 0.01
"""The step size of the optimizer."""


class Runner:
    """Runs one side of a comparison, ``base`` or ``control``, which is its *name*; *flags* is its patch."""

    def __init__(
        self, name: str, model: Any, example_inputs: Any, backend: CountingBackend | None, flags: Patch
    ) -> None:
        self.name = name
        self.flags = flags
        self.output: Any = None
        model, self._arguments, self._keywords = _copies(model, example_inputs)
        self._backend = backend
        self._call = model if backend is None else compile_apart(model, backend)
        self._module = model if isinstance(model, torch.nn.Module) else torch.nn.Module()

    @property
    def graphs(self) -> int | None:
        """How many graphs it compiled; None if it runs without ``torch.compile``."""
        return self._backend.graphs if self._backend else None

    def parameters(self) -> dict[str, Any]:
        return dict(self._module.named_parameters())

    def buffers(self) -> dict[str, Any]:
        return dict(self._module.named_buffers())

    def inputs(self) -> dict[str, Any]:
        """Return the tensors among the inputs by path."""
        return {**tensors_in(self._arguments, "input"), **tensors_in(self._keywords, "input")}

    def forward(self, number: int) -> Any:
        """Return the output, computed under that seed and without gradients of an earlier iteration."""
        for tensor in self._leaves().values():
            tensor.grad = None
        seed(number)
        self.output = self._call(*self._arguments, **self._keywords)
        return self.output

    def differentiable(self) -> list[torch.Tensor]:
        """Return the tensors of the output that require a gradient."""
        return [each for each in tensors_in(self.output).values() if each.requires_grad]

    def backward(self, number: int) -> dict[str, Any]:
        """Propagate a random gradient, drawn under that seed, from every output that requires one.

        Returns:
            The gradients of parameters and inputs by name, without those that are None.
        """
        seed(number)
        outputs = self.differentiable()
        weights = [torch.randn(each.shape, dtype=torch.float64).to(each) for each in outputs]
        torch.autograd.backward(outputs, weights)
        return {name: leaf.grad for name, leaf in self._leaves().items() if leaf.grad is not None}

    def _leaves(self) -> dict[str, Any]:
        """Return the tensors that keep their gradient."""
        tensors = {**self.parameters(), **self.inputs()}
        return {name: tensor for name, tensor in tensors.items() if tensor.is_leaf}

    def step(self) -> dict[str, Any]:
        """Take one step of SGD, and return the parameters."""
        torch.optim.SGD(list(self._module.parameters()), lr=LEARNING_RATE).step()
        return self.parameters()


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


def refuse_shared_memory(sides: Iterable[Runner], model: Any) -> None:
    """Raise if copies share memory.

    Raises:
        InvalidValueError: A tensor of one side is in the memory of the other, or of the original.
    """
    given = [*model.named_parameters(), *model.named_buffers()] if isinstance(model, torch.nn.Module) else []
    owners = dict.fromkeys(_by_address(dict(given)), "the model that was given")
    for side in sides:
        tensors = _by_address({**side.parameters(), **side.buffers(), **side.inputs()})
        for address, name in tensors.items():
            if address in owners:
                raise InvalidValueError(
                    f"the copy for the {side.name} side shares the memory of {name!r} with "
                    f"{owners[address]}, so a step of one side would change the other; "
                    "make sure that copy.deepcopy copies the whole model"
                )
        owners |= dict.fromkeys(tensors, f"the {side.name} side")


def _by_address(tensors: Mapping[str, torch.Tensor]) -> dict[int, str]:
    """Return the names of the tensors by where they are in memory."""
    found = {}
    for name, tensor in tensors.items():
        with suppress(RuntimeError, NotImplementedError, ValueError):  # sparse, lazy and wrapped tensors
            found[tensor.untyped_storage().data_ptr()] = name
    found.pop(0, None)  # tensors without elements
    return found


@dataclass(slots=True)
class Iterations:
    """The iterations of a comparison, and what they have found so far."""

    sides: Sequence[Runner]
    precision: float | None
    compared: dict[tuple[Kind, str], Compared] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    iterations: int = 0

    @property
    def differs(self) -> bool:
        return any(not each.ok for each in self.compared.values())

    def iterate(self, *, optimizer: bool) -> None:
        """Run both sides once and compare; stop where the rest would only repeat a difference."""
        number = SEED + self.iterations
        self.iterations += 1
        outputs = partial(compare_trees, name="output")
        if not self._compare("forward", lambda side: side.forward(number), outputs):
            return
        self._compare("input", Runner.inputs)
        self._compare("parameter", Runner.parameters)
        self._compare("buffer", Runner.buffers)
        if any(each.problem not in (None, "values") for each in self.compared.values()):
            return
        if not any(side.differentiable() for side in self.sides):
            note = "no output requires a gradient: gradients and the optimizer's step were not compared"
            self.notes = [note]
            return
        has_gradients = self._compare("gradient", lambda side: side.backward(number))
        if has_gradients and optimizer and self.sides[0].parameters():
            self._compare("optimizer", Runner.step)

    def _compare(
        self,
        kind: Kind,
        action: Callable[[Runner], Any],
        compared: Callable[..., list[Compared]] = compare_named,
    ) -> bool:
        """Compare what *action* returns on each side, and tell whether neither raised: that differs, too."""
        results, found = [], []
        for side in self.sides:
            try:
                with side.flags:
                    results.append(action(side))
            except Exception as error:
                message = f"the {side.name} side raised {in_one_line(error)}"
                found.append(Compared(kind, f"({side.name})", problem="error", message=message))
        for each in found or compared(kind, base=results[0], control=results[1], precision=self.precision):
            before = self.compared.get((each.kind, each.name))
            if before is None or not each.ok or (each.max_absolute or 0) >= (before.max_absolute or 0):
                self.compared[each.kind, each.name] = replace(each, iteration=self.iterations - 1)
        return not found
