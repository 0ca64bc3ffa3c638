"""Held values and libraries' defaults: whatever is mixed, torch reads what a model of a few lines says."""

import inspect
import threading
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from live.limit_model import DEFAULT, FLAG, INSTALLING, LASTING, PATCHES, Model
from live_state import (
    LIMIT,
    RawState,
    bind,
    bound_in_place_of_dynamo,
    changed_at_each_instruction,
    config,
    dynconf_warnings_ignored,
    executed,
    interrupted_at_each_line,
    limit,
    lock_is_free,
    older_monkeypatch,
    result_in_thread,
    threads_switching_often,
)

import dynconf
from dynconf.live import guard
from dynconf.live.assignments import watch_assignments
from dynconf.live.layers import DEFAULTS, HOLDS
from dynconf.live.torch import door
from dynconf.live.torch.door import config_classes
from dynconf.live.torch.restoring import RAW_SETTER


@pytest.fixture(autouse=True)
def _nothing_left():
    """Each test ends what it began."""
    yield
    assert (HOLDS.entered, DEFAULTS.entered) == ({}, {})


every_patch = pytest.mark.parametrize("patch", PATCHES.values(), ids=PATCHES)


NUMBERS = st.integers(10, 60)
OPERATIONS = st.lists(
    st.one_of(
        st.tuples(st.just("assign"), NUMBERS),
        st.tuples(st.sampled_from(sorted(PATCHES)), NUMBERS),
        st.just(("leave", 0)),
        st.tuples(st.sampled_from(sorted(LASTING | INSTALLING)), NUMBERS),
        st.tuples(st.just("defaults"), NUMBERS.map(dynconf.at_least)),
        st.tuples(st.sampled_from([f"end {kind}" for kind in LASTING]), st.integers(0, 5)),
    ),
    max_size=14,
)


@given(OPERATIONS)
@example([("torch", 0), ("hold", 20), ("leave", 0), ("end hold", 0)])
@example([("hold", 20), ("torch", 0), ("end hold", 0), ("leave", 0)])
@example([("torch", 0), ("defaults", 20), ("leave", 0)])
@example([("defaults", 20), ("mock", 0), ("end defaults", 0), ("leave", 0)])
@example([("torch", 0), ("install", 20), ("leave", 0), ("end install", 0), ("defaults", 30)])
@example([("torch", 0), ("install", 20), ("defaults", 30), ("leave", 0), ("end install", 0)])
@example([("mock", 0), ("defaults", 30), ("install", 20), ("end install", 0), ("leave", 0)])
@example([("older monkeypatch", 0), ("hold", 20), ("install here", 30), ("leave", 0), ("end hold", 0)])
@example([("defaults", 20), ("install here", 30), ("older monkeypatch", 0), ("end install", 0), ("leave", 0)])
@example([("hold", 60), ("hold", 20), ("end hold", 0), ("end hold", 0)])
@example([("hold", 60), ("assign", 0), ("end hold", 0)])
@example([("assign", 0), ("defaults", dynconf.at_least(5000))])
@example([("defaults", 60), ("defaults", dynconf.at_least(40)), ("end defaults", 0)])
@example([("defaults", 20), ("defaults", 60), ("defaults", 40), ("end defaults", 2), ("end defaults", 0)])
@example(
    [("install here", 10), ("install", 30), ("install here", 11), ("end install", 2), ("end install", 1)]
)
@example([("assign", 0), ("install", 0), ("monkeypatch", 0), ("leave", 0)])
@example([("assign", 0), ("install", 0), ("older monkeypatch", 0), ("older monkeypatch", 0), ("leave", 0)])
@example([("install", 0), ("older monkeypatch", 0), ("end install", 0), ("leave", 0)])
@example([("torch", 0), ("install here", 0), ("leave", 0), ("end install", 0)])
@example([("mock", 0), ("install here", 0), ("leave", 0), ("end install", 0)])
@example([("assign", 0), ("install", 0), ("assign", 0), ("install", 0), ("end install", 1)])
@example(
    [("assign", 0), ("install", 0), ("torch", 0), ("leave", 0), ("mock", 0), ("leave", 0), ("dynconf", 0)]
)
def test_random_programs_read_what_the_model_says(operations):
    """Every way of setting a flag, in any order; and in the end its override is exactly what it was."""
    with dynconf.install({LIMIT: 1}):
        pass  # from here on the flag has a stand-in; without, pytest from 9.2 on deletes the flag
    start, model = RawState(), Model()
    model.check(operations)
    if model.override is None:
        assert RawState().raw[LIMIT] == start.raw[LIMIT]
    else:
        assert limit() == model.override[0]
    dynconf.reset()


@every_patch
@pytest.mark.parametrize("kind", ["hold", "defaults"])
def test_a_patch_of_others_leaves_nothing_of_what_it_found(kind, patch):
    """A held value or a library's must not become an override; inside, the first alone counts."""
    before = RawState()
    with dynconf_warnings_ignored(), LASTING[kind](64):
        with patch(5):
            assert limit() == (64 if kind == "hold" else 5)
        assert limit() == 64
    assert limit() == DEFAULT
    assert kind == "defaults" or RawState() == before


@pytest.mark.parametrize("make", [pytest.MonkeyPatch, older_monkeypatch], ids=["pytest's", "up to 9.1"])
@pytest.mark.parametrize("kind", ["hold", "defaults"])
def test_a_monkeypatch_that_sets_or_deletes_a_flag_of_which_nothing_is_installed(kind, make, tmp_path):
    """Whenever it is undone, the flag is there, and neither the held value nor the default is left in it."""
    source = Path(config().__file__).read_text(encoding="utf-8")
    with pytest.MonkeyPatch.context() as patching, dynconf_warnings_ignored():
        bound_in_place_of_dynamo(patching, executed(source, tmp_path))
        for change in (
            lambda made: made.setattr(config(), LIMIT, 5),
            lambda made: made.delattr(config(), LIMIT),
        ):
            made = make()
            with LASTING[kind](20):
                change(made)
                made.undo()
                assert limit() == 20
                change(made)
            made.undo()
            assert limit() == DEFAULT
            assert result_in_thread(limit) == DEFAULT


def test_the_hashes_and_dicts_of_torch_follow():
    """Caches of the compiler are keyed by them."""
    before = config().get_hash()
    with dynconf.hold(specialize_int=True):
        assert config().get_config_copy()["specialize_int"] is True
        assert config().get_hash() != before
        assert result_in_thread(config().get_config_copy)["specialize_int"] is True
    assert config().get_hash() == before


def test_many_threads_that_hold_set_and_read():
    """None sees anything but a value that somebody had in force, and nothing is left."""
    before = RawState()

    def work(number):
        for _ in range(30):
            with dynconf.defaults({FLAG: 100 + number}), dynconf.patch({FLAG: 5}):
                assert limit() in (5, 64)
            with dynconf.hold({FLAG: 64}):
                assert limit() == 64

    with dynconf_warnings_ignored(), threads_switching_often(), ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    assert RawState() == before


def test_a_patch_that_another_thread_enters_meanwhile_counts():
    """Giving a default drops what torch's own patch left behind, at whatever moment a thread patches."""
    before, slot = RawState(), bind().slot(LIMIT)
    entered, read = threading.Event(), threading.Event()

    def read_patched():
        with dynconf.patch({FLAG: 5}):
            entered.set()
            read.wait(20)
            return limit()

    def give_default():
        with dynconf.defaults({FLAG: 100}):
            pass

    found = []

    def patch_elsewhere():
        found.append(pool.submit(read_patched))
        entered.wait(0.02)  # in vain while this thread has the lock

    slot.store(DEFAULT)
    with ThreadPoolExecutor(1) as pool:
        for line in changed_at_each_instruction(give_default, patch_elsewhere, unit="line"):
            assert entered.wait(20)
            read.set()
            assert found.pop().result(20) == 5, line
            entered.clear()
            read.clear()
            dynconf.reset(FLAG)
            assert RawState() == before, line
            slot.store(DEFAULT)
    dynconf.reset(FLAG)


@pytest.mark.parametrize("error", [RecursionError, KeyboardInterrupt])
@pytest.mark.parametrize("kind", ["hold", "defaults"])
def test_an_interruption_leaves_all_or_nothing(kind, error):
    """Law 1, at every line of entering: an installation that was refused is not in force."""
    before = RawState()
    LASTING[kind](20).uninstall()
    for line in interrupted_at_each_line(lambda: LASTING[kind](20).uninstall(), error):
        left = [*HOLDS.entered, *DEFAULTS.entered]
        assert limit() == (20 if left else DEFAULT), line
        for each in left:
            each.uninstall()
        assert RawState() == before, line
        assert lock_is_free()


@pytest.mark.known_shape
def test_all_that_intercepts_assignments_does_so_whoever_came_first():
    """Another thread may begin to record or to watch assignments while one begins to guard them."""

    def prepare():
        watch_assignments.cache_clear()
        door._listeners.clear()
        for owner, name in intercepted:
            setattr(owner, name, inspect.unwrap(vars(owner)[name]))

    def record_elsewhere():
        recording.append(pool.submit(watch_assignments))
        wait(recording, 0.002)  # in vain while this thread has the lock

    guard.guard_writes()
    names = ("__setattr__", "__delattr__", RAW_SETTER)
    intercepted = [(owner, name) for owner in config_classes() for name in names if name in vars(owner)]
    recording = []
    with ThreadPoolExecutor(1) as pool:
        prepare()
        for line in changed_at_each_instruction(guard.guard_writes, record_elsewhere, unit="line"):
            recording.pop().result(20)
            with dynconf.hold({FLAG: 100}), pytest.warns(dynconf.DynconfWarning, match=FLAG):
                setattr(config(), LIMIT, 64)
            assert dynconf.origin(FLAG).kind == "assignment", line
            dynconf.reset(FLAG)
            prepare()
    guard.guard_writes()
    watch_assignments()
