"""Patches in threads, tasks and copied contexts: each sees its own where torch keeps them apart."""

import asyncio
import contextlib
import contextvars
import random
import re
import threading

import pytest
from live_state import (
    A_SET,
    LIMIT,
    PER_CONTEXT,
    RawState,
    bind,
    config,
    default_of,
    in_force,
    lock_is_free,
    only_per_context,
    patch_of_anything,
    result_in_thread,
    threads_switching_often,
    torch_reads,
)

import dynconf


def test_32_threads_of_200_patches():
    """Each thread sees its own values if torch keeps them apart; the end is as the beginning."""
    before = RawState()
    shared = patch_of_anything({"specialize_int": True, A_SET: {dict}})
    errors = []

    def work(seed):
        chance = random.Random(seed)  # noqa: S311  an order, not a secret
        try:
            for count in range(0, 200, 4):
                limit = 100 + seed * 1000 + count
                own = [
                    dynconf.patch(recompile_limit=limit, accumulated_recompile_limit=10**6) for _ in range(3)
                ]
                entered = [*own, shared]
                for each in entered:
                    each.__enter__()
                if PER_CONTEXT:
                    assert torch_reads(LIMIT) == limit
                    assert config().specialize_int is True
                chance.shuffle(entered)
                for each in entered:
                    each.__exit__(None, None, None)
        except BaseException as error:  # noqa: BLE001  the main thread reports it
            errors.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(32)]
    with threads_switching_often():
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not errors
    assert RawState() == before
    assert not in_force()


def test_threads_that_come_first_together_get_the_same_binding_and_slots():
    """Whoever wins, there is one binding for a module and one slot for a flag."""
    from dynconf.live import binding

    kept = dict(binding._bindings)
    binding._bindings.clear()
    try:
        with threads_switching_often():
            found = []
            threads = [
                threading.Thread(target=lambda: found.append((bind(), bind().slot("cache_size_limit"))))
                for _ in range(8)
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        assert len(found) == 8
        assert len(set(found)) == 1
    finally:
        binding._bindings.update(kept)


def test_tasks_interleave():
    """Each of many tasks holds its own patch over its awaits, if torch keeps tasks apart."""
    before = RawState()
    shared = dynconf.patch(verify_correctness=True)

    async def one(limit):
        with shared, dynconf.patch(recompile_limit=limit):
            for _ in range(5):
                await asyncio.sleep(0)
                assert config().verify_correctness is True
                if PER_CONTEXT:
                    assert torch_reads(LIMIT) == limit

    async def main():
        await asyncio.gather(*(one(limit) for limit in range(1, 40)))

    asyncio.run(main())
    assert RawState() == before
    assert not in_force()


def warning_of_context(name):
    """Expect the warning that a patch of the flag, made in this file, is left where it was not entered."""
    if not PER_CONTEXT:
        return contextlib.nullcontext()
    line = rf"{re.escape(__file__)}:\d+"
    text = rf"^{name} \(patch at {line}\) is left at .+:\d+, in a thread or task that did not enter it"
    return pytest.warns(dynconf.ContextWarning, match=text)


def test_leaving_in_another_thread():
    """If overrides are the process's, any thread can leave; otherwise that changes nothing, and says so."""
    before = RawState()
    one = dynconf.patch(verify_correctness=True)
    one.__enter__()
    with warning_of_context("verify_correctness"):
        result_in_thread(lambda: one.__exit__(None, None, None))
    if PER_CONTEXT:
        assert config().verify_correctness is True
        one.__exit__(None, None, None)
    assert RawState() == before


@only_per_context
def test_leaving_in_a_copied_context_is_not_felt_outside():
    """A task that inherited a patch leaves it for itself alone, and is told so."""
    one, two = dynconf.patch(recompile_limit=3), dynconf.patch(recompile_limit=4)
    with one, two:
        copied = contextvars.copy_context()
        with warning_of_context("recompile_limit"):
            copied.run(one.__exit__, None, None, None)
        assert torch_reads(LIMIT) == 4
        with warning_of_context("recompile_limit"):
            copied.run(two.__exit__, None, None, None)
        assert copied.run(torch_reads, LIMIT) == default_of(LIMIT)
        assert torch_reads(LIMIT) == 4
        assert in_force() == [two, one]


def test_values_are_copied_while_no_lock_is_held():
    """Copying an object that a program assigned runs its code, which may wait for another thread."""
    was_free = []

    class Assigned:
        def __deepcopy__(self, _):
            was_free.append(lock_is_free())
            return self

    setattr(config(), LIMIT, Assigned())
    with dynconf.patch(recompile_limit=dynconf.at_least(64)):
        assert torch_reads(LIMIT) == 64
        with dynconf.patch(recompile_limit=dynconf.at_least(32)):
            assert torch_reads(LIMIT) == 64
    dynconf.reset(LIMIT)
    assert was_free
    assert all(was_free)


def test_who_sees_an_override():
    """What one thread patches every thread sees before 2.12, as with torch's own patch; from then on not."""
    with dynconf.patch(verify_correctness=True):
        assert result_in_thread(lambda: config().verify_correctness) is not PER_CONTEXT


@dynconf.patch(recompile_limit=3)
def limits():
    """Yield what is in force, and run what is sent."""
    while True:
        work = yield torch_reads(LIMIT)
        if work:
            work()


@pytest.mark.parametrize("_", range(3))
def test_a_suspended_generator_takes_no_patch_of_another_thread_off(_):
    """What another thread entered meanwhile stays in force while it runs, whoever overrides belong to."""
    steps = limits()
    started, done, seen = threading.Event(), threading.Event(), []

    def other():
        with dynconf.patch(verify_correctness=True):
            started.set()
            done.wait(30)
            seen.append((config().verify_correctness, in_force()))

    before = RawState()
    thread = threading.Thread(target=other)

    def start_the_other():
        thread.start()
        started.wait(30)

    with threads_switching_often():
        assert next(steps) == 3
        assert steps.send(start_the_other) == 3
        assert torch_reads(LIMIT) == default_of(LIMIT)
        done.set()
        thread.join()
    [(was_on, entered)] = seen
    assert was_on is True
    assert len(entered) == 1
    steps.close()
    assert RawState() == before
