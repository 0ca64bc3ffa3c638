"""torch's own patch, assignment, unittest.mock and load_config work beside dynconf, in any nesting."""

import contextlib
import unittest.mock

import pytest
from hypothesis import given
from hypothesis import strategies as st
from live_state import (
    LIMIT,
    NESTED,
    RawState,
    bind,
    closure,
    config,
    in_force,
    mocked,
    place,
    torch_reads,
    torchs,
)

import dynconf

FLAGS = ("verify_correctness", "specialize_int", NESTED)


@contextlib.contextmanager
def assigned(value, name):
    """Assign, and put the value back that was there, as programs do by hand."""
    before = torch_reads(name)
    setattr(*place(name), value)
    try:
        yield
    finally:
        setattr(*place(name), before)


@contextlib.contextmanager
def loaded(value, name):
    """Load a config, and the one from before afterwards."""
    slot, before = bind().slot(name), torch_reads(name)
    slot.storage.module.load_config({slot.name: value})
    try:
        yield
    finally:
        slot.storage.module.load_config({slot.name: before})


WAYS = {
    "patch": lambda value, name: dynconf.patch({name: value}),
    "install": lambda value, name: dynconf.install({name: value}),
    "torch": torchs,
    "mock": mocked,
    "assigned": assigned,
    "loaded": loaded,
    "closure": closure,
}


@pytest.mark.known_shape
@given(st.lists(st.tuples(st.sampled_from(sorted(WAYS)), st.sampled_from(FLAGS), st.booleans()), max_size=8))
def test_any_nesting(steps):
    """Inside each way its value holds, except an installation's below a patch; after it, what held before."""
    dynconf.reset()
    start = {name: torch_reads(name) for name in FLAGS}
    nested(steps, frozenset())
    assert {name: torch_reads(name) for name in FLAGS} == start
    assert not in_force()


def nested(steps, patched):
    """Enter the steps one inside the other, and check on the way in and out."""
    if not steps:
        return
    (way, name, value), *inner = steps
    before = torch_reads(name)
    with WAYS[way](value, name):
        if way != "install" or name not in patched:
            assert torch_reads(name) is value
        nested(inner, patched | {name} if way == "patch" else patched)
    assert torch_reads(name) is before


def test_mock_by_its_path():
    """`unittest.mock.patch("torch._dynamo.config.x", ...)` around, inside and interleaved in parts."""
    before = RawState()
    with dynconf.inductor.patch({"triton.cudagraphs": True}):
        with unittest.mock.patch("torch._inductor.config.triton.cudagraphs", False):
            assert torch_reads(NESTED) is False
        assert torch_reads(NESTED) is True
    with dynconf.patch(verify_correctness=True, specialize_int=True):
        with unittest.mock.patch("torch._dynamo.config.verify_correctness", False):
            assert config().verify_correctness is False
            with dynconf.patch(verify_correctness=True):
                assert config().verify_correctness is True
            assert config().verify_correctness is False
        assert config().verify_correctness is True
    assert RawState() == before


def test_torchs_own_patch_inside_ours_restores_to_the_bit():
    """What torch's patch leaves behind goes with the patch around it."""
    before = RawState()
    with dynconf.patch(verify_correctness=True):
        with config().patch(verify_correctness=False), dynconf.patch(verify_correctness=True):
            assert config().verify_correctness is True
        assert config().verify_correctness is True
        config().verify_correctness = False
    assert RawState() == before


def test_a_saved_config_is_loaded_inside_a_patch():
    """load_config assigns; leaving takes back what it did to the patched flags."""
    wanted = {LIMIT: 99, "verify_correctness": True}
    before = RawState()
    with dynconf.patch({LIMIT: 3, "verify_correctness": False}):
        config().load_config(wanted)
        assert torch_reads(LIMIT) == 99
        assert dynconf.origin(LIMIT).kind == "assignment"
    assert RawState() == before


@pytest.mark.known_shape
def test_codegen_prints_nothing_after_a_patch():
    """Torch prints what counts as set; after a patch of ours nothing does, unlike after its own."""
    if bind().release.minor < (2, 6):
        pytest.skip("torch 2.4 and 2.5 compare values only")
    with dynconf.patch(verify_correctness=True):
        assert "verify_correctness = True" in config().codegen_config()
    assert "verify_correctness" not in config().codegen_config()
