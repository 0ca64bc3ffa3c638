"""The smallest set of differences that makes something fail.

The problem: there are up to some hundred differences, each trial takes minutes, and any few of them may be
the culprits, alone or together. Halving finds one culprit, but two that fail only together are never in the
same half. Delta debugging finds those too, with many trials.

The idea: try the first so many differences, and find by halving how many it takes until it fails. The last
one of these takes part in the failure. It stays from then on, and those behind it are of no interest any
more. Example, eight differences, of which *c* and *f* fail only together:

========================  ==========  ========================================================================
tried                     verdict     and then
========================  ==========  ========================================================================
a b c d                   good        it takes more of them
a b c d e f               bad         it takes at most these
a b c d e                 good        so *f* takes part, and *g* and *h* are of no interest
f                         good        it takes others besides
a b f                     good        it takes more of them
a b c f                   bad         so *c* takes part
c f                       bad         these are all
c                         good        and *f* is needed; that *c* is needed is known from *f* alone
========================  ==========  ========================================================================

So a culprit takes log2(n) trials and two more. Likely culprits come first and count more: a half is one of
the weight, not of the number. A set that cannot be judged, such as one that torch refuses, is neither good
nor bad: the search cuts a little before or behind it. If there is no such place, differences that cannot be
judged apart are taken together, and dropped together in the end if they are not needed.

Nothing requires that a larger set fails whenever a smaller one does. The last lines of the table are always
tried, and a difference that is not needed is dropped.

Without its trials, a search takes no time. So it has no state: it is gone through from the start, with the
trials that are known, up to the first that is not.
"""

from collections.abc import Iterable, Mapping
from itertools import accumulate, combinations

from dynconf.tools.bisect.trials import Trial, Verdict

_OPPOSITE: dict[Verdict, Verdict] = {"good": "bad", "bad": "good", "neither": "neither"}

_OWN = "unless the program sets one itself, which counts in every trial: remove that from a copy"


class _Unknown(Exception):
    """The search asks for a trial that is not known."""

    def __init__(self, names: frozenset[str]) -> None:
        self.names = names


class Search:
    """A search, as far as the trials that are known allow.

    Args:
        weights: How likely each difference is to take part, by name, the likely ones first.
        trials: The trials so far.
        either_way: Whether the two ends may be exchanged: bad then means as with all differences.
    """

    def __init__(
        self, weights: Mapping[str, float], trials: Iterable[Trial] = (), *, either_way: bool = False
    ) -> None:
        self._weights = weights
        self._known = {frozenset(each.flags): each for each in trials}
        self._found: list[str] = []
        self._candidates = list(weights)
        self.wanted: frozenset[str] | None = None  # the set to try next; None once the search has ended
        self.ends: tuple[Trial, Trial] | None = None  # without any difference and with all, once known
        self.problem = ""  # why there is nothing to search, if the two ends are no good and bad one
        self.is_flipped = False  # whether the ends are exchanged
        self.is_minimal = False  # whether leaving out any of `failing` ends the failure, or cannot be judged
        self.is_cured: bool | None = None  # whether all but those in `failing` are good, if that is known
        try:
            self._go_through(either_way=either_way)
        except _Unknown as unknown:
            self.wanted = unknown.names

    @property
    def failing(self) -> tuple[str, ...]:
        """The smallest set so far that is known to be bad, if both ends are as they should be."""
        return *self._found, *self._candidates

    def _trial(self, names: Iterable[str]) -> Trial:
        trial = self._known.get(names := frozenset(names))
        if trial is None:
            raise _Unknown(names)
        return trial

    def _judge(self, names: Iterable[str]) -> Verdict:
        """Return the verdict on a set, in which bad means: as with all differences."""
        verdict = self._trial(names).verdict
        return _OPPOSITE[verdict] if self.is_flipped else verdict

    def _go_through(self, *, either_way: bool) -> None:
        self.ends = good, bad = self._trial(()), self._trial(self._weights)
        self.is_flipped = either_way and (good.verdict, bad.verdict) == ("bad", "good")
        if not self.is_flipped:
            self.problem = _why_not_searched(good, bad)
        if self.problem:
            return
        while self._candidates and self._judge(self._found) != "bad":
            self._find_one()
        self._candidates = []
        while self._drops_needless():
            pass
        self.is_minimal = True
        self.is_cured = self._judge(self._weights.keys() - self._found) == "good"

    def _find_one(self) -> None:
        good, bad = 0, len(self._candidates)
        refused: set[int] = set()
        while (middle := self._middle(good, bad, refused)) is not None:
            match self._judge((*self._found, *self._candidates[:middle])):
                case "bad":
                    bad = middle
                    del self._candidates[middle:]
                case "good":
                    good = middle
                case "neither":
                    refused.add(middle)
        # More than one only if no set between them can be judged.
        self._found += self._candidates[good:]
        del self._candidates[good:]

    def _middle(self, good: int, bad: int, refused: set[int]) -> int | None:
        """Return the number of candidates that splits the weight between two numbers best, if any does."""
        sums = [0, *accumulate(self._weights[name] for name in self._candidates)]
        half = (sums[good] + sums[bad]) / 2
        between = (number for number in range(good + 1, bad) if number not in refused)
        return min(between, key=lambda number: abs(sums[number] - half), default=None)

    def _drops_needless(self) -> bool:
        """Drop a difference without which it fails, or two that cannot be judged apart; tell if it did."""
        rests = {name: self._judge({*self._found} - {name}) for name in self._found}
        stuck = [name for name, verdict in rests.items() if verdict == "neither"]
        for gone in (*((name,) for name in self._found), *combinations(stuck, 2)):
            rest = [name for name in self._found if name not in gone]
            if rest and self._judge(rest) == "bad":
                self._found = rest
                return True
        return False


def _why_not_searched(good: Trial, bad: Trial) -> str:
    """Say why there is nothing to search between two ends; empty if there is."""
    match good.verdict, bad.verdict:
        case "good", "bad":
            return ""
        case "bad", "good":
            return "it fails in the good state and not in the bad one: swap them"
        case "neither", _:
            return f"the good state cannot be judged: {good.note}"
        case _, "neither":
            return f"the bad state cannot be judged: {bad.note}"
        case "bad", _:
            why = f" ({good.note})" if good.note else ""
            return (
                f"it fails in the good state, too{why}: no difference between the two is the reason, {_OWN}"
            )
        case _:
            return f"it does not fail in the bad state either: no difference between the two matters, {_OWN}"
