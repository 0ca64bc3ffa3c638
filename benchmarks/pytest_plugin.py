"""What the pytest plugin costs a test, in a session with the config modules of torch loaded.

``python benchmarks/pytest_plugin.py``: the processor's time that its hooks take for a test that changes
nothing. Exits with 1 if that is more than 0.2 ms.
"""

import statistics
import sys
import time
from types import SimpleNamespace
from typing import Any

from dynconf import pytest_plugin
from dynconf.live.binding import bind
from dynconf.modules import MODULES

TESTS, ROUNDS, BOUND = 500, 20, 0.2


def one_test(leaks: Any, item: Any) -> None:
    """Do what the hooks do around a test."""
    setup = leaks.pytest_runtest_setup()
    next(setup)
    _ended(setup)
    teardown = leaks.pytest_runtest_teardown(item)
    next(teardown)
    _ended(teardown)


def _ended(hook: Any) -> None:
    try:
        hook.send(None)
    except StopIteration:
        return
    raise RuntimeError("the hook goes on")


def main() -> int:
    """Measure, print, and return the exit code."""
    bindings = [bind(module) for module in MODULES]
    leaks = pytest_plugin._Leaks("error")
    item = SimpleNamespace(nodeid="benchmark")
    for slot in (row.slot for binding in bindings for row in binding.table() if row.slot.copy_value):
        getattr(slot.storage.module, slot.name)  # torch keeps a copy of what can be changed in place
    one_test(leaks, item)
    rounds = []
    for _ in range(ROUNDS):
        start = time.process_time()
        for _ in range(TESTS):
            one_test(leaks, item)
        rounds.append((time.process_time() - start) / TESTS * 1000)
    flags = sum(len(binding.table()) for binding in bindings)
    took = statistics.median(rounds)
    print(f"pytest plugin: {took:.3f} ms a test ({min(rounds):.3f} to {max(rounds):.3f}) with {flags} flags;")
    print(f"at most {BOUND} ms")
    return int(took > BOUND)


if __name__ == "__main__":
    sys.exit(main())
