"""Trials side by side: the same search as one after the other, in less time."""

import random
import signal
from collections import Counter
from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dynconf.tools.bisect.ahead import Ahead, GoingOn
from dynconf.tools.bisect.search import Search
from dynconf.tools.bisect.trials import Run, Trial, Verdict

WEIGHTS = st.lists(st.sampled_from((1, 3, 8)), min_size=1, max_size=12).map(
    lambda weights: {f"f{number}": weight for number, weight in enumerate(sorted(weights, reverse=True))}
)


def verdict(seed: int, culprits: set[str], names: frozenset[str]) -> Verdict:
    """Return the verdict on a set: now and then it cannot be judged, or fails without the culprits."""
    chance = random.Random(f"{seed} {sorted(names)}").random()  # noqa: S311
    if seed and 0 < chance < 0.2:
        return "neither" if chance < 0.1 else "bad"
    return "bad" if culprits <= names else "good"


def searched(
    weights: dict[str, float],
    start: Callable[[frozenset[str]], GoingOn | Run],
    *,
    either_way: bool = False,
    **limits,
) -> list[Trial]:
    """Return all trials, as the command makes them."""
    search = partial(Search, weights, either_way=either_way)
    ahead = Ahead(search, start, **limits)
    trials: list[Trial] = []
    with ahead.interruptible():
        while (names := search(trials).wanted) is not None:
            trials.append(ahead.trial(names, trials))
    return trials


@settings(deadline=None)
@given(st.data(), WEIGHTS, st.integers(0, 9), st.integers(1, 4), st.booleans())
def test_the_answer_and_all_trials_are_those_of_one_after_the_other(
    data, weights, seed, jobs, flipped
) -> None:
    """In the same order, whatever fails, cannot be judged, or is the other way round."""
    names = st.permutations([*weights]).map(lambda each: set(each[: 1 + seed % 3]))
    culprits = data.draw(names)

    def run(names: frozenset[str]) -> Run:
        found = verdict(seed, culprits, names)
        return Run({"good": "bad", "bad": "good"}.get(found, found) if flipped else found)

    assert searched(weights, run, either_way=True, jobs=jobs) == searched(weights, run, either_way=True)


class Guess:
    """A run that ends by itself if the search asks for it, and is ended otherwise; two at once."""

    going_on = 0

    def __init__(self, run: Run, *, is_asked: bool) -> None:
        self.run, self.is_asked, self.looks = run, is_asked, 2
        Guess.going_on += 1
        assert Guess.going_on <= 2

    def poll(self) -> Run | None:
        self.looks -= 1
        if self.looks or not self.is_asked:
            return None
        self.end()
        return self.run

    def end(self) -> None:
        Guess.going_on -= 1


def test_a_trial_that_the_search_can_no_longer_ask_for_is_ended() -> None:
    """At once; and no more run than wanted."""
    weights = dict.fromkeys("abcdefgh", 1.0)

    def run(names: frozenset[str]) -> Run:
        return Run("bad" if {"b", "g"} <= names else "good")

    one_by_one = searched(weights, run)
    asked, ran = {frozenset(each.flags) for each in one_by_one}, set()

    def start(names: frozenset[str]) -> Guess:
        ran.add(names)
        return Guess(run(names), is_asked=names in asked)

    assert searched(weights, start, jobs=2) == one_by_one
    assert ran > asked  # some guesses are wrong
    assert Guess.going_on == 0


def test_runs_are_repeated() -> None:
    """Side by side, too, and each trial has its own."""
    weights, count = dict.fromkeys("ab", 1.0), Counter[frozenset[str]]()

    def start(names: frozenset[str]) -> Guess:
        count[names] += 1
        return Guess(Run("bad" if "b" in names else "good", number=count[names]), is_asked=True)

    numbers = [each.numbers for each in searched(weights, start, jobs=2, repeat=2)]
    assert numbers == [(1, 2)] * len(count)


def test_an_interruption_ends_a_search_of_any_speed() -> None:
    """Even where each run has ended before anybody looks at it."""
    ran: list[frozenset[str]] = []

    def start(names: frozenset[str]) -> Run:
        ran.append(names)
        signal.raise_signal(signal.SIGINT)
        return Run("bad" if "b" in names else "good")

    handlers = {each: signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    try:
        with pytest.raises(KeyboardInterrupt):
            searched(dict.fromkeys("abcdefgh", 1.0), start)
    finally:
        for each, handler in handlers.items():
            signal.signal(each, handler)
    assert len(ran) == 1
