"""Everybody who restores puts back what was there before, whatever was installed meanwhile."""

import contextlib
import tempfile
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from live_state import (
    LIMIT,
    PER_CONTEXT,
    bind,
    bound_in_place_of_dynamo,
    closure,
    config,
    executed,
    mocked,
    monkeypatched,
    older_monkeypatch,
    torch_reads,
    torchs,
)

import dynconf
from dynconf.live.torch.storage import ABSENT

WAYS: dict[str, Callable[[int], AbstractContextManager[object]]] = {
    "monkeypatch": lambda value: monkeypatched(value, pytest.MonkeyPatch),
    "older": monkeypatched,
    "mock": mocked,
    "torch": torchs,
    "alias": lambda value: config().patch({"cache_size_limit": value}),
    # In a module that dynconf does not know, it writes past dynconf: see docs/guides/upgrading.md.
    **({} if bind().storage.level == "generic" else {"closure": closure}),
}
"""Ways to set the limit for a while; leaving each puts back what was there."""

SCOPES = ["process", "context"] if PER_CONTEXT else ["process"]
STEPS = ["leave", "assign", "uninstall first", "uninstall last", *WAYS, *SCOPES]


class Model:
    """The limit as it must be: an override, with the number of the installation that was the latest then."""

    def __init__(self) -> None:
        self.default = torch_reads(LIMIT)
        self.value = 100
        self.count = 0
        self.override: tuple[int, int] | None = None
        self.blocks: list[tuple[AbstractContextManager[object], tuple[int, int] | None]] = []
        self.installed: list[tuple[int, int, Any]] = []

    def expected(self) -> int:
        """Return what torch must read."""
        latest, value = self.installed[-1][:2] if self.installed else (0, self.default)
        return self.override[0] if self.override is not None and self.override[1] >= latest else value

    def do(self, step: str) -> None:
        """Do one step, if it is possible now."""
        self.value += 1
        latest = self.installed[-1][0] if self.installed else 0
        if step in WAYS:
            block = WAYS[step](self.value)
            block.__enter__()
            self.blocks.append((block, self.override))
            self.override = self.value, latest
        elif step == "leave" and self.blocks:
            block, self.override = self.blocks.pop()
            block.__exit__(None, None, None)
        elif step == "assign":
            setattr(config(), LIMIT, self.value)
            self.override = self.value, latest
        elif step in SCOPES:
            self.count += 1
            scope: Any = step
            made = dynconf.install({LIMIT: self.value}, scope=scope)
            self.installed.append((self.count, self.value, made))
        elif step.startswith("uninstall") and self.installed:
            self.installed.pop(0 if step == "uninstall first" else -1)[2].uninstall()

    def check(self, steps: list[str], end: list[str]) -> None:
        """Do the steps, then leave and uninstall everything, in the order of *end*."""
        for step in steps:
            self.do(step)
            assert torch_reads(LIMIT) == self.expected(), step
        for step in end:
            while self.blocks if step == "leave" else self.installed:
                self.do(step)
                assert torch_reads(LIMIT) == self.expected()


ends = st.permutations(["leave", "uninstall last"])


@given(st.lists(st.sampled_from(STEPS), max_size=10), ends)
@example(["assign", "process", "monkeypatch", "leave"], ["leave", "uninstall last"])
@example(["assign", "process", "older", "older", "leave"], ["leave", "uninstall last"])
@example(["process", "older", "uninstall last", "leave"], ["leave", "uninstall last"])
@example(["torch", SCOPES[-1], "leave", "uninstall last"], ["leave", "uninstall last"])
@example(["mock", SCOPES[-1], "leave", "uninstall last"], ["leave", "uninstall last"])
def test_any_order(steps: list[str], end: list[str]) -> None:
    """Torch reads what a model of the overrides and installations says, after every step."""
    with dynconf.install({LIMIT: 1}):
        pass  # from here on the flag has a stand-in; without, pytest from 9.2 on deletes the flag
    Model().check(steps, end)
    dynconf.reset()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("steps", ["way process leave", "way process uninstall", "process way process leave"])
def test_orders_of_real_programs(way: str, steps: str) -> None:
    """Installed inside of a patch, which is left first or last, with and without another installation."""
    names = {"way": way, "uninstall": "uninstall last"}
    Model().check([names.get(step, step) for step in steps.split()], ["leave", "uninstall last"])
    assert dynconf.origin(LIMIT).kind == "default"


# Torch 2.4 and 2.5: a closure patch that was made before the first installation writes torch's own dict, past
# dynconf. docs/threads-and-processes.md says what that means. An old name is forwarded to torch's own module.
IN_A_FRESH_MODULE = {*STEPS} - {
    "monkeypatch",
    "alias",
    *(["closure"] if bind().storage.unset is ABSENT else []),
}


@given(st.lists(st.sampled_from(sorted(IN_A_FRESH_MODULE)), max_size=10), ends)
@example(["assign", "older", "process", "leave"], ["leave", "uninstall last"])
@example(["torch", SCOPES[-1], "leave", "uninstall last"], ["leave", "uninstall last"])
def test_any_order_in_a_fresh_module(steps: list[str], end: list[str]) -> None:
    """The same where nothing was installed before what restores was entered."""
    source = Path(config().__file__).read_text(encoding="utf-8")
    with contextlib.ExitStack() as stack:
        patching = stack.enter_context(pytest.MonkeyPatch.context())
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        bound_in_place_of_dynamo(patching, executed(source, folder))
        Model().check(steps, end)


def test_a_closure_patch_made_before_the_first_installation(tmp_path: Path) -> None:
    """It is in force when it is entered, as `torch.compile(dynamic=True)` does at each call."""
    source = Path(config().__file__).read_text(encoding="utf-8")
    with pytest.MonkeyPatch.context() as patching:
        bound_in_place_of_dynamo(patching, executed(source, tmp_path))
        change = config()._make_closure_patcher(**{LIMIT: 3})
        with dynconf.install({LIMIT: 64}):
            revert = change()
            assert torch_reads(LIMIT) == 3
            revert()
            assert torch_reads(LIMIT) == 64
        revert = change()
        assert torch_reads(LIMIT) == 3
        revert()
        assert torch_reads(LIMIT) == 8


def test_one_monkeypatch_that_sets_a_flag_again_and_deletes_it() -> None:
    """It undoes all of it at once, and the first value that it found comes back."""
    for make in (pytest.MonkeyPatch, older_monkeypatch):
        setattr(config(), LIMIT, 20)
        made = make()
        with dynconf.install({LIMIT: 64}):
            made.setattr(config(), LIMIT, 5)
            made.setattr(config(), LIMIT, 6)
            made.delattr(config(), LIMIT)
            made.undo()
            assert torch_reads(LIMIT) == 64
        assert torch_reads(LIMIT) == 20
