"""What tests of `dynconf.live` share beside live_state.py.

That loads torch, which may have to be another release's, so it is imported when a fixture is used.
"""

import multiprocessing
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import resource_tracker, spawn
from typing import Any

import pytest

import dynconf


@pytest.fixture
def spawns_warm(warm_python: str) -> Iterator[None]:
    """Have spawned processes share one import of torch."""
    resource_tracker.ensure_running()  # it goes on after the test
    usual = spawn.get_executable()
    multiprocessing.set_executable(warm_python)
    yield
    multiprocessing.set_executable(usual)


@pytest.fixture
def worker() -> Iterator[Callable[[Callable[[], Any]], Any]]:
    """Return what runs a function in a thread that was there before anything was installed."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(int).result(60)
        yield lambda work: pool.submit(work).result(60)


@pytest.fixture
def nothing_in_force() -> Iterator[None]:
    """Make sure that the test leaves nothing in force."""
    from live_state import in_force

    yield
    assert not in_force()


@pytest.fixture
def restored(nothing_in_force: None) -> Iterator[None]:
    """Make sure that the test leaves every override as it was, to the bit, besides."""
    from live_state import RawState

    before = RawState()
    yield
    assert RawState() == before


@pytest.fixture
def limit_restored() -> Iterator[None]:
    """Make sure that the test leaves nothing but an override of the limit."""
    from live_state import LIMIT, RawState, snapshot_values

    override, values = RawState().raw[LIMIT], snapshot_values()[0]
    yield
    dynconf.reset("recompile_limit")
    assert RawState().raw[LIMIT] == override
    assert snapshot_values()[0] == values
