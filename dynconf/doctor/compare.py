"""`compare`: one model on two backends, or under two sets of flags, with the same seeds."""

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from dynconf.doctor.failure import in_one_line
from dynconf.doctor.global_state import preserved_process, use_deterministic_algorithms
from dynconf.doctor.runner import (
    AnyBackend,
    Runner,
    counting_backend,
    label,
    refuse_shared_memory,
)
from dynconf.doctor.tensors import Compared, Kind, compare_named, compare_trees
from dynconf.errors import DynconfError
from dynconf.flags.types import Float, Int, OrNone
from dynconf.live.patch import Patch, patch

SEED = 1
"""The seed of the first iteration; each further one has the next number."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What `compare` found.

    Attributes:
        base: What the base side ran on.
        control: What the control side ran on.
        iterations: How many iterations were run; the first one with a difference is the last.
        graphs: How many graphs each side compiled, by ``base`` and ``control``.
        compared: Everything that was compared, each once: in the iteration where it differed, or else was
            furthest off.
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
        """Whether both sides agree, within the tolerances."""
        return not self.differences

    @property
    def differences(self) -> tuple[Compared, ...]:
        """What differs."""
        return tuple(each for each in self.compared if not each.ok)

    @property
    def summary(self) -> str:
        """One line for people."""
        iterations = "1 iteration" if self.iterations == 1 else f"{self.iterations} iterations"
        differing = len(self.differences)
        verdict = f"{differing} of {len(self.compared)} values differ" if differing else "no differences"
        return f"{self.base} against {self.control}, {iterations}: {verdict}"

    def __str__(self) -> str:
        """The summary, and one more line for each difference."""
        return "\n".join([self.summary, *(f"  {each}" for each in self.differences)])

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


def compare(
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
    started: Callable[[str], object] | None = None,
) -> Comparison:
    """Run a model on two backends, or under two sets of flags, and compare everything that comes out.

    Each side gets its own copy of model and inputs, the same seeds, and deterministic algorithms where torch
    has them (a note says where it has none); Inductor draws its random numbers as eager torch does. Each
    iteration compares outputs; inputs (a model may change them), parameters and buffers after the call;
    gradients of parameters and inputs for one random weighting of the outputs; and parameters after one step
    of SGD (learning rate 0.01). An exception on one side is a difference too. Afterwards the process is as it
    was; see `dynconf.doctor.global_state`.

    Args:
        model: An ``nn.Module`` or a function. A module is copied; what a function holds is shared.
        example_inputs: Positional arguments as a tuple or list, keyword arguments as a mapping, or one
            tensor.
        base: What the base side runs on: the name of a registered backend, or a backend itself. ``"eager"``
            is PyTorch without ``torch.compile``, so that Dynamo is compared too; with *base_flags*, which
            only Dynamo reads, it is Dynamo's backend of that name.
        control: What the control side runs on, always under Dynamo.
        base_flags: Flags, as for `dynconf.patch`, for the base side.
        control_flags: Flags for the control side.
        iterations: The number of iterations, at least 1; one with a difference is the last.
        precision: The relative and absolute tolerance; None for one that depends on the dtype. The table,
            and what applies to dtypes that cannot hold the precision, is at
            `dynconf.doctor.tensors.tolerance_for`.
        optimizer: Whether to take steps; without them, each iteration starts from the same parameters.
        started: Called with the name of each iteration before it begins.

    Raises:
        InvalidValueError: The model cannot be copied, its copies share memory, or an argument is wrong.
        DynconfError: A flag is wrong.

    Example:
        >>> import torch
        >>> model = torch.nn.Linear(3, 2)
        >>> compare(model, (torch.randn(4, 3),), control="aot_eager", iterations=2).ok
        True
    """
    import torch

    Int(1).check_argument("iterations", iterations)
    OrNone(Float(0)).check_argument("precision", precision)
    model = getattr(model, "_orig_mod", model)  # what torch.compile has wrapped
    patches = [_patch("base", base_flags), _patch("control", control_flags)]
    plain = base == "eager" and not base_flags
    backends = [None if plain else counting_backend(base), counting_backend(control)]
    recorder = warnings.catch_warnings(record=True)
    with preserved_process(), torch.inference_mode(mode=False), torch.enable_grad(), recorder as recorded:
        warnings.simplefilter("default")
        use_deterministic_algorithms()
        sides = [
            Runner(name, model, example_inputs, backend, flags)
            for name, backend, flags in zip(("base", "control"), backends, patches, strict=True)
        ]
        refuse_shared_memory(sides, model)
        run = _Run(sides, precision)
        while run.iterations < iterations and not run.differs:
            if started is not None:
                started(f"iteration {run.iterations + 1} of {iterations}")
            run.iterate(optimizer=optimizer)
    return Comparison(
        label(base),
        label(control),
        run.iterations,
        {side.name: side.graphs or 0 for side in sides},
        tuple(run.compared.values()),
        (*run.notes, *_limits(sides, recorded)),
    )


@dataclass(slots=True)
class _Run:
    """The iterations, and what they have found so far."""

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


def _patch(side: str, flags: Mapping[str, object] | None) -> Patch:
    try:
        # A side that fails to compile has to fail here, not to run as plain Python.
        return patch({"suppress_errors": False, **(flags or {})})
    except DynconfError as error:
        raise type(error)(f"{side}_flags: {error}", flag=error.flag) from None


def _limits(sides: Iterable[Runner], recorded: Iterable[warnings.WarningMessage]) -> Iterator[str]:
    """Say which side ran without Dynamo, and repeat torch's warnings about nondeterministic operations."""
    for side in sides:
        if side.graphs == 0:
            yield f"the {side.name} side compiled no graph: it ran as plain Python (is Dynamo disabled?)"
    texts = [str(each.message).partition("\n")[0] for each in recorded]
    yield from dict.fromkeys(text for text in texts if "deterministic" in text)
