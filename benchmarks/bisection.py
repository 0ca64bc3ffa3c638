"""How many trials `dynconf bisect` needs, the two ends included, compared with a trial for each flag."""

import random
from collections.abc import Iterator
from statistics import mean

from ratio import Ratio, report

from dynconf.tools.bisect.search import Search
from dynconf.tools.bisect.trials import Run, Trials

CASES = ((10, 2, 12), (150, 1, 14), (600, 3, 45))
"""The number of flags, that of culprits, and the largest mean number of trials."""

SEEDS = 40


def trials(flags: int, culprits: int, seed: int) -> int:
    """Return how many trials it takes to find random culprits, which fail only together."""
    chance = random.Random(seed)  # noqa: S311  as reproducible as can be
    weights = {f"flag{number}": chance.choice((1, 3, 8)) for number in range(flags)}
    weights = dict(sorted(weights.items(), key=lambda pair: -pair[1]))
    wanted = set(chance.sample([*weights], culprits))
    judged = Trials(lambda names: Run("bad" if wanted <= names else "good"))
    for end in (frozenset[str](), frozenset(weights)):
        judged.judge(end)
    search = Search(weights, judged.judge)
    search.run()
    assert {*search.failing} == wanted
    return len(judged.history)


def ratios() -> Iterator[Ratio]:
    """Count the trials of each case: the mean over all seeds."""
    for flags, culprits, limit in CASES:
        found = mean(trials(flags, culprits, seed) for seed in range(SEEDS))
        name = f"bisecting {flags} flags, {culprits} at fault / each flag"
        yield Ratio(name, found, flags, "trials", found / flags, limit / flags)


if __name__ == "__main__":
    report(ratios())
