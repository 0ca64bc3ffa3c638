"""What torch must read of the limit, whatever sets it in whatever order, without the machinery."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any

import pytest
from live_state import (
    LIMIT,
    PER_CONTEXT,
    bind,
    closure,
    config,
    default_of,
    dynconf_warnings_ignored,
    limit,
    mocked,
    monkeypatched,
    torchs,
)

import dynconf

DEFAULT = default_of(LIMIT)
FLAG = "recompile_limit"

PATCHES: dict[str, Callable[[int], AbstractContextManager[object]]] = {
    "torch": torchs,
    "alias": lambda value: config().patch({"cache_size_limit": value}),
    "mock": mocked,
    "monkeypatch": lambda value: monkeypatched(value, pytest.MonkeyPatch),
    "older monkeypatch": monkeypatched,
    # In a module that dynconf does not know, it writes past dynconf: see docs/guides/upgrading.md.
    **({} if bind().storage.level == "generic" else {"closure": closure}),
    "dynconf": lambda value: dynconf.patch({FLAG: value}),
}
"""Ways to set the limit for a while; leaving each puts back what was there."""

LASTING: dict[str, Callable[[int], Any]] = {
    "install": lambda value: dynconf.install({FLAG: value}),
    "hold": lambda value: dynconf.hold({FLAG: value}),
    "defaults": lambda value: dynconf.defaults({FLAG: value}),
}
INSTALLING: dict[str, Callable[[int], Any]] = {
    "install": LASTING["install"],
    "install here": lambda value: dynconf.install(
        {FLAG: value}, scope="context" if PER_CONTEXT else "process"
    ),
}
END = ("leave", "end install", "end hold", "end defaults")


@dataclass
class Model:
    """One override, and three lists."""

    override: tuple[int, float] | None = None  # the value, and the number of the latest installation then
    patches: list[tuple[str, Any, Any]] = field(default_factory=list)  # the kind, what it found, its exit
    lasting: dict[str, list[tuple[int, Any, Any]]] = field(
        default_factory=lambda: {"install": [], "hold": [], "defaults": []}
    )
    count: int = 0

    def rank(self) -> int:
        """Return the number of the latest installation, or 0."""
        return self.lasting["install"][-1][0] if self.lasting["install"] else 0

    def below(self, *, elsewhere: bool = False) -> Any:
        """Return what a thread reads, by default this one, that has set nothing itself."""
        if self.lasting["hold"]:
            return self.lasting["hold"][0][1]
        installed = [each for each in self.lasting["install"] if not (elsewhere and each[2].is_for_context)]
        if installed:
            return installed[-1][1]
        found = DEFAULT
        for _, value, _ in self.lasting["defaults"]:
            found = value if type(value) is int else max(found, int(value))
        return found

    def value(self) -> Any:
        """Return what this thread reads."""
        always = any(kind == "dynconf" for kind, *_ in self.patches)
        if self.lasting["hold"] or self.override is None:
            return self.below()
        value, rank = self.override
        return value if always or rank >= self.rank() else self.below()

    def do(self, operation: str, value: int = 0) -> None:
        """Do one operation, for real and in the model; no value above 0 is one that nothing else has."""
        self.count += 1
        if operation == "assign":
            # Assigning the very value that is installed restores, so each assigned value is another.
            value = 1000 + self.count
            setattr(config(), LIMIT, value)
            self.override = (value, self.rank())
        elif operation == "leave":
            if self.patches:
                _, self.override, leave = self.patches.pop()
                leave(None, None, None)
        elif operation.startswith("end "):
            entries = self.lasting[operation[4:]]
            if entries:
                entries.pop(value % len(entries))[2].uninstall()
        elif operation in PATCHES:
            patch = PATCHES[operation](100 + self.count)
            patch.__enter__()
            self.patches.append((operation, self.override, patch.__exit__))
            self.override = (100 + self.count, self.rank())
        else:
            value = value if value > 0 else 200 + self.count
            made = (LASTING | INSTALLING)[operation](value)
            kind = "install" if operation in INSTALLING else operation
            self.lasting[kind].append((self.count, value, made))

    def check(self, operations: Iterable[tuple[str, int]], end: Iterable[str] = END) -> None:
        """Do the operations and end everything in that order; torch reads what the model says after each."""
        with dynconf_warnings_ignored(), ThreadPoolExecutor(1) as pool:

            def step(operation: str, value: int) -> None:
                self.do(operation, value)
                assert limit() == self.value(), operation
                if PER_CONTEXT:
                    assert pool.submit(limit).result(60) == self.below(elsewhere=True), operation

            try:
                for operation, value in operations:
                    step(operation, value)
                for operation in end:
                    while self.is_left(operation):
                        step(operation, -1)
            finally:
                for operation in END:
                    while self.is_left(operation):
                        self.do(operation)

    def is_left(self, end: str) -> bool:
        """Tell whether there is something for that end."""
        return bool(self.patches if end == "leave" else self.lasting[end.removeprefix("end ")])
