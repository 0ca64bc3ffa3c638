"""How many trials `dynconf bisect` needs, the two ends included, and how long with two side by side."""

import random
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from statistics import mean

from ratio import Ratio, report

from dynconf.tools.bisect.ahead import Ahead
from dynconf.tools.bisect.search import Search
from dynconf.tools.bisect.trials import Run, Trial

CASES = ((10, 2, 12), (150, 1, 14), (600, 3, 45))
"""The number of flags, that of culprits, and the largest mean number of trials."""

SEEDS = 40


def trials(flags: int, culprits: int, seed: int) -> int:
    """Return how many trials it takes to find random culprits, which fail only together."""
    chance = random.Random(seed)  # noqa: S311  as reproducible as can be
    weights = {f"flag{number}": chance.choice((1, 3, 8)) for number in range(flags)}
    weights = dict(sorted(weights.items(), key=lambda pair: -pair[1]))
    wanted = set(chance.sample([*weights], culprits))
    made: list[Trial] = []
    while not (search := Search(weights, made)).is_minimal:
        assert search.wanted is not None
        made.append(Trial((*search.wanted,), "bad" if wanted <= search.wanted else "good"))
    assert {*search.failing} == wanted
    return len(made)


BUSY = [sys.executable, "-S", "-c", "sum(range(5_000_000))"]
"""A trial that takes a processor, and nothing else."""

FLAGS = {f"flag{number}": weight for number, weight in enumerate([8.0] * 5 + [3.0] * 5 + [1.0] * 10)}
"""Each of them is at fault once."""


class Busy:
    """A run that says that a set with the culprit is bad."""

    def __init__(self, names: frozenset[str], culprit: str) -> None:
        self._run, self._process = Run("bad" if culprit in names else "good"), subprocess.Popen(BUSY)

    def poll(self) -> Run | None:
        """Return how it went, once it has ended."""
        return None if self._process.poll() is None else self._run

    def end(self) -> None:
        """End it."""
        self._process.kill()
        self._process.wait()


def seconds_with(jobs: int) -> float:
    """Return how long it takes to find each of the flags, with so many trials side by side."""
    start = time.perf_counter()
    for culprit in FLAGS:
        search = partial(Search, FLAGS)
        ahead = Ahead(search, partial(Busy, culprit=culprit), jobs=jobs)
        made: list[Trial] = []
        with ahead.interruptible():
            while (names := search(made).wanted) is not None:
                made.append(ahead.trial(names, made))
    return time.perf_counter() - start


def ratios() -> Iterator[Ratio]:
    """Count the trials of each case, the mean over all seeds; and take the time of trials side by side."""
    for flags, culprits, limit in CASES:
        found = mean(trials(flags, culprits, seed) for seed in range(SEEDS))
        name = f"bisecting {flags} flags, {culprits} at fault / each flag"
        yield Ratio(name, found, flags, "trials", found / flags, limit / flags)
    two, one = seconds_with(2), seconds_with(1)
    yield Ratio("bisecting with --jobs 2 / one after the other", two, one, "s", two / one, 0.6)


if __name__ == "__main__":
    report(ratios())
