"""The result of `compare`. It loads without torch, so that the command line can import its types."""

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from dynconf.text import html_table, json_text

HEADERS = ("kind", "name", "shape", "dtype", "max abs", "max rel", "differ", "first", "verdict")
"""The columns of a table of compared values."""

Kind = Literal["forward", "input", "parameter", "buffer", "gradient", "optimizer"]
"""Where a value comes from: outputs; inputs, parameters and buffers after the call; gradients; parameters
after the optimizer's step."""

Problem = Literal["values", "shape", "dtype", "device", "structure", "missing", "error"]
"""How two values differ; ``error`` means that a side raised an exception."""


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How far a value may be from the base: ``absolute + relative * |base|``."""

    relative: float
    absolute: float


@dataclass(frozen=True, slots=True)
class ValueComparison:
    """One value that both sides computed, and how it compares.

    Attributes:
        kind: Where the value comes from.
        name: The parameter's name, or the path to an output such as ``output['loss'][0]``.
        iteration: The iteration that the numbers are from, counted from 0.
        problem: How the two sides differ; None if they agree.
        message: The difference in words; empty if they agree.
        shape: Its shape on the base side; None if it is not a tensor.
        dtype: Its dtype on the base side, such as ``float32``.
        max_absolute: The largest ``|control - base|``; NaN if only one side has a NaN somewhere.
        max_relative: The largest ``|control - base| / |base|``; infinite if the base is 0.
        mismatched: The share of elements out of tolerance, 0 to 1.
        first: The index of the first of them.
        tolerance: The tolerance that was applied.
    """

    kind: Kind
    name: str
    iteration: int = 0
    problem: Problem | None = None
    message: str = ""
    shape: tuple[int, ...] | None = None
    dtype: str | None = None
    max_absolute: float | None = None
    max_relative: float | None = None
    mismatched: float | None = None
    first: tuple[int, ...] | None = None
    tolerance: Tolerance | None = None

    @property
    def ok(self) -> bool:
        """Whether both sides agree."""
        return self.problem is None

    def __str__(self) -> str:
        return f"{self.kind} {self.name}: {self.message or 'the same'}"

    def row(self) -> tuple[str, ...]:
        """Return the cells of a table with `HEADERS`."""
        numbers = ("", "", "")
        if self.max_absolute is not None:
            numbers = (f"{self.max_absolute:.3g}", f"{self.max_relative:.3g}", f"{self.mismatched:.1%}")
        verdict = "the same" if self.ok else "differs" if self.max_absolute is not None else self.message
        shape, first = ("" if each is None else str(list(each)) for each in (self.shape, self.first))
        return self.kind, self.name, shape, self.dtype or "", *numbers, first, verdict

    def as_json(self) -> dict[str, Any]:
        """Return the attributes as a JSON object; NaN and infinity, which JSON lacks, as text."""
        data: dict[str, Any] = json.loads(json_text(dataclasses.asdict(self)))
        return data


@dataclass(frozen=True, slots=True)
class Comparison:
    """The result of `compare`.

    Attributes:
        base: The backend of the base side.
        control: The backend of the control side.
        iterations: How many iterations ran; the first one with a difference is the last.
        graphs: How many graphs each side compiled, by ``base`` and ``control``.
        compared: Every value that was compared, once: from the iteration in which it differed, or else from
            the one in which it was furthest off.
        notes: The limits of the comparison, for people.
    """

    base: str
    control: str
    iterations: int
    graphs: Mapping[str, int]
    compared: tuple[ValueComparison, ...]
    notes: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether both sides agree, within the tolerances."""
        return not self.differences

    @property
    def differences(self) -> tuple[ValueComparison, ...]:
        """The values that differ."""
        return tuple(each for each in self.compared if not each.ok)

    @property
    def summary(self) -> str:
        """One line for people."""
        iterations = "1 iteration" if self.iterations == 1 else f"{self.iterations} iterations"
        differing = len(self.differences)
        verdict = f"{differing} of {len(self.compared)} values differ" if differing else "no differences"
        return f"{self.base} against {self.control}, {iterations}: {verdict}"

    def _repr_html_(self) -> str:
        rows = [each.row() for each in self.differences or self.compared]
        return html_table(self.summary, rows, "; ".join(self.notes), HEADERS)

    def __str__(self) -> str:
        """The summary, and one more line for each difference."""
        return "\n".join([self.summary, *(f"  {each}" for each in self.differences)])

    def as_json(self) -> dict[str, Any]:
        """Return the whole as a JSON object."""
        return {
            "ok": self.ok,
            **dataclasses.asdict(self),
            "differences": [each.as_json() for each in self.differences],
            "compared": [each.as_json() for each in self.compared],
        }
