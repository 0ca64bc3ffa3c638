"""One notion of a state: a mapping, settings and a snapshot are taken alike."""

import copy
import pickle
from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import pytest

import dynconf
from dynconf import DynamoSettings
from dynconf.store.snapshot import Snapshot

LIMIT = "recompile_limit"
FORMS = {
    "a dict": lambda: {"cache_size_limit": 64},
    "a mapping": lambda: MappingProxyType(OrderedDict(recompile_limit=64)),
    "settings": lambda: DynamoSettings(recompile_limit=64),
    "a snapshot": lambda: Snapshot({"recompile_limit": 64}),
    "a snapshot of a snapshot": lambda: Snapshot(Snapshot({"recompile_limit": 64})),
}
EACH = pytest.mark.parametrize("form", FORMS)


@EACH
def test_patch_and_install_take_it(form):
    """Its values are in force."""
    state = FORMS[form]()
    for put_in_force in (dynconf.patch, dynconf.install, dynconf.dynamo.patch, dynconf.dynamo.install):
        with put_in_force(state):
            assert dynconf.snapshot()["recompile_limit"] == 64
    assert list(dynconf.snapshot().only_set()) == []


@EACH
def test_save_diff_fingerprint_and_snapshot_take_it(form):
    """Each gives the same result for it."""
    state, measure = FORMS[form](), Snapshot({"recompile_limit": 64})
    dynconf.save("state.json", state)
    assert dynconf.load("state.json") == {LIMIT: 64}
    assert dynconf.diff(state, measure) == []
    assert [change.flag for change in dynconf.diff({}, state)] == [LIMIT]
    assert dynconf.fingerprint(state) == dynconf.fingerprint(measure) == dynconf.fingerprint("state.json")
    assert dict(Snapshot(state)) == {LIMIT: 64}


def test_install_takes_a_name_and_a_value():
    """It accepts them as patch does."""
    with dynconf.install("recompile_limit", 64), dynconf.functorch.install("cse", False):
        assert dynconf.snapshot()["recompile_limit"] == 64
        assert dynconf.snapshot()["functorch.cse"] is False
    with pytest.raises(TypeError, match=r"dynconf\.install"):
        dynconf.install("recompile_limit", 64, verbose=True)
    with pytest.raises(TypeError, match="config"):
        dynconf.install(DynamoSettings(), config="a.toml")


@pytest.mark.parametrize("wrong", [3, object(), ["verbose"]])
def test_what_is_no_state_is_refused(wrong):
    """Every function refuses it."""
    for function in (
        dynconf.patch,
        dynconf.install,
        dynconf.fingerprint,
        lambda it: dynconf.save("a.json", it),
    ):
        with pytest.raises(TypeError):
            function(wrong)
    assert not Path("a.json").exists()


def test_a_snapshot_reads_like_a_mapping():
    """Any name of a flag is a key, and the snapshot is equal to a dict of the same values."""
    with dynconf.patch(recompile_limit=64):
        state = dynconf.snapshot()
    assert state["recompile_limit"] == state["cache_size_limit"] == 64
    assert "verbose" in state
    assert "verbos" not in state
    assert isinstance(state, Mapping)
    assert len(state) == len(list(state)) == len(state.values())
    assert dict(state) == dict(state.items()) == state
    assert (state.get("verbose"), state.get("verbos", 3)) == (False, 3)


def test_a_snapshot_cannot_be_changed():
    """Neither can its values; copies and pickles are equal."""
    state = Snapshot({"reorderable_logging_functions": {print}})
    with pytest.raises(TypeError):
        state["verbose"] = True  # type: ignore[index]
    with pytest.raises(AttributeError):
        state.torch = "2.4"  # type: ignore[misc]
    state["reorderable_logging_functions"].clear()
    next(iter(state.values())).clear()
    next(iter(state.state.values())).value.clear()
    assert state["reorderable_logging_functions"] == {print}
    assert copy.deepcopy(state) == pickle.loads(pickle.dumps(state)) == state  # noqa: S301  made in this line


def test_a_limit_that_may_only_be_raised_is_a_number_in_a_state():
    """The higher one of it and the default."""
    assert dict(Snapshot({"recompile_limit": dynconf.at_least(4)})) == {LIMIT: 8}
    assert dynconf.fingerprint({"recompile_limit": dynconf.at_least(4)}) == dynconf.fingerprint({})
    state = Snapshot(DynamoSettings(recompile_limit=dynconf.at_least(64)))
    assert (dict(state), type(state[LIMIT])) == ({LIMIT: 64}, int)
