"""`compare`: one model on two backends, or under two configs, under the same seeds."""

import math
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from dynconf.checks.failure import in_one_line
from dynconf.checks.global_state import be_deterministic, undisturbed
from dynconf.checks.sides import (
    AnyBackend,
    Side,
    copies,
    counting,
    differentiable,
    label,
    refuse_shared_memory,
)
from dynconf.checks.tensors import Compared, Kind, compare_named, compare_trees
from dynconf.errors import DynconfError, InvalidValueError
from dynconf.live.patch import Patch, patch
from dynconf.values import shown

SEED = 1
"""The seed of the first iteration; each further one has the next number."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What `compare` found.

    Attributes:
        base: What the base side ran on.
        control: What the control side ran on.
        iterations: How many iterations were run; the first that shows a difference is the last one.
        graphs: How many graphs each side compiled, by ``base`` and ``control``.
        compared: Everything that was compared, each once: where it differed, else where it was furthest off.
        notes: What limits the comparison, for people.
    """

    base: str
    control: str
    iterations: int
    graphs: Mapping[str, int]
    compared: tuple[Compared, ...]
    notes: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether both sides are the same, within the tolerances."""
        return not self.differences

    @property
    def differences(self) -> tuple[Compared, ...]:
        """What differs."""
        return tuple(each for each in self.compared if not each.ok)

    def __str__(self) -> str:
        """Say it in a line, and each difference in one more."""
        verdict = (
            f"{len(self.differences)} of {len(self.compared)} differ" if self.differences else "the same"
        )
        head = f"{self.base} against {self.control}, {self.iterations} iteration(s): {verdict}"
        return "\n".join([head, *(f"  {each}" for each in self.differences)])

    def as_json(self) -> dict[str, Any]:
        """Return the whole as a JSON object."""
        return {
            "ok": self.ok,
            "base": self.base,
            "control": self.control,
            "iterations": self.iterations,
            "graphs": dict(self.graphs),
            "notes": list(self.notes),
            "differences": [each.as_json() for each in self.differences],
            "compared": [each.as_json() for each in self.compared],
        }


def compare(  # noqa: PLR0913  each keyword is one plain question about the comparison
    model: Callable[..., Any],
    example_inputs: Any,
    *,
    base: AnyBackend = "eager",
    control: AnyBackend = "inductor",
    base_flags: Mapping[str, object] | None = None,
    control_flags: Mapping[str, object] | None = None,
    iterations: int = 10,
    precision: float | None = 1e-4,
    optimizer: bool = True,
) -> Comparison:
    """Run a model on two backends, or under two configs, and compare all that comes out.

    Each side gets its own copy of model and inputs, the same seeds, deterministic algorithms where torch has
    them (a note says where it has not), and Inductor's random numbers are torch's own. Each iteration
    compares outputs, inputs (a model may change them), parameters and buffers after the call; gradients of
    parameters and inputs for one random weighting of the outputs; and parameters after one step of SGD
    (learning rate 0.01). An exception on one side is a difference too. The process is as before afterwards:
    see `dynconf.checks.global_state`.

    Args:
        model: An ``nn.Module`` or a function. A module is copied; what a function keeps is shared.
        example_inputs: Positional arguments as a tuple or list, keyword arguments as a mapping, or one
            tensor.
        base: What the base side runs on: a registered backend, or one itself. ``"eager"`` is PyTorch
            without ``torch.compile``, so that what Dynamo does is compared too; given flags, which Dynamo
            alone reads, it is Dynamo's backend of that name.
        control: What the control side runs on, always under Dynamo.
        base_flags: Flags for `dynconf.patch` while the base side runs.
        control_flags: The same for the control side.
        iterations: How often, at most; an iteration with a difference is the last one.
        precision: The relative and absolute tolerance; None for one by dtype. See
            `dynconf.checks.tensors.tolerance_for`, which has the table, and what counts for the dtypes that
            cannot hold the precision.
        optimizer: Whether to take steps; without, each iteration starts from the same parameters.

    Raises:
        InvalidValueError: The model cannot be copied, its copies share memory, or an argument is wrong.
        DynconfError: A flag is.

    Example:
        >>> import torch
        >>> model = torch.nn.Linear(3, 2)
        >>> compare(model, (torch.randn(4, 3),), control="aot_eager", iterations=2).ok
        True
    """
    import torch  # noqa: PLC0415

    _check_arguments(iterations, precision)
    patches = [
        _patch(flags or {}, which) for flags, which in ((base_flags, "base"), (control_flags, "control"))
    ]
    plain = base == "eager" and not base_flags
    backends = [None if plain else counting(base), counting(control)]
    heard = warnings.catch_warnings(record=True)
    with undisturbed(), torch.inference_mode(mode=False), torch.enable_grad(), heard as said:
        warnings.simplefilter("default")
        be_deterministic()
        sides = [
            Side(name, copies(model, example_inputs), backend, flags)
            for name, backend, flags in zip(("base", "control"), backends, patches, strict=True)
        ]
        refuse_shared_memory(sides, model)
        run = _Run(sides[0], sides[1], precision, optimizer=optimizer)
        while run.iterations < iterations and not run.differs:
            run.iterate()
    return Comparison(
        label(base),
        label(control),
        run.iterations,
        {side.name: side.graphs for side in sides},
        tuple(run.compared.values()),
        (*run.notes, *_uncompiled(sides), *_not_deterministic(said)),
    )


class _Run:
    """The iterations, and what they found so far."""

    def __init__(self, base: Side, control: Side, precision: float | None, *, optimizer: bool) -> None:
        self.compared: dict[tuple[Kind, str], Compared] = {}
        self.notes: list[str] = []
        self._base, self._control = base, control
        self._precision = precision
        self._optimizer = optimizer
        self.iterations = 0

    @property
    def differs(self) -> bool:
        return any(not each.ok for each in self.compared.values())

    def iterate(self) -> None:
        """Run both sides once, compare, and stop where going on would only repeat what is found."""
        number = SEED + self.iterations
        self.iterations += 1
        base, control = self._base, self._control
        for side in (base, control):
            side.forget_gradients()
        outputs = self._on_both("forward", lambda side: side.forward(number))
        if outputs is None:
            return
        self._keep(compare_trees("forward", "output", outputs["base"], outputs["control"], self._precision))
        self._compare_by_name("input", Side.inputs)
        self._compare_by_name("parameter", Side.parameters)
        self._compare_by_name("buffer", Side.buffers)
        if any(each.problem not in (None, "values") for each in self.compared.values()):
            return
        if not differentiable(outputs["base"]) and not differentiable(outputs["control"]):
            self._note("no output takes a gradient: gradients and the optimizer's step were not compared")
            return
        if self._on_both("gradient", lambda side: side.backward(outputs[side.name], number)) is None:
            return
        self._compare_by_name("gradient", Side.gradients)
        steps = self._optimizer and base.parameters()
        if steps and self._on_both("optimizer", Side.step) is not None:
            self._compare_by_name("optimizer", Side.parameters)

    def _on_both(self, kind: Kind, action: Callable[[Side], Any]) -> dict[str, Any] | None:
        """Return what *action* gives on each side; None where it raises, which is a difference."""
        results = {}
        for side in (self._base, self._control):
            try:
                with side.flags:
                    results[side.name] = action(side)
            except Exception as error:  # noqa: BLE001  what a model raises is what it does there
                message = f"the {side.name} side raised {in_one_line(error)}"
                self._keep([Compared(kind, f"({side.name})", problem="error", message=message)])
        return results if len(results) == 2 else None  # noqa: PLR2004  both sides

    def _compare_by_name(self, kind: Kind, tensors: Callable[[Side], dict[str, Any]]) -> None:
        self._keep(compare_named(kind, tensors(self._base), tensors(self._control), self._precision))

    def _keep(self, found: list[Compared]) -> None:
        for each in found:
            before = self.compared.get((each.kind, each.name))
            if before is None or not each.ok or (each.max_absolute or 0) >= (before.max_absolute or 0):
                self.compared[each.kind, each.name] = replace(each, iteration=self.iterations - 1)

    def _note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)


def _check_arguments(iterations: object, precision: object) -> None:
    if isinstance(iterations, bool) or not isinstance(iterations, int) or iterations < 1:
        raise InvalidValueError(
            f"iterations: {shown(iterations)} is not valid: expected an integer of at least 1"
        )
    number = isinstance(precision, (int, float)) and not isinstance(precision, bool)
    if precision is not None and not (number and 0 <= precision < math.inf):  # type: ignore[operator]
        raise InvalidValueError(
            f"precision: {shown(precision)} is not valid: expected a number from 0 on, or None"
        )


def _patch(flags: Mapping[str, object], which: str) -> Patch:
    try:
        # A side that fails to compile shall say so, not run as plain Python.
        return patch({"suppress_errors": False, **flags})
    except DynconfError as error:
        raise type(error)(f"{which}_flags: {error}") from None


def _uncompiled(sides: list[Side]) -> list[str]:
    return [
        f"the {side.name} side compiled no graph: it ran as plain Python (is Dynamo disabled?)"
        for side in sides
        if side.compiles and not side.graphs
    ]


def _not_deterministic(said: Iterable[warnings.WarningMessage]) -> list[str]:
    """Return what torch said of operations that it cannot make deterministic; other warnings are left out."""
    texts = [str(each.message).partition("\n")[0] for each in said]
    return list(dict.fromkeys(text for text in texts if "deterministic" in text))
