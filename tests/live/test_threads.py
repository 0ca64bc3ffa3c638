"""Patches in threads, tasks and copied contexts: each sees its own where torch keeps them apart."""

import asyncio
import contextlib
import contextvars
import random
import re
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from live_state import (
    A_SET,
    LIMIT,
    PER_CONTEXT,
    bind,
    config,
    default_of,
    in_force,
    only_per_context,
    patch_of_anything,
    result_in_thread,
    threads_switching_often,
    torch_reads,
)

import dynconf
from dynconf.errors import ContextWarning

pytestmark = pytest.mark.usefixtures("restored")


def test_32_threads_of_200_patches():
    """Each thread sees its own values if torch keeps them apart; the end is as the beginning."""
    shared = patch_of_anything({"specialize_int": True, A_SET: {dict}})
    all_there = threading.Barrier(32)

    def work(seed):
        chance = random.Random(seed)  # noqa: S311  an order, not a secret
        all_there.wait(60)
        for count in range(0, 200, 4):
            limit = 100 + seed * 1000 + count
            own = [dynconf.patch(recompile_limit=limit, accumulated_recompile_limit=10**6) for _ in range(3)]
            entered = [*own, shared]
            for each in entered:
                each.__enter__()
            if PER_CONTEXT:
                assert torch_reads(LIMIT) == limit
                assert config().specialize_int is True
            chance.shuffle(entered)
            for each in entered:
                each.__exit__(None, None, None)

    with threads_switching_often(), ThreadPoolExecutor(32) as pool:
        list(pool.map(work, range(32)))


def test_threads_that_come_first_together_get_the_same_binding_and_slots(monkeypatch):
    """Whoever wins, there is one binding for a module and one slot for a flag."""
    monkeypatch.setattr("dynconf.live.binding._bindings", {})
    all_there = threading.Barrier(8)

    def found(_):
        all_there.wait(60)
        return bind(), bind().slot("cache_size_limit")

    with threads_switching_often(), ThreadPoolExecutor(8) as pool:
        assert len({*pool.map(found, range(8))}) == 1


def test_tasks_interleave():
    """Each of many tasks holds its own patch over its awaits, if torch keeps tasks apart."""
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


def warning_of_context(name, kind="patch"):
    """Expect the warning that a patch of the flag, made in this file, is left where it was not entered."""
    if not PER_CONTEXT:
        return contextlib.nullcontext()
    line = rf"{re.escape(__file__)}:\d+"
    text = rf"^{name} \({kind} at {line}\) is left at .+:\d+, in a thread or task that did not enter it"
    return pytest.warns(ContextWarning, match=text)


def test_leaving_in_another_thread():
    """If overrides are the process's, any thread can leave; otherwise that changes nothing, and says so."""
    one = dynconf.patch(verify_correctness=True)
    one.__enter__()
    with warning_of_context("verify_correctness"):
        result_in_thread(lambda: one.__exit__(None, None, None))
    if PER_CONTEXT:
        assert config().verify_correctness is True
        one.__exit__(None, None, None)


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


def test_objects_are_not_copied():
    """Copying an object that a program assigned would run its code, which may wait for another thread."""
    copies = []

    class Assigned:
        def __deepcopy__(self, _):
            copies.append(self)
            return self

    setattr(config(), LIMIT, Assigned())
    with dynconf.patch(recompile_limit=dynconf.at_least(64)):
        assert torch_reads(LIMIT) == 64
        with dynconf.patch(recompile_limit=dynconf.at_least(32)):
            assert torch_reads(LIMIT) == 64
    dynconf.reset(LIMIT)
    assert not copies


@only_per_context
def test_a_dependency_torn_down_in_another_task_says_so():
    """Frameworks run the halves of a generator in copies of the context: nothing is in force between them."""

    def dependency():
        with dynconf.patch(recompile_limit=3):
            yield

    halves = dependency()
    contextvars.copy_context().run(next, halves)
    assert torch_reads(LIMIT) == default_of(LIMIT)
    with warning_of_context("recompile_limit"):
        contextvars.copy_context().run(next, halves, None)


@only_per_context
def test_an_installation_for_the_context_is_left_where_it_is():
    """Another thread's block has nothing to uninstall, and says so; the one that entered it ends it."""
    with dynconf.install({LIMIT: 3}, scope="context") as made:
        with warning_of_context("recompile_limit", "install"):
            result_in_thread(lambda: made.__exit__(None, None, None))
        assert torch_reads(LIMIT) == 3
    assert torch_reads(LIMIT) == default_of(LIMIT)


@pytest.mark.parametrize("scope", ["process", "context"])
def test_an_installation_is_in_force_in_the_blocks_of_all_threads(scope):
    """A thread that leaves the last block never takes it from one that is entering."""
    if scope == "context" and not PER_CONTEXT:
        pytest.skip("overrides belong to the process in this release")
    made = dynconf.install({LIMIT: 3}, scope=scope)
    made.uninstall()

    def use(_):
        for _ in range(500):
            with made:
                assert torch_reads(LIMIT) == 3

    with threads_switching_often(), ThreadPoolExecutor(4) as pool:
        list(pool.map(use, range(4)))
    assert not made.is_installed()
    assert torch_reads(LIMIT) == default_of(LIMIT)
