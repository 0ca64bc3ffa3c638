"""What tests of `dynconf.live` share beside live_state.py."""

import multiprocessing
from collections.abc import Iterator
from multiprocessing import resource_tracker, spawn

import pytest


@pytest.fixture
def spawns_warm(warm_python: str) -> Iterator[None]:
    """Have spawned processes share one import of torch."""
    resource_tracker.ensure_running()  # it goes on after the test
    usual = spawn.get_executable()
    multiprocessing.set_executable(warm_python)
    yield
    multiprocessing.set_executable(usual)
