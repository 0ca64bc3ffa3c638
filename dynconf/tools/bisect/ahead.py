"""Trials side by side: while one runs, those that the search will probably ask for next.

The problem: each trial of a search depends on the verdict on the one before, so further processors are idle.

The idea: without its trials, a search takes no time. So it is gone through with the trials that are known,
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
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from typing import Protocol

from dynconf.tools.bisect.search import Search
from dynconf.tools.bisect.trials import Run, Trial, Verdict, trial_of

_PAUSE = 0.01
"""Seconds between two looks at the trials that are going on."""

_ALONE = 0.8
"""How likely a single flag is to be bad: with it, the search asks whether it has found all."""


class GoingOn(Protocol):
    """A run that has begun."""

    def poll(self) -> Run | None:
        """Return it, once it has ended."""

    def end(self) -> None:
        """End it early."""


class Ahead:
    """Makes the trials of a search, up to *jobs* at once, in which a verdict has to lead by *repeat* runs.

    *search* returns the search with some trials, which may be made up; *start* begins a run of a set, or says
    how it went.
    """

    def __init__(
        self,
        search: Callable[[Sequence[Trial]], Search],
        start: Callable[[frozenset[str]], GoingOn | Run],
        *,
        repeat: int = 1,
        jobs: int = 1,
    ) -> None:
        self._search, self._start = search, start
        self._repeat, self._jobs = repeat, jobs
        self._going_on: dict[frozenset[str], tuple[GoingOn | Run, list[Run]]] = {}
        self._made: dict[frozenset[str], Trial] = {}
        self._is_interrupted = False

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        """End all trials in the end, and have signals that ask this process to end do so, too.

        A handler that raised would do so anywhere, between making a folder and noting its name, too. So it
        is for `trial` to raise KeyboardInterrupt. Ignored signals stay ignored, as under nohup. What was
        interrupted takes no further signal: printing what is known is all that is left to do.
        """

        def interrupt(*_: object) -> None:
            self._is_interrupted = True

        numbers = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
        wanted = [number for number in numbers if signal.getsignal(number) is not signal.SIG_IGN]
        before = {number: signal.signal(number, interrupt) for number in wanted}
        try:
            yield
        finally:
            self._let_go_on(())
            if not self._is_interrupted:
                for number, handler in before.items():
                    signal.signal(number, handler)

    def trial(self, names: frozenset[str], known: Sequence[Trial]) -> Trial:
        """Return the trial that the search asks for after those that are known, while others go on.

        What was interrupted raises KeyboardInterrupt.
        """
        while names not in self._made:
            self._let_go_on(self._wanted(known))
            while not (self._is_interrupted or self._look()):
                time.sleep(_PAUSE)
            if self._is_interrupted:
                raise KeyboardInterrupt
        return self._made.pop(names)

    def _let_go_on(self, wanted: Sequence[frozenset[str]]) -> None:
        """Begin these trials, unless they go on or are made, and end all others."""
        for names in self._going_on.keys() - wanted:
            process, _ = self._going_on.pop(names)
            if not isinstance(process, Run):
                process.end()
        for names in wanted:
            if names not in self._going_on and names not in self._made:
                self._going_on[names] = self._start(names), []

    def _look(self) -> bool:
        """Look which runs have ended, and begin the next ones; tell whether any has."""
        has_ended = False
        for names, (process, runs) in [*self._going_on.items()]:
            if run := process if isinstance(process, Run) else process.poll():
                has_ended = True
                del self._going_on[names]  # what has ended is not ended again
                runs.append(run)
                if trial := trial_of(names, runs, self._repeat):
                    self._made[names] = trial
                else:
                    self._going_on[names] = self._start(names), runs
        return has_ended

    def _wanted(self, known: Sequence[Trial]) -> list[frozenset[str]]:
        """Return the sets whose trials should go on now, the one that is asked for first."""
        wanted: list[frozenset[str]] = []
        order = count()
        # What may happen: how likely it is, the likeliest first, and all trials by then.
        courses = [(-1.0, next(order), known)]
        while courses and len(wanted) < self._jobs:
            likely, _, trials = heapq.heappop(courses)
            search = self._search(trials)
            names = search.wanted
            if names is None:
                continue
            if names in self._made:
                heapq.heappush(courses, (likely, next(order), [*trials, self._made[names]]))
                continue
            if names not in wanted:
                wanted.append(names)
            verdicts: list[Verdict] = ["good", "bad"]  # as without what takes part, and as with it
            if search.is_flipped:
                verdicts.reverse()
            # What halves the search is good as often as bad. A flag alone has been found to take part.
            share = _ALONE if len(names) == 1 else 0.5
            for verdict, its_share in zip(verdicts, (1 - share, share)):
                course = [*trials, Trial(tuple(names), verdict)]
                heapq.heappush(courses, (likely * its_share, next(order), course))
        return wanted
