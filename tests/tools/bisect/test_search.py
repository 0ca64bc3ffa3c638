"""The search, a pure function: minimal sets for any culprits, in few trials."""

import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynconf.tools.bisect.search import Search
from dynconf.tools.bisect.trials import Trial, Verdict

Judge = Callable[[frozenset[str]], Verdict]

WEIGHTS = st.lists(st.sampled_from((1, 3, 8)), min_size=1, max_size=24).map(
    lambda weights: {f"f{number}": weight for number, weight in enumerate(sorted(weights, reverse=True))}
)


def searched(weights: dict[str, float], judge: Judge) -> tuple[Search, int]:
    """Return a search that has ended, and the number of trials that it took."""
    trials: list[Trial] = []
    while (wanted := (search := Search(weights, trials)).wanted) is not None:
        trials.append(Trial(tuple(wanted), judge(wanted)))
    return search, len(trials)


def fails_with(*causes: set[str]) -> Judge:
    """Return a judge to whom a set is bad if it contains all flags of a cause."""
    return lambda names: "bad" if any(cause <= names for cause in causes) else "good"


@given(st.data(), WEIGHTS, st.integers(1, 4), st.integers(2, 3))
def test_one_of_several_causes_is_found(data: st.DataObject, weights, count: int, causes: int) -> None:
    """The result fails, and without any one of its flags it does not."""
    names = st.permutations([*weights]).map(lambda each: set(each[:count]))
    judge = fails_with(*(data.draw(names) for _ in range(causes)))
    search, _ = searched(weights, judge)
    found = frozenset(search.failing)
    assert judge(found) == "bad"
    assert all(judge(found - {name}) == "good" for name in found)


@given(WEIGHTS, st.integers(0))
def test_a_failure_that_further_flags_mend_is_minimal_all_the_same(weights, seed: int) -> None:
    """Whatever sets fail besides: it is verified, not concluded."""

    def judge(names: frozenset[str]) -> Verdict:
        if len(names) in (0, len(weights)):
            return "bad" if names else "good"
        return "bad" if random.Random(f"{seed} {sorted(names)}").random() < 0.5 else "good"  # noqa: S311

    search, _ = searched(weights, judge)
    found = frozenset(search.failing)
    assert judge(found) == "bad"
    assert all(judge(found - {name}) == "good" for name in found)


@given(st.data(), WEIGHTS, st.integers(1, 3))
def test_sets_that_cannot_be_judged_are_avoided(data: st.DataObject, weights, count: int) -> None:
    """Two flags that torch refuses to have apart: if one of them is a culprit, both are in the result."""
    names = [*weights, "first", "second"]
    order = data.draw(st.permutations(names))
    culprits = set(data.draw(st.permutations(names))[:count])

    def judge(names: frozenset[str]) -> Verdict:
        if ("first" in names) != ("second" in names):
            return "neither"
        return "bad" if culprits <= names else "good"

    search, _ = searched(dict.fromkeys(order, 1), judge)
    pair = {"first", "second"}
    assert {*search.failing} == (culprits | pair if culprits & pair else culprits)


@pytest.mark.parametrize(("flags", "culprits", "limit"), [(10, 2, 12), (150, 1, 14), (600, 3, 45)])
def test_it_takes_few_trials(flags: int, culprits: int, limit: int) -> None:
    """On average, with the two trials of the ends and without that of a cure; see benchmarks/bisection.py."""
    total = 0
    for seed in range(10):
        weights = {f"f{number}": 1.0 for number in range(flags)}
        wanted = set(random.Random(seed).sample([*weights], culprits))  # noqa: S311
        search, count = searched(weights, fails_with(wanted))
        assert {*search.failing} == wanted
        total += count - 1
    assert total / 10 <= limit


def test_likely_culprits_take_fewer_trials() -> None:
    """A flag that changes kernels is found sooner than one that does not."""
    weights = {f"kernel{number}": 8.0 for number in range(4)} | {
        f"other{number}": 1.0 for number in range(60)
    }
    _, likely = searched(weights, fails_with({"kernel2"}))
    _, unlikely = searched(weights, fails_with({"other40"}))
    assert likely < unlikely


def test_a_search_that_is_ended_early_tells_what_is_known() -> None:
    """The culprits are among the flags that it names, and these are known to fail."""
    weights = {f"f{number}": 1.0 for number in range(64)}
    judge = fails_with({"f3", "f40"})
    trials: list[Trial] = []
    while not (search := Search(weights, trials)).is_minimal:
        assert judge(frozenset(search.failing)) == "bad"
        assert search.wanted is not None
        trials.append(Trial(tuple(search.wanted), judge(search.wanted)))
    assert len(trials) > 12


def test_a_trial_is_asked_for_once() -> None:
    """It is remembered, as those of an earlier search are, which are in any order."""
    weights = dict.fromkeys("abcdefgh", 1.0)
    trials: list[Trial] = []
    while (wanted := Search(weights, trials).wanted) is not None:
        assert wanted not in {frozenset(each.flags) for each in trials}
        trials.append(Trial(tuple(wanted), "bad" if {"b", "g"} <= wanted else "good"))
    assert Search(weights, trials[::-1]).failing == ("g", "b")
    assert Search(weights, trials[::-1]).is_cured
