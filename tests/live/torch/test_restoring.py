"""Everybody who restores puts back what was there before, whatever was installed meanwhile."""

import contextlib
import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from live.limit_model import INSTALLING, PATCHES, Model
from live_state import LIMIT, bind, bound_in_place_of_dynamo, config, executed, older_monkeypatch, torch_reads

import dynconf
from dynconf.live.torch.storage import ABSENT

STEPS = {("leave", 0), ("assign", 0), ("end install", 0), ("end install", -1)}
STEPS |= {(way, 0) for way in (*PATCHES, *INSTALLING)}
ENDS = ["leave", "end install"]


@pytest.mark.parametrize("way", PATCHES)
@pytest.mark.parametrize("steps", ["way install leave", "way install end", "install way install leave"])
def test_orders_of_real_programs(way: str, steps: str) -> None:
    """Installed inside of a patch, which is left first or last, with and without another installation."""
    names = {"way": way, "end": "end install"}
    Model().check([(names.get(step, step), -1) for step in steps.split()])
    assert dynconf.origin(LIMIT).kind == "default"


# Torch 2.4 and 2.5: a closure patch that was made before the first installation writes torch's own dict, past
# dynconf. docs/threads-and-processes.md says what that means. An old name is forwarded to torch's own module.
NOT_IN_A_FRESH_MODULE = {"monkeypatch", "alias", *(["closure"] if bind().storage.unset is ABSENT else [])}
IN_A_FRESH_MODULE = sorted(each for each in STEPS if each[0] not in NOT_IN_A_FRESH_MODULE)


@given(st.lists(st.sampled_from(IN_A_FRESH_MODULE), max_size=10), st.permutations(ENDS))
@example([("assign", 0), ("older monkeypatch", 0), ("install", 0), ("leave", 0)], ENDS)
@example([("torch", 0), ("install here", 0), ("leave", 0), ("end install", 0)], ENDS)
def test_any_order_in_a_fresh_module(steps: list[tuple[str, int]], end: list[str]) -> None:
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
