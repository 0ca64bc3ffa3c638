"""The raw state: what has changed since it was taken, and putting that back, on every inside."""

import pytest
from live_state import A_SET, LIMIT, RawState, config, default_of, in_force, patch_of_anything, torch_reads

import dynconf
from dynconf.live import baseline

SETS = {
    "assigns": lambda: setattr(config(), LIMIT, 64),
    "enters_a_patch": lambda: dynconf.patch({LIMIT: 64}).__enter__(),
    "enters_twice": lambda: [patch_of_anything({LIMIT: each}).__enter__() for each in (3, 64)],
    "enters_the_patch_of_torch": lambda: config().patch({LIMIT: 64}).__enter__(),
    "installs": lambda: dynconf.install(recompile_limit=64),
    "installs_and_patches": lambda: (
        dynconf.install(recompile_limit=3),
        dynconf.patch({LIMIT: 64}).__enter__(),
    ),
}


@pytest.mark.parametrize("sets", SETS.values(), ids=SETS)
def test_what_is_set_is_found_and_put_back(sets):
    """With old and new value; nothing of it is left."""
    before, state = RawState(), baseline.Baseline()
    sets()
    ((flag, old, new, _),), deleted = state.put_back()
    assert (flag, old, new, deleted) == ("recompile_limit", default_of(LIMIT), 64, [])
    assert torch_reads(LIMIT) == default_of(LIMIT)
    assert in_force() == []
    assert RawState() == before
    assert state.put_back() == ([], [])


def test_a_value_that_was_changed_in_place():
    """Whether it is torch's copy of the default, assigned, patched or installed."""
    for prepare in (
        lambda: getattr(config(), A_SET),
        lambda: setattr(config(), A_SET, {list}),
        lambda: patch_of_anything({A_SET: {list}}).__enter__(),
        lambda: _installed({A_SET: {list}}),
    ):
        prepare()
        state = baseline.Baseline()
        was = set(getattr(config(), A_SET))
        getattr(config(), A_SET).add(dict)
        ((flag, old, new, _),), _ = state.put_back()
        assert (flag, old, new) == (A_SET, was, was | {dict})
        assert getattr(config(), A_SET) == was
        assert state.put_back() == ([], [])
        baseline.Baseline.as_imported().put_back()
        assert getattr(config(), A_SET) == default_of(A_SET)


def _installed(flags):
    from live_state import dynconf_warnings_ignored

    with dynconf_warnings_ignored():
        return dynconf.install(**flags)


def test_what_was_taken_away_is_put_back():
    """An assignment and an installation that were in force, and are reset or uninstalled."""
    config().verbose = True
    installation = dynconf.install(recompile_limit=64)
    state = baseline.Baseline()
    for take_away in (dynconf.reset, installation.uninstall):
        take_away()
        leaks, _ = state.put_back()
        assert ("recompile_limit", 64, default_of(LIMIT)) in [leak[:3] for leak in leaks]
        assert (config().verbose, torch_reads(LIMIT)) == (True, 64)
    installation.uninstall()
    assert torch_reads(LIMIT) == default_of(LIMIT)


def test_equal_values_are_put_back_without_a_word():
    """What torch's own patch leaves behind, and what reading leaves behind."""
    before, state = RawState(), baseline.Baseline()
    with config().patch({LIMIT: 3, A_SET: {dict}}):
        pass
    assert state.put_back() == ([], [])
    for name, values in RawState().raw.items():
        assert name == A_SET or values == before.raw[name]


def test_a_deleted_flag():
    """It is there again, and named."""
    state = baseline.Baseline()
    delattr(config(), LIMIT)
    leaks, deleted = state.put_back()
    assert (leaks, [each.flag for each in deleted]) == ([], [f"{config().__name__}.{LIMIT}"])
    assert torch_reads(LIMIT) == default_of(LIMIT)


def test_accepting_and_revoking():
    """What a fixture of several tests sets belongs to the state until it is revoked."""
    state, before = baseline.Baseline(), baseline.Baseline()
    patch = dynconf.patch({LIMIT: 64})
    patch.__enter__()
    revoke = state.accept(before)
    assert state.put_back() == ([], [])
    setattr(config(), LIMIT, 3)
    ((_, old, new, _),), _ = state.put_back()
    assert (old, new, torch_reads(LIMIT)) == (64, 3, 64)
    patch.__exit__(None, None, None)
    revoke()
    assert state.put_back() == ([], [])
    patch.__enter__()
    assert [leak[:3] for leak in state.put_back()[0]] == [("recompile_limit", default_of(LIMIT), 64)]
