"""How many trials `dynconf bisect` needs, the two ends included, and how long with two side by side."""

import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from statistics import mean

from ratio import Ratio, report

from dynconf.tools.bisect.ahead import Ahead
from dynconf.tools.bisect.search import Search
from dynconf.tools.bisect.trials import Make, Run, Trials, repeated

CASES = ((10, 2, 12), (150, 1, 14), (600, 3, 45))
"""The number of flags, that of culprits, and the largest mean number of trials."""

SEEDS = 40


def trials(flags: int, culprits: int, seed: int) -> int:
    """Return how many trials it takes to find random culprits, which fail only together."""
    chance = random.Random(seed)  # noqa: S311  as reproducible as can be
    weights = {f"flag{number}": chance.choice((1, 3, 8)) for number in range(flags)}
    weights = dict(sorted(weights.items(), key=lambda pair: -pair[1]))
    wanted = set(chance.sample([*weights], culprits))
    judged = Trials(repeated(lambda names: Run("bad" if wanted <= names else "good")))
    for end in (frozenset[str](), frozenset(weights)):
        judged.judge(end)
    search = Search(weights, judged.judge)
    search.run()
    assert {*search.failing} == wanted
    return len(judged.history)


BUSY = [sys.executable, "-S", "-c", "sum(range(5_000_000))"]
"""A trial that takes a processor, and nothing else."""

FLAGS = {f"flag{number}": weight for number, weight in enumerate([8.0] * 5 + [3.0] * 5 + [1.0] * 10)}
"""Each of them is at fault once."""


def search(judged: Trials) -> None:
    """Ask for the trials of a search, as the command does."""
    for end in (frozenset[str](), frozenset(FLAGS)):
        judged.judge(end)
    found = Search(FLAGS, judged.judge)
    found.run()
    judged.judge(frozenset(FLAGS).difference(found.failing))


def seconds_with(jobs: int) -> float:
    """Return how long it takes to find each of the flags, with so many trials side by side."""

    def run(names: frozenset[str], process: subprocess.Popen[bytes], culprit: str) -> Run:
        process.wait()
        return Run("bad" if culprit in names else "good")

    start = time.perf_counter()
    for culprit in FLAGS:

        def begin(culprit: str = culprit) -> tuple[Make, Callable[[], None]]:
            process = subprocess.Popen(BUSY)
            return repeated(partial(run, process=process, culprit=culprit)), process.kill

        with Ahead(FLAGS, search, begin, jobs) as ahead:
            search(Trials(ahead))
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
