"""The cost of the pytest plugin for a test that changes nothing, in a session with torch's config modules.

It is compared with copying all flags by torch's own means before and after the test.
"""

import functools
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

from ratio import Ratio, in_turns, report, seconds

from dynconf.catalogue.modules import MODULES
from dynconf.live.binding import bind
from dynconf.tools.testing import pytest_plugin

TESTS, BOUND = 100, 0.25


def one_test(leaks: Any, item: Any) -> None:
    """Run the hooks around a test that does nothing."""
    for hook in (leaks.pytest_runtest_setup(), leaks.pytest_runtest_teardown(item)):
        assert len(list(hook)) == 1


def ratios() -> Iterator[Ratio]:
    """Measure both."""
    bindings = [bind(module) for module in MODULES]
    leaks = pytest_plugin._LeakHooks("error")
    item = SimpleNamespace(nodeid="benchmark")
    modules = {slot.storage.module for binding in bindings for slot in binding.flags()}
    for slot in (each for binding in bindings for each in binding.flags() if each.copy_value):
        getattr(slot.storage.module, slot.name)  # reading makes torch keep a copy of a mutable default

    def copy_twice() -> None:
        for module in (*modules, *modules):
            module.get_config_copy()

    yield in_turns(
        "the pytest plugin, a test / copies of all flags",
        functools.partial(seconds, lambda: one_test(leaks, item), TESTS),
        functools.partial(seconds, copy_twice, TESTS),
        rounds=20,
        bound=BOUND,
        scale=1000,
        unit="ms",
    )


if __name__ == "__main__":
    report(ratios())
