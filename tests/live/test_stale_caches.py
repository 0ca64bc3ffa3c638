"""Installing while torch computes a hash or a dict: whoever asks afterwards gets those of the new values.

Such a race is lost once in a thousand turns. So most of these tests take the turns line by line: at each line
of one side, another thread does all that the other side does.
"""

import asyncio
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from types import FrameType
from typing import Any

import pytest
from conftest import fresh_config
from live_state import (
    LIMIT,
    LIVE,
    bind,
    bound_in_place_of_dynamo,
    config,
    result_in_thread,
    saved,
    threads_switching_often,
)

import dynconf

MECHANICS = str(sys.modules["torch.utils._config_module"].__file__)


def hashed() -> object:
    """Return torch's hash, which covers ``specialize_int``, but not the limit."""
    return config().get_hash()


def copied() -> tuple[object, object]:
    """Return two values from torch's dict of all."""
    values = config().get_config_copy()
    return values[LIMIT], values["specialize_int"]


WAYS: tuple[Callable[[], object], ...] = (hashed, saved, copied)


def derived(ways: tuple[Callable[[], object], ...] = WAYS) -> list[object]:
    """Return what torch derives from its values, with its caches in use."""
    return [way() for way in ways]


def anew(ways: tuple[Callable[[], object], ...] = WAYS) -> list[object]:
    """Return the same without any cache: in a new thread, with all flags marked as changed."""

    def work() -> list[object]:
        bind().storage.mark_changed(bind().flags())
        return derived(ways)

    made: list[object] = result_in_thread(work)
    return made


def run(
    work: Callable[[], object],
    path: str,
    line: int,
    between: Callable[[], object],
    afterwards: Callable[[], object] | None = None,
) -> bool:
    """Run *work*, and *between* in another thread before the line of that number in files under *path*.

    *afterwards* runs so before each later one. Only the first time counts that a line is reached. Returns
    whether there are that many.
    """
    seen: set[object] = set()

    def trace(frame: FrameType, event: str, _: object) -> Any:
        if not frame.f_code.co_filename.startswith(path):
            return None
        place = frame.f_code, frame.f_lineno
        if event == "line" and place not in seen:
            seen.add(place)
            if len(seen) == line:
                result_in_thread(between)
                if not afterwards:
                    sys.settrace(None)  # nothing is left to do
            elif len(seen) > line and afterwards:
                result_in_thread(afterwards)
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return len(seen) >= line


@pytest.fixture
def pool():
    """Return a pool of one thread, which keeps torch's caches of its own."""
    with ThreadPoolExecutor(1) as made:
        yield made


def install(limit):
    """Install two flags, of which torch's hash covers the second."""
    return dynconf.install(recompile_limit=limit, specialize_int=bool(limit % 2))


STEPS = {
    "install": lambda _: install(34),
    "uninstall": lambda installed: installed.uninstall(),
    "reset": lambda _: dynconf.reset("recompile_limit", "specialize_int"),
}
each_step = pytest.mark.parametrize("step", STEPS)


def after(step, ways=WAYS):
    """Return what torch derives once the step is done, without any cache."""
    STEPS[step](install(33))
    wanted = anew(ways)
    dynconf.reset()
    return wanted


@each_step
def test_asking_in_the_middle_of_a_change(pool, step):
    """A thread that asks there, and keeps the answer, does not keep it afterwards."""
    line, is_there, wanted = 0, True, after(step)
    while is_there:
        line += 1
        installed = install(33)
        pool.submit(derived).result(60)
        is_there = run(partial(STEPS[step], installed), LIVE, line, lambda: pool.submit(derived).result(60))
        assert pool.submit(derived).result(60) == wanted, line
        dynconf.reset()
    assert line > 10


def test_asking_in_the_middle_of_the_first_installation(monkeypatch, pool):
    """So it is while torch's variables are being replaced."""
    line, is_there, wanted = 0, True, None
    while is_there:
        line += 1
        with fresh_config() as module:
            bound_in_place_of_dynamo(monkeypatch, module)
            pool.submit(derived).result(60)
            is_there = run(lambda: install(33), LIVE, line, lambda: pool.submit(derived).result(60))
            wanted = wanted or anew()
            assert pool.submit(derived).result(60) == wanted, line
            dynconf.reset()
    assert line > 10


@pytest.mark.parametrize(
    ("way", "step"), [*((way, "install") for way in WAYS), *((hashed, step) for step in [*STEPS][1:])]
)
def test_a_change_while_torch_computes(pool, way, step):
    """An answer that torch was computing from older values does not count as one from the new ones."""
    line, is_there, wanted = 0, True, after(step)
    while is_there:
        line += 1
        installed = install(33)
        is_there = pool.submit(run, way, MECHANICS, line, partial(STEPS[step], installed)).result(60)
        assert not is_there or pool.submit(derived).result(60) == wanted, line
        dynconf.reset()
    assert line > 1


@each_step
def test_others_ask_while_an_older_hash_is_kept(pool, step):
    """Not for a moment does a thread get the hash that another has computed from older values."""
    line, is_there, wanted = 0, True, after(step, (hashed,))
    while is_there:
        line += 1
        installed = install(33)
        wrong = []

        def ask(wrong=wrong):
            if derived((hashed,)) != wanted:
                wrong.append(hashed())

        change = partial(STEPS[step], installed)
        is_there = pool.submit(run, hashed, MECHANICS, line, change, ask).result(60)
        assert not wrong, line
        dynconf.reset()
    assert line > 1


@pytest.mark.parametrize("tasks", [1, 2])
def test_threads_and_tasks_that_ask_all_the_time(tasks):
    """They never fail while others install, and never keep a stale answer."""
    threads, turns = 3, 40
    answers, wanted, found = [], [], []
    for limit in (33, 34):
        with install(limit):
            answers.append(anew())

    async def ask():
        for turn in range(turns):
            while len(wanted) == turn:
                hashed()
                saved()
                await asyncio.sleep(0)
            found.append(derived() == wanted[turn])

    def failed(one):
        return one.done() and one.exception() is not None

    async def ask_in_tasks():
        await asyncio.gather(*(ask() for _ in range(tasks)))

    with threads_switching_often(), ThreadPoolExecutor(threads) as pool:
        running = [pool.submit(asyncio.run, ask_in_tasks()) for _ in range(threads)]
        for turn in range(turns):
            install(34 - turn % 2).uninstall()
            with install(33 + turn % 2):
                wanted.append(answers[turn % 2])
                while len(found) < threads * tasks * len(wanted) and not any(map(failed, running)):
                    time.sleep(0)
        for each in running:
            each.result(60)
    assert found == [True] * (threads * tasks * turns)


@pytest.mark.since("2.6")  # 2.4 and 2.5 fail to save Functorch's values
def test_a_patch_of_several_modules():
    """Each module's cached values and hash follow the patch, and none is asked for a flag of another."""

    def seen() -> list[object]:
        modules = config(), bind("functorch").module
        return [each for module in modules for each in (module.save_config(), module.get_hash())]

    before = seen()
    with dynconf.patch(specialize_int=True, functorch={"cse": False}):
        inside = seen()
        assert all(one != other for one, other in zip(before, inside, strict=True))
    assert seen() == before
