"""A whole bisection, from two ends to a file that reproduces it: for any culprits, none included."""

import random
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dynconf.catalogue.modules import MODULES, catalogue
from dynconf.provenance import Origin
from dynconf.release import Release
from dynconf.state import SettingValue, State
from dynconf.store.saving import read_state
from dynconf.tools.bisect.ahead import Ahead
from dynconf.tools.bisect.result import BisectResult
from dynconf.tools.bisect.search import Search
from dynconf.tools.bisect.space import Space
from dynconf.tools.bisect.trials import Run, Trial

RELEASE = Release.at_hand()
SETTINGS = [
    setting
    for module in MODULES
    for setting in catalogue(module).at(RELEASE).settings.values()
    if setting.public
    and not setting.inert
    and not setting.rules
    and not setting.flag.risks
    and not setting.is_computed
    and isinstance(setting.default_value(), bool)
][:40]


def space_of(count: int) -> Space:
    """Return a space with so many differences, all of flags that no rule is about."""
    origin = Origin("keyword")
    entries = {each: SettingValue(not each.default_value(), origin) for each in SETTINGS[:count]}
    return Space(State(RELEASE), State(RELEASE, entries), as_data=True)


def searched(space: Space, run, repeat: int = 1, **options: bool) -> tuple[BisectResult, Search]:
    """Return the result of a search to its end."""
    trials: list[Trial] = []
    search = partial(Search, space.weights, **options)
    ahead = Ahead(search, run, repeat=repeat)
    while (wanted := (found := search(trials)).wanted) is not None:
        trials.append(ahead.trial(wanted, trials))
    return BisectResult.of(space, trials, found), found


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    data=st.data(),
    flags=st.integers(4, len(SETTINGS)),
    count=st.integers(0, 4),
    is_noisy=st.booleans(),
    is_flipped=st.booleans(),
)
def test_any_culprits_are_found(
    tmp_path: Path, *, data: st.DataObject, flags: int, count: int, is_noisy: bool, is_flipped: bool
) -> None:
    """With noise and without, whether they make it fail or work: exactly they, and a file that has them."""
    space = space_of(flags)
    culprits = frozenset(data.draw(st.permutations(sorted(space.differences)))[:count])
    chance = random.Random(data.draw(st.integers(0, 99)))  # noqa: S311

    def run(state: State) -> Run:
        values = {each.newest: value for each, (value, _) in state.items()}
        is_bad = count and all(values[name] == space.differences[name].bad.value for name in culprits)
        errs = is_noisy and chance.random() < 0.1
        return Run("bad" if bool(is_bad) ^ is_flipped ^ errs else "good")

    result, found = searched(space, partial(space.run, run), 6 if is_noisy else 1, either_way=True)
    if not count:
        assert ("is the reason, unless" if is_flipped else "matters, unless") in found.problem
        return
    assert (found.problem, found.is_flipped, found.is_cured) == ("", is_flipped, True)
    assert (frozenset(result.flags), result.is_minimal) == (culprits, True)
    result.save(tmp_path / "found.json")
    reproduced = read_state(tmp_path / "found.json", RELEASE).state
    assert {
        each.newest for each, (value, _) in reproduced.items() if value != each.default_value()
    } == culprits


def test_ends_that_cannot_be_judged() -> None:
    """It says which end, and why."""
    for verdicts, words in (
        (("neither", "bad"), "the good state cannot be judged: a reason"),
        (("good", "neither"), "the bad state cannot be judged: a reason"),
        (("bad", "good"), "swap them"),
    ):
        left = iter(verdicts)
        _, found = searched(space_of(4), lambda _, left=left: Run(next(left), note="a reason"))
        assert words in found.problem


@pytest.mark.parametrize("count", [1, 2])
def test_the_summary_counts(count: int) -> None:
    """In the singular and in the plural."""
    space = space_of(count)
    result, _ = searched(space, lambda names: Run("bad" if names == space.differences.keys() else "good"))
    words = {1: "1 of 1 difference decides it", 2: "2 of 2 differences decide it"}
    assert result.summary.startswith(words[count])
