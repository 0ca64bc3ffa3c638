"""Tests of `dynconf.catalogue.modules.often_set`."""

import csv
from collections import Counter
from pathlib import Path

from dynconf.catalogue.modules.often_set import OFTEN_SET
from dynconf.catalogue.names import find
from dynconf.release import RELEASES, Release

COUNTED = Path(__file__).parents[3] / "benchmarks" / "flags_set.tsv"


def acts_and_is_plain(name: str) -> bool:
    """Tell whether the newest torch acts on the flag, and its value is no object."""
    setting = find(name, Release.named(RELEASES[-1]))
    return setting is not None and not setting.inert and not setting.type.names_objects


def test_they_are_the_thirty_that_most_repositories_set() -> None:
    """The first is set by the most; of those that equally many set, the one that is set at more places."""
    repositories: Counter[str] = Counter()
    places: Counter[str] = Counter()
    with COUNTED.open(newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            repositories[row["flag"]] += 1
            places[row["flag"]] += int(row["places"])
    ranked = sorted(
        filter(acts_and_is_plain, repositories), key=lambda each: (-repositories[each], -places[each])
    )
    assert list(OFTEN_SET.items()) == [(each, repositories[each]) for each in ranked[:30]]
