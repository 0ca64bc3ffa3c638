"""Trials: judging sets of differences by runs that may be noisy.

A run that measures something, or that races, may be bad by chance. So a set is run until one verdict is
*repeat* runs ahead of the other. Where nothing is noisy that is *repeat* runs; where a run errs one time in
ten, three runs ahead are wrong less often than one time in 700, for four runs on average, while the majority
of four runs would be wrong one time in 20. For a measured number this is the verdict of the median.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Literal

Verdict = Literal["good", "bad", "neither"]

_MOST_RUNS = 5
"""How many times *repeat* a set is run at most; then it is neither good nor bad."""


@dataclass(frozen=True, slots=True)
class Run:
    """How one run went."""

    verdict: Verdict
    number: float | None = None  # that it measured
    note: str = ""  # why it is bad or neither, if there is more to say


@dataclass(frozen=True, slots=True)
class Trial:
    """The runs of one set of differences."""

    flags: tuple[str, ...]  # that had their value of the bad state, by newest name
    verdict: Verdict
    numbers: tuple[float, ...] = ()  # that the runs measured
    note: str = ""  # why it is bad or neither, if there is more to say
    agreed: bool = True  # whether all runs had the same verdict

    def __str__(self) -> str:
        measured = f", {median(self.numbers):g}" if self.numbers else ""
        return f"{self.verdict}{measured}{f': {self.note}' if self.note else ''}"


def trial_of(names: Iterable[str], runs: Sequence[Run], repeat: int) -> Trial | None:
    """Return the trial that some runs make; None as long as no verdict is *repeat* of them ahead."""
    votes = Counter(run.verdict for run in runs)
    is_clear = votes["neither"] or abs(votes["good"] - votes["bad"]) >= repeat
    if not is_clear and len(runs) < _MOST_RUNS * repeat:
        return None
    last = runs[-1] if is_clear else Run("neither", note="runs contradict each other")
    numbers = tuple(run.number for run in runs if run.number is not None)
    return Trial(tuple(sorted(names)), last.verdict, numbers, last.note, agreed=len(votes) == 1)


def overlap(good: Trial, bad: Trial) -> str:
    """Say that single runs do not distinguish two states; empty if they do."""
    if good.numbers and bad.numbers:
        low, high = sorted((good.numbers, bad.numbers), key=median)
        if max(low) >= min(high):
            return (
                f"the numbers overlap: {_range(good.numbers)} where it is good,"
                f" {_range(bad.numbers)} where it is bad"
            )
    return "" if good.agreed and bad.agreed else "runs of one state contradict each other"


def _range(numbers: tuple[float, ...]) -> str:
    return f"{min(numbers):g} to {max(numbers):g}"
