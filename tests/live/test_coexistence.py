"""torch's own patch, assignment, unittest.mock and load_config work beside dynconf, in any nesting."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from live_state import NESTED, bind, closure, in_force, mocked, place, torch_reads, torchs

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
