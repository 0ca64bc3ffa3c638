"""Law 8 where real programs broke it: torch's own patch, mock and assignments before, during and after."""

import pickle
import unittest.mock
from concurrent.futures import ThreadPoolExecutor

import pytest
from live.limit_model import PATCHES
from live_state import (
    A_SET,
    LIMIT,
    PER_CONTEXT,
    closure,
    config,
    default_of,
    dynconf_warnings_ignored,
    in_force,
    limit,
    mocked,
    threads_switching_often,
    torch_reads,
    torchs,
)

import dynconf

pytestmark = pytest.mark.usefixtures("nothing_in_force")

DEFAULT = default_of(LIMIT)


every_way = pytest.mark.parametrize("way", [torchs, mocked, closure, PATCHES["alias"]])


@pytest.fixture(params=[False, True], ids=["first", "again"], autouse=True)
def _installed_before(request):
    """Run each test where the flag was not installed before, as far as that goes, and where it was."""
    if request.param:
        dynconf.install(recompile_limit=77).uninstall()


@every_way
def test_a_thread_that_patched_before_sees_what_is_installed(way, worker):
    """What a patch leaves behind in its thread is older than the installation."""

    def patched():
        with way(5):
            return limit()

    assert worker(patched) == 5
    with dynconf.install(recompile_limit=32):
        assert worker(limit) == limit() == 32
    assert worker(limit) == limit() == DEFAULT


@every_way
def test_a_patch_during_the_installation_leaves_nothing(way, worker):
    """It holds inside, and neither it nor the installed value outlasts the installation."""

    def patched():
        with way(5):
            inside = limit()
        return inside, limit()

    with dynconf.install(recompile_limit=32) as first:
        assert worker(patched) == patched() == (5, 32)
        with dynconf.install(recompile_limit=64):
            assert worker(limit) == limit() == 64
            assert worker(patched) == patched() == (5, 64)
            first.uninstall()
            assert worker(limit) == limit() == 64
    assert worker(limit) == limit() == DEFAULT


@every_way
@pytest.mark.parametrize("value", [5, 32], ids=["another value", "the same value"])
def test_uninstalling_inside_a_patch(way, value):
    """A patch that was entered later goes on, and leaves what would be there without the installation."""
    installation = dynconf.install(recompile_limit=32)
    with way(value):
        installation.uninstall()
        assert limit() == value
    assert limit() == DEFAULT
    assert dynconf.origin("recompile_limit").kind == "default"


def test_patches_of_other_threads_stay_on_top(worker):
    """Installing does not reach below a patch that another thread is in."""
    patch = dynconf.patch(recompile_limit=5)
    worker(patch.__enter__)
    with dynconf.install(recompile_limit=32):
        assert worker(limit) == 5
        assert limit() == (32 if PER_CONTEXT else 5)
        worker(lambda: patch.__exit__(None, None, None))
        assert worker(limit) == limit() == 32
    assert worker(limit) == DEFAULT


@pytest.mark.parametrize("assign", ["assignment", "torch", "mock", "load_config"])
def test_an_explicit_default_counts(assign, worker):
    """With a set installed, setting the default is setting something."""

    def empty():
        default = default_of(A_SET)
        if assign == "assignment":
            setattr(config(), A_SET, default)
        elif assign == "load_config":
            config().load_config(pickle.dumps({A_SET: default}))
        else:
            patch = (
                config().patch({A_SET: default})
                if assign == "torch"
                else unittest.mock.patch.object(config(), A_SET, default)
            )
            with patch:
                return torch_reads(A_SET)
        return torch_reads(A_SET)

    worker(lambda: torch_reads(A_SET))  # which leaves a copy of the default there
    with dynconf_warnings_ignored(), dynconf.install(**{A_SET: {dict}}):
        assert torch_reads(A_SET) == worker(lambda: torch_reads(A_SET)) == {dict}
        assert empty() == worker(empty) == default_of(A_SET)
        if assign in ("torch", "mock"):
            assert torch_reads(A_SET) == worker(lambda: torch_reads(A_SET)) == {dict}
    assert torch_reads(A_SET) == worker(lambda: torch_reads(A_SET)) == default_of(A_SET)


def test_no_reader_ever_gets_torchs_sentinel():
    """While others install, a flag reads as its default or as what is installed, and nothing else."""
    readers, count = 3, 3000
    allowed = {frozenset(default_of(A_SET)), frozenset({dict})}

    def read():
        found = set()
        for _ in range(count):
            dynconf.reset(A_SET) if PER_CONTEXT else None
            found.add(frozenset(torch_reads(A_SET)))
        return found

    with dynconf_warnings_ignored(), threads_switching_often(), ThreadPoolExecutor(readers) as pool:
        reading = [pool.submit(read) for _ in range(readers)]
        while not all(each.done() for each in reading):
            dynconf.install(**{A_SET: {dict}}).uninstall()
        for each in reading:
            assert each.result() <= allowed


def test_leftovers_are_not_set(tmp_path):
    """What torch's patch leaves behind is the default: for `origin`, `save` and `fingerprint` unset."""
    bare = dynconf.fingerprint()
    with torchs(5):
        assert dynconf.origin("recompile_limit").kind == "assignment"
    assert dynconf.origin("recompile_limit").kind == "default"
    assert "recompile_limit" not in list(dynconf.snapshot().only_set())
    assert dynconf.fingerprint() == bare
    dynconf.save(tmp_path / "state.json")
    assert '"flags": {}' in (tmp_path / "state.json").read_text()


@pytest.mark.real_torch
def test_a_strict_export_and_a_compile_leave_nothing_set(tmp_path):
    """Meanwhile torch patches a dozen flags, and leaves an override behind for each."""
    import torch

    module = torch.nn.Linear(2, 2)
    torch.export.export(module, (torch.ones(1, 2),), strict=True)
    torch.compile(lambda value: value + 1, backend="aot_eager")(torch.ones(2))
    assert list(dynconf.snapshot().only_set()) == []
    dynconf.save(tmp_path / "state.json")
    assert '"flags": {}' in (tmp_path / "state.json").read_text()
    torch._dynamo.reset()


# -- what an Installation says of itself ------------------------------------------------------------------


def test_entering_it_twice():
    """The inner block does not end the outer one."""
    installation = dynconf.install(recompile_limit=32)
    with installation:
        with installation:
            assert limit() == 32
        assert limit() == 32
    assert limit() == DEFAULT


def test_others_may_uninstall_without_end():
    """Nothing is left in the thread that installed."""
    with ThreadPoolExecutor(1) as pool:
        for _ in range(300):
            pool.submit(dynconf.install(recompile_limit=32).uninstall).result()
    assert not in_force()
    assert limit() == DEFAULT


def test_installations_are_not_copied():
    """Neither by copy nor by pickle, and the error says what to do."""
    import copy

    with dynconf.install(recompile_limit=32) as installation:
        for attempt in (copy.copy, copy.deepcopy, pickle.dumps):
            with pytest.raises(TypeError, match="send its `changes`"):
                attempt(installation)
