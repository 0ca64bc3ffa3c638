"""The raw state: what has changed since it was taken, and putting that back, on every inside."""

import sys
import threading
import time
from contextlib import contextmanager

import pytest
from live_state import (
    A_SET,
    LIMIT,
    LIVE,
    PER_CONTEXT,
    RawState,
    bind,
    config,
    default_of,
    dynconf_warnings_ignored,
    in_force,
    interrupted_at_each_line,
    lock_is_free,
    patch_of_anything,
    torch_reads,
)

import dynconf
from dynconf.tools import baseline

A_LIST = "inductor._fuse_ddp_communication_passes"


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
    with dynconf_warnings_ignored():
        return dynconf.install(**flags)


@pytest.mark.parametrize("way", ["hold", "defaults", "patch"])
def test_a_value_that_was_changed_in_place_below_others(way):
    """One that is held or a library's default, and that of a patch below another."""
    with dynconf_warnings_ignored(), getattr(dynconf, way)(**{A_SET: {list}}):
        value = getattr(config(), A_SET)
        state = baseline.Baseline()
        value.add(dict)
        with dynconf.patch({LIMIT: 5} if way != "patch" else {A_SET: {int}}):
            state.put_back()
        assert getattr(config(), A_SET) == {list}
        assert state.put_back() == ([], [])


def test_an_assignment_on_top_of_a_patch_and_an_installation_that_was_changed_in_place():
    """It is back with its content, in force as long as the patch."""
    with _installed({A_SET: {list}}), patch_of_anything({A_SET: {dict}}):
        setattr(config(), A_SET, {int})
        state = baseline.Baseline()
        getattr(config(), A_SET).add(bytes)
        patch_of_anything({A_SET: {str}}).__enter__()
        state.put_back()
        assert getattr(config(), A_SET) == {int}
    assert getattr(config(), A_SET) == default_of(A_SET)


def test_objects_in_containers_are_put_back_themselves():
    """They may be passes that cannot be copied, and are equal to nothing else."""
    one, other = threading.Lock(), object()
    with config("inductor").patch(_fuse_ddp_communication_passes=[one, other]):
        state = baseline.Baseline()
        assert state.put_back() == ([], [])
        torch_reads(A_LIST).clear()
        ((flag, old, new, _),), _ = state.put_back()
        assert (flag, old, new) == (A_LIST, [one, other], [])
        assert torch_reads(A_LIST)[0] is one


def test_a_value_that_cannot_be_read_is_put_back():
    """Such as a list that contains itself; the error comes through."""
    torch_reads(A_LIST)
    before, state = (RawState(), RawState("inductor")), baseline.Baseline()
    dynconf.patch({LIMIT: 64}).__enter__()
    endless = []
    endless.append(endless)
    config("inductor")._fuse_ddp_communication_passes = endless
    with pytest.raises(RecursionError):
        state.put_back()
    assert (RawState(), RawState("inductor")) == before
    assert state.put_back() == ([], [])


def test_a_patch_that_was_left_is_in_force_again():
    """Its owner leaves it as if nothing had happened; an assignment on top of it is back, too."""
    low, high = dynconf.patch({LIMIT: 5, "verbose": True}), dynconf.patch({LIMIT: 6})
    with low, high:
        config().verbose = False
        state, entered = baseline.Baseline(), in_force()
        low.__exit__(None, None, None)
        high.__exit__(None, None, None)
        dynconf.patch({LIMIT: 7}).__enter__()
        ((flag, *values, _),), _ = state.put_back()
        assert (flag, *values) == ("recompile_limit", 6, 7)
        assert in_force() == entered
        assert dynconf.origin("recompile_limit").kind == "patch"
        low.__exit__(None, None, None)
        assert torch_reads(LIMIT) == 6
        low.__enter__()
    assert torch_reads(LIMIT) == default_of(LIMIT)
    assert torch_reads("verbose") is False


@pytest.mark.since("2.6")
def test_no_rule_refuses_anything():
    """It would judge a state that is only half put back."""
    fails = bind().slot("fail_on_recompile_limit_hit").name
    with dynconf.install(suppress_errors=True) as ours:
        state = baseline.Baseline()
        ours.uninstall()
        setattr(config(), fails, True)
        leaks, _ = state.put_back()
        assert {each.flag for each in leaks} == {"suppress_errors", "fail_on_recompile_limit_hit"}
        assert (torch_reads("suppress_errors"), torch_reads(fails)) == (True, False)
        assert ours.is_installed()


def test_flags_of_changes_that_were_deleted():
    """The changes are in force again, which could not be entered while a flag is deleted."""
    with dynconf.install(suppress_errors=True) as ours, dynconf.patch(verbose=True) as patched:
        state = baseline.Baseline()
        ours.uninstall()
        patched.__exit__(None, None, None)
        del config().verbose
        del config().suppress_errors
        leaks, deleted = state.put_back()
        assert {each.flag for each in leaks} == {"suppress_errors", "verbose"}
        assert len(deleted) == 2
        assert torch_reads("suppress_errors") is torch_reads("verbose") is True
        assert ours.is_installed()


@pytest.mark.parametrize("made", [dynconf.install, dynconf.defaults])
def test_installations_keep_their_order(made):
    """One that was uninstalled and installed again goes back to its place."""
    with made(recompile_limit=5) as low, made(recompile_limit=6):
        state = baseline.Baseline()
        low.uninstall()
        low.install()
        assert torch_reads(LIMIT) == 5
        state.put_back()
        assert torch_reads(LIMIT) == 6


def test_an_interruption_anywhere_leaves_nothing_behind():
    """Everything is put back before it comes through."""
    places = set()

    def interrupt(frame, event, _):
        place = frame.f_code.co_filename, frame.f_lineno
        if not place[0].startswith(LIVE):
            return None
        # No `try` covers the first instruction of `put_back`.
        if event == "line" and place not in places and frame.f_code.co_name != "put_back":
            places.add(place)
            raise KeyboardInterrupt  # which ends the tracing
        return interrupt

    with _in_force_in_every_way() as changes:
        before, values, tracing = RawState(), dict(dynconf.snapshot()), sys.gettrace()
        while True:
            state = baseline.Baseline()
            for each in changes:
                each.__exit__(None, None, None)
            with dynconf_warnings_ignored():
                library()
            sys.settrace(interrupt)
            try:
                state.put_back()
                break
            except KeyboardInterrupt:
                pass
            finally:
                sys.settrace(tracing)
            assert dict(dynconf.snapshot()) == values
            assert RawState() == before
            assert lock_is_free()
            assert state.put_back() == ([], [])
    assert len(places) > 50


def test_an_interruption_parts_no_value_from_its_change():
    """A change that is put back, or taken out, is what torch reads, too, if nothing else has changed."""
    with (
        dynconf.install(verbose=True) as installed,
        dynconf.hold(suppress_errors=True) as held,
        dynconf.defaults(specialize_int=True) as ours,
    ):
        changes = {"verbose": installed, "suppress_errors": held, "specialize_int": ours}
        state = baseline.Baseline()
        for change in changes.values():
            change.uninstall()
        for _ in interrupted_at_each_line(state.put_back, KeyboardInterrupt):
            for flag, change in changes.items():
                assert change.is_installed()
                assert torch_reads(flag) is True
                change.uninstall()
    state = baseline.Baseline()
    for change in changes.values():
        change.install()
    for _ in interrupted_at_each_line(state.put_back, KeyboardInterrupt):
        for flag, change in changes.items():
            assert not change.is_installed()
            assert torch_reads(flag) is False
            change.install()


@contextmanager
def _in_force_in_every_way():
    """Have a patch, an installation, a held value and a default in force."""
    with (
        dynconf_warnings_ignored(),
        dynconf.install(recompile_limit=5) as installed,
        dynconf.hold(suppress_errors=True) as held,
        dynconf.defaults(specialize_int=True) as ours,
        patch_of_anything({"verbose": True, A_SET: {list}}) as patched,
    ):
        yield installed, held, ours, patched


def library():
    """Set flags in every way, and leave them so."""
    setattr(config(), LIMIT, 7)
    config().patch({"minimum_call_count": 3}).__enter__()
    for limit in (3, 64):
        patch_of_anything({LIMIT: limit, "verify_correctness": True}).__enter__()
    dynconf.install(recompile_limit=8)
    dynconf.hold(specialize_int=False)
    dynconf.defaults(suppress_errors=True)
    torch_reads(A_SET).add(int)
    del config().repro_level


class _Thread:
    """A thread that enters a patch, and leaves it when it is asked to."""

    def __init__(self, **flags):
        self._entered, self._leave, self._patch = (
            threading.Event(),
            threading.Event(),
            patch_of_anything(flags),
        )
        self._thread = threading.Thread(target=self._run)
        self._thread.start()
        self._entered.wait(60)

    def _run(self):
        with self._patch:
            self._entered.set()
            self._leave.wait(60)
            self.seen = {name: torch_reads(name) for name in self._patch.changes}

    def leave(self):
        """Leave it, and return the values that were in force in the body at its end."""
        self._leave.set()
        self._thread.join()
        return self.seen


def test_the_patch_of_another_thread_stays():
    """It is in force until its body ends; beneath it, everything is put back."""
    before, state = RawState(), baseline.Baseline()
    config().verbose = True
    thread = _Thread(verbose=False, specialize_int=True)
    dynconf.patch(verbose=True, recompile_limit=64).__enter__()
    state.put_back()
    assert torch_reads(LIMIT) == default_of(LIMIT)
    assert torch_reads("specialize_int") is not PER_CONTEXT
    assert state.put_back() == ([], [])
    assert thread.leave() == {"verbose": False, "specialize_int": True}
    assert state.put_back() == ([], [])
    assert RawState() == before


def test_the_patch_of_another_thread_that_has_ended_does_not_come_back():
    """It was in force before, and its body ended meanwhile."""
    before = RawState()
    thread = _Thread(verbose=True)
    with dynconf.patch(verbose=False):
        state = baseline.Baseline()
        thread.leave()
        config().verbose = True
        state.put_back()
        assert torch_reads("verbose") is False
    assert RawState() == before


def test_a_patch_that_a_thread_has_left_behind_is_undone():
    """The thread has ended without leaving it."""
    before, state = RawState(), baseline.Baseline()
    thread = threading.Thread(target=dynconf.patch(verbose=True).__enter__)
    thread.start()
    thread.join()
    state.put_back()
    assert RawState() == before


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


def test_a_patch_that_another_thread_enters_meanwhile_is_not_taken_for_an_override(monkeypatch):
    """The baseline has the override below it, whenever that is; so nothing of the patch is put back."""
    before, threads = RawState(), []
    entered = baseline._entered

    def found():
        result = entered()
        starting = threading.Thread(target=lambda: threads.append(_Thread(specialize_int=True)))
        starting.start()
        starting.join(0.1)  # in vain while this thread has the lock
        return result

    with monkeypatch.context() as patched:
        patched.setattr(baseline, "_entered", found)
        state = baseline.Baseline()
    while not threads:
        time.sleep(0.001)
    assert threads[0].leave() == {"specialize_int": True}
    state.put_back()
    assert torch_reads("specialize_int") is False
    assert RawState() == before
