"""Trials: judging sets of differences by runs that may be noisy, each set once, within a budget.

A run that measures something, or that races, may be bad by chance. So a set is run until one verdict is
*repeat* runs ahead of the other. Where nothing is noisy that is *repeat* runs; where a run errs one time in
ten, three runs ahead are wrong less often than one time in 700, for four runs on average, while the majority
of four runs would be wrong one time in 20. For a measured number this is the verdict of the median.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from statistics import median

from dynconf.tools.bisect.search import Verdict

_MOST_RUNS = 5
"""How many times *repeat* a set is run at most; then it is neither good nor bad."""

_OPPOSITE: dict[Verdict, Verdict] = {"good": "bad", "bad": "good", "neither": "neither"}


@dataclass(frozen=True, slots=True)
class Run:
    """One run.

    Attributes:
        verdict: How it went.
        number: The number that it measured, if it measured one.
        note: Why it is bad or neither, if there is more to say.
    """

    verdict: Verdict
    number: float | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Trial:
    """The runs of one set of differences.

    Attributes:
        flags: The flags that had their value of the bad state, by newest name.
        verdict: How they went.
        numbers: The numbers that they measured.
        note: Why it is bad or neither, if there is more to say.
        agreed: Whether all runs had the same verdict.
    """

    flags: tuple[str, ...]
    verdict: Verdict
    numbers: tuple[float, ...] = ()
    note: str = ""
    agreed: bool = True

    def __str__(self) -> str:
        measured = f", {median(self.numbers):g}" if self.numbers else ""
        return f"{self.verdict}{measured}{f': {self.note}' if self.note else ''}"


class OutOfTrials(Exception):
    """The budget is spent."""


Make = Callable[[frozenset[str]], Trial]
"""Tries a set of differences."""


def repeated(run: Callable[[frozenset[str]], Run], repeat: int = 1) -> Make:
    """Return what tries a set by as many runs as needed for one verdict to be *repeat* of them ahead."""

    def make(names: frozenset[str]) -> Trial:
        runs: list[Run] = []
        votes: Counter[Verdict] = Counter()
        verdict: Verdict = "neither"
        while len(runs) < _MOST_RUNS * repeat:
            runs.append(run(names))
            votes[runs[-1].verdict] += 1
            if votes["neither"] or abs(votes["good"] - votes["bad"]) >= repeat:
                verdict = runs[-1].verdict
                break
        note = runs[-1].note if verdict == runs[-1].verdict else "runs contradict each other"
        numbers = tuple(run.number for run in runs if run.number is not None)
        return Trial(tuple(sorted(names)), verdict, numbers, note, agreed=len(votes) == 1)

    return make


@dataclass(eq=False)
class Trials:
    """Judges sets of names, each of which is tried once.

    Attributes:
        make: Tries the set with these names.
        most: The largest number of sets to try; None for no limit.
        done: Trials of an earlier search, which are not repeated.
        report: Called with the names before each trial, and with the trial after it.
        is_flipped: Whether bad means: as without all differences.
    """

    make: Make
    most: int | None = None
    done: Iterable[Trial] = ()
    report: Callable[[frozenset[str] | Trial], object] = lambda _: None
    is_flipped: bool = False

    def __post_init__(self) -> None:
        self._known = {frozenset(trial.flags): trial for trial in self.done}

    @property
    def history(self) -> list[Trial]:
        """All trials, in their order."""
        return list(self._known.values())

    def trial(self, names: frozenset[str]) -> Trial:
        """Return the trial of a set, which is made if it was not yet."""
        if names not in self._known:
            if self.most is not None and len(self._known) >= self.most:
                raise OutOfTrials
            self.report(names)
            self._known[names] = made = self.make(names)
            self.report(made)
        return self._known[names]

    def judge(self, names: frozenset[str]) -> Verdict:
        """Return the verdict on a set, in which bad means: as with all differences."""
        verdict = self.trial(names).verdict
        return _OPPOSITE[verdict] if self.is_flipped else verdict


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
