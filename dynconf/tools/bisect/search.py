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
"""

from collections.abc import Callable, Mapping
from itertools import accumulate, combinations
from typing import Literal

Verdict = Literal["good", "bad", "neither"]

Judge = Callable[[frozenset[str]], Verdict]
"""Tells whether it fails with these differences and no others. It should remember: some sets come twice."""


class Search:
    """A search, which can be looked at whenever it stops: an exception of the judge ends it.

    Args:
        weights: How likely each difference is to take part, by name, the likely ones first. All together are
            known to be bad, and none of them to be good.
        judge: Judges sets of them.
    """

    def __init__(self, weights: Mapping[str, float], judge: Judge) -> None:
        self._weights = weights
        self._judge = judge
        self._found: list[str] = []
        self._candidates = list(weights)
        self.is_minimal = False
        """Whether leaving out any one of `failing` is known to end the failure, or cannot be judged."""

    @property
    def failing(self) -> tuple[str, ...]:
        """The smallest set so far that is known to be bad."""
        return *self._found, *self._candidates

    def run(self) -> None:
        """Search until `failing` is minimal."""
        while self._candidates and self._judge(frozenset(self._found)) != "bad":
            self._find_one()
        self._candidates = []
        while self._drops_needless():
            pass
        self.is_minimal = True

    def _find_one(self) -> None:
        good, bad = 0, len(self._candidates)
        refused: set[int] = set()
        while (middle := self._middle(good, bad, refused)) is not None:
            match self._judge(frozenset((*self._found, *self._candidates[:middle]))):
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
        rests = {name: self._judge(frozenset(self._found) - {name}) for name in self._found}
        stuck = [name for name, verdict in rests.items() if verdict == "neither"]
        for gone in (*((name,) for name in self._found), *combinations(stuck, 2)):
            rest = [name for name in self._found if name not in gone]
            if rest and self._judge(frozenset(rest)) == "bad":
                self._found = rest
                return True
        return False
