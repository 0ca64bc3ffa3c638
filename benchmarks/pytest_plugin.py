"""The cost of the pytest plugin for a test, in a session with the config modules of torch loaded.

``python benchmarks/pytest_plugin.py`` prints the processor time of its hooks for a test that changes nothing,
and exits with 1 if that is more than 0.2 ms.
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
    """Run the hooks around a test that does nothing."""
    for hook in (leaks.pytest_runtest_setup(), leaks.pytest_runtest_teardown(item)):
        assert len(list(hook)) == 1


def main() -> int:
    """Measure, print, and return the exit code."""
    bindings = [bind(module) for module in MODULES]
    leaks = pytest_plugin._LeakHooks("error")
    item = SimpleNamespace(nodeid="benchmark")
    for slot in (each for binding in bindings for each in binding.flags() if each.copy_value):
        getattr(slot.storage.module, slot.name)  # reading makes torch keep a copy of a mutable default
    one_test(leaks, item)
    rounds = []
    for _ in range(ROUNDS):
        start = time.process_time()
        for _ in range(TESTS):
            one_test(leaks, item)
        rounds.append((time.process_time() - start) / TESTS * 1000)
    flags = sum(len(binding.flags()) for binding in bindings)
    took = statistics.median(rounds)
    print(f"pytest plugin: {took:.3f} ms a test ({min(rounds):.3f} to {max(rounds):.3f}) with {flags} flags;")
    print(f"at most {BOUND} ms")
    return int(took > BOUND)


if __name__ == "__main__":
    sys.exit(main())
