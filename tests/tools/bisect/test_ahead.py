"""Trials side by side: the same search as one after the other, in less time."""

import random
import threading
from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dynconf.tools.bisect.ahead import Ahead
from dynconf.tools.bisect.search import Search, Verdict
from dynconf.tools.bisect.trials import Make, OutOfTrials, Run, Trial, Trials, repeated

WEIGHTS = st.lists(st.sampled_from((1, 3, 8)), min_size=1, max_size=12).map(
    lambda weights: {f"f{number}": weight for number, weight in enumerate(sorted(weights, reverse=True))}
)


def verdict(seed: int, culprits: set[str], names: frozenset[str]) -> Verdict:
    """Return the verdict on a set: now and then it cannot be judged, or fails without the culprits."""
    chance = random.Random(f"{seed} {sorted(names)}").random()  # noqa: S311
    if seed and 0 < chance < 0.2:
        return "neither" if chance < 0.1 else "bad"
    return "bad" if culprits <= names else "good"


def search(weights: dict[str, float], trials: Trials) -> tuple[str, ...]:
    """Search as the command does: both ends, the search, and the rest."""
    everything = frozenset(weights)
    if {trials.judge(frozenset()), trials.judge(everything)} != {"good", "bad"}:
        return ()
    trials.is_flipped = trials.judge(everything) == "good"
    found = Search(weights, trials.judge)
    found.run()
    trials.judge(everything.difference(found.failing))
    return found.failing


@settings(deadline=None)
@given(st.data(), WEIGHTS, st.integers(0, 9), st.integers(1, 4), st.none() | st.integers(2, 9), st.booleans())
def test_the_answer_and_all_trials_are_those_of_one_after_the_other(
    data, weights, seed, jobs, most, flipped
) -> None:
    """In the same order, whatever fails, cannot be judged, is the other way round, or exceeds the budget."""
    names = st.permutations([*weights]).map(lambda each: set(each[: 1 + seed % 3]))
    culprits = data.draw(names)

    def run(names: frozenset[str]) -> Run:
        found = verdict(seed, culprits, names)
        return Run({"good": "bad", "bad": "good"}.get(found, found) if flipped else found)

    def searched(trials: Trials) -> tuple[tuple[str, ...] | None, list[Trial]]:
        try:
            return search(weights, trials), trials.history
        except OutOfTrials:
            return None, trials.history

    with Ahead(weights, partial(search, weights), lambda: (repeated(run), print), jobs, most) as ahead:
        assert searched(Trials(ahead, most=most)) == searched(Trials(repeated(run), most=most))


def test_a_trial_that_the_search_can_no_longer_ask_for_is_ended() -> None:
    """At once; and no more run than wanted."""
    weights = dict.fromkeys("abcdefgh", 1.0)
    one_by_one = Trials(repeated(lambda names: Run("bad" if "f" in names else "good")))
    assert search(weights, one_by_one) == ("f",)
    asked = {frozenset(each.flags) for each in one_by_one.history}
    slots, ran = threading.BoundedSemaphore(2), set()

    def start() -> tuple[Make, Callable[[], None]]:
        ended = threading.Event()

        def run(names: frozenset[str]) -> Run:
            assert slots.acquire(blocking=False)
            ran.add(names)
            if names not in asked:
                assert ended.wait(60)
            slots.release()
            return Run("bad" if "f" in names else "good")

        return repeated(run), ended.set

    with Ahead(weights, partial(search, weights), start, 2) as ahead:
        judged = Trials(ahead)
        assert search(weights, judged) == ("f",)
    assert judged.history == one_by_one.history
    assert ran > asked  # some guesses are wrong


def test_an_error_of_a_trial_that_is_asked_for_is_raised() -> None:
    """Of one that is not, nobody hears."""
    weights = dict.fromkeys("ab", 1.0)

    def run(names: frozenset[str]) -> Run:
        if names == {"a"}:
            raise KeyboardInterrupt
        return Run("bad" if names else "good")

    with Ahead(weights, partial(search, weights), lambda: (repeated(run), print), 2) as ahead:
        judged = Trials(ahead)
        with pytest.raises(KeyboardInterrupt):
            search(weights, judged)
    assert [each.flags for each in judged.history] == [(), ("a", "b")]
