"""Trials side by side: while one runs, those that the search will probably ask for next.

The problem: each trial of a search depends on the verdict on the one before, so further processors are idle.

The idea: without its trials, a search takes no time. So it is gone through with the verdicts that are known,
and then, for the trial that is running, with each of the two that it may have. What the search asks for next
is run meanwhile, the likeliest first. Example, two at once, where *f* of eight differences is the culprit::

    none, and all               both ends: asked for whatever the verdicts are
    abcd, and abcdef            good and bad: if the first had been bad, ab would have been next
    abcde, and f                good and bad
    abcdegh                     good: these were all

The search itself asks for one after the other, so its answer and its history are the same for any number at
once. A trial that it can no longer ask for is ended, and leaves no trace.
"""

import heapq
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import count

from dynconf.tools.bisect.search import Verdict
from dynconf.tools.bisect.trials import Make, OutOfTrials, Trial, Trials


class _Asked(Exception):
    """The search asks for a trial that is not known."""

    def __init__(self, names: frozenset[str]) -> None:
        self.names = names


def _ask(names: frozenset[str]) -> Trial:
    raise _Asked(names)


@dataclass(eq=False)
class Ahead(AbstractContextManager["Ahead"]):
    """Makes the trials of a search, up to *jobs* at once.

    Attributes:
        weights: How likely each difference is to take part, by name.
        search: Goes through the whole search with trials that may be made up.
        start: Returns what makes one trial, in a thread, and what ends that early.
        jobs: How many are made at once.
        most: The largest number of trials that the search may ask for.
        known: Trials of an earlier search; those that are made follow them.
    """

    weights: Mapping[str, float]
    search: Callable[[Trials], object]
    start: Callable[[], tuple[Make, Callable[[], object]]]
    jobs: int
    most: int | None = None
    known: Sequence[Trial] = ()

    def __post_init__(self) -> None:
        self._pool = ThreadPoolExecutor(self.jobs)
        self._started: dict[frozenset[str], tuple[Future[Trial], Callable[[], object]]] = {}

    def __exit__(self, *_error: object) -> None:
        self._run_no_others_than(())
        self._pool.shutdown()

    def __call__(self, names: frozenset[str]) -> Trial:
        """Return the trial of the set that the search asks for, while others run."""
        while True:
            self._run_no_others_than(self._wanted())
            if self._started[names][0].done():
                self.known = [*self.known, self._started.pop(names)[0].result()]
                return self.known[-1]
            wait([each for each, _ in self._started.values() if not each.done()], return_when=FIRST_COMPLETED)

    def _run_no_others_than(self, wanted: Sequence[frozenset[str]]) -> None:
        for names, (trial, end) in [*self._started.items()]:
            if names not in wanted and not trial.done():  # one that is done may still be asked for
                del self._started[names]
                if not trial.cancel():
                    end()
        for names in wanted:
            if names not in self._started:
                make, end = self.start()
                self._started[names] = self._pool.submit(make, names), end

    def _wanted(self) -> list[frozenset[str]]:
        """Return the sets whose trials should run now, the one that is asked for first."""
        wanted: list[frozenset[str]] = []
        order = count()
        # What may happen: how likely it is, the likeliest first, and all trials by then.
        courses = [(-1.0, next(order), self.known)]
        while courses and len(wanted) < self.jobs:
            likely, _, trials = heapq.heappop(courses)
            names = self._asked_after(trials)
            if names is None:
                continue
            trial, _ = self._started.get(names, (None, None))
            if wanted and trial and trial.done() and not trial.exception():
                heapq.heappush(courses, (likely, next(order), [*trials, trial.result()]))
                continue
            if names not in wanted:
                wanted.append(names)
            for verdict, share in self._likely_verdicts(names, trials).items():
                if share:
                    course = [*trials, Trial(tuple(names), verdict)]
                    heapq.heappush(courses, (likely * share, next(order), course))
        return wanted

    def _asked_after(self, trials: Iterable[Trial]) -> frozenset[str] | None:
        """Return the set that the search asks for after these trials, if it goes on."""
        try:
            self.search(Trials(_ask, most=self.most, done=trials))
        except _Asked as asked:
            return asked.names
        except OutOfTrials:
            pass
        return None

    def _likely_verdicts(self, names: frozenset[str], trials: Iterable[Trial]) -> dict[Verdict, float]:
        """Return the verdicts that a set may have, and how likely they are, as if one culprit were left."""
        known = {frozenset(each.flags): each.verdict for each in trials}
        everything = frozenset(self.weights)
        bad: Verdict = "good" if known.get(everything) == "good" else "bad"  # it may be the other way round
        good: Verdict = "bad" if bad == "good" else "good"
        working = [each for each, verdict in known.items() if verdict == good]
        failing = [each for each, verdict in known.items() if verdict == bad and names <= each]
        least = min(failing, key=len, default=everything)
        suspects = least.difference(*working)
        if not suspects:  # there are several culprits, some of which are in all these sets
            suspects = least - max((each for each in working if each <= names), key=len, default=frozenset())
        share = self._weight(names & suspects) / (self._weight(suspects) or 1)
        return {good: 1 - share, bad: share}

    def _weight(self, names: frozenset[str]) -> float:
        return sum(self.weights[name] for name in names)
