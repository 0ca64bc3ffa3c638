"""The stand-in for an override: the trace in ARCHITECTURE.md, and code that restores."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from live_state import LIMIT, bind, config, default_of, limit, only_per_context, torch_reads

import dynconf
from dynconf.live.layers import INSTALLED
from dynconf.live.torch.override import RankedOverride


def stored(slot):
    """Return the stored override in a form that can be compared: a value, or value, rank and hidden one."""
    found = slot.stored()
    if type(found) is not RankedOverride:
        return "unset" if found is slot.storage.unset else found
    hidden = "unset" if found.hidden is slot.storage.unset else found.hidden
    return found.value, found.rank - INSTALLED.latest_rank, hidden


@pytest.mark.known_shape
@only_per_context
def test_the_trace_in_the_architecture():
    """Install 32, torch's own patch 64 in a thread, assign, uninstall: ARCHITECTURE.md shows these values."""
    slot = bind().slot(LIMIT)
    torchs = config().patch({LIMIT: 64})
    with ThreadPoolExecutor(1) as thread:
        seen = []

        def step(work=None):
            if work is not None:
                thread.submit(work).result()
            installed = None if slot.installed is None else slot.installed.value
            theirs = thread.submit(lambda: (stored(slot), torch_reads(LIMIT))).result()
            seen.append((installed, theirs, torch_reads(LIMIT)))

        step()
        installation = dynconf.install({LIMIT: 32})
        step()
        step(torchs.__enter__)
        step(lambda: torchs.__exit__(None, None, None))
        step(lambda: setattr(config(), LIMIT, 50))
        installation.uninstall()
        step()
    assert seen == [
        (None, ("unset", 8), 8),
        (32, ("unset", 32), 32),
        (32, ((64, 0, "unset"), 64), 32),
        (32, ("unset", 32), 32),
        (32, ((50, 0, "unset"), 50), 32),
        (None, ((50, 0, "unset"), 50), 8),
    ]


def test_what_is_set_without_an_installation_is_stored_as_it_is():
    """A rank is for flags that are installed now, not for those that were once."""
    slot = bind().slot(LIMIT)
    with dynconf.install({LIMIT: 32}):
        setattr(config(), LIMIT, 5)
        assert type(slot.stored()) is RankedOverride
    setattr(config(), LIMIT, 6)
    assert slot.stored() == 6


def test_assigning_the_installed_value_inside_a_patch_sets_it():
    """There it is not what the program found, so the patch is overruled until it is left."""
    with dynconf.install({LIMIT: 32}), dynconf.patch({LIMIT: 64}):
        setattr(config(), LIMIT, 32)
        assert torch_reads(LIMIT) == 32
        assert dynconf.origin(LIMIT).kind == "assignment"


def test_an_installation_reaches_a_thread_that_patches_no_flag_of_it(worker):
    """A patch of another flag in a thread hides nothing of what is installed later."""
    patch = dynconf.patch(verify_correctness=True)
    worker(patch.__enter__)
    with dynconf.install({LIMIT: 32}):
        assert worker(limit) == 32
    worker(lambda: patch.__exit__(None, None, None))


def test_a_foreign_patch_that_sets_a_flag_under_two_names():
    """A patch of torch's own puts back the state before the first name, not that between the two."""
    old, new = "cache_size_limit", "recompile_limit"
    if not bind().alias_of(old):
        pytest.skip("torch forwards old names from 2.7 on")
    with dynconf.install({new: 32}):
        with config().patch({old: 3, new: 4}):
            assert torch_reads(new) == 4
        assert torch_reads(new) == 32
        assert bind().slot(new).effective_override() is bind().slot(new).storage.unset


@only_per_context
def test_a_reset_takes_flags_out_of_installations_for_the_context():
    """One that has lost all of its flags is not installed any more; one that has others still is."""
    one = dynconf.install({LIMIT: 32}, scope="context")
    both = dynconf.install({LIMIT: 33, "verify_correctness": True}, scope="context")
    dynconf.reset(LIMIT)
    assert (one.is_installed(), both.is_installed()) == (False, True)
    assert torch_reads(LIMIT) == default_of(LIMIT)
    assert config().verify_correctness is True
    both.uninstall()
    assert config().verify_correctness is False


def test_leaving_below_keeps_later_assignments():
    """A value that was assigned inside a patch holds while another one below it is left."""
    below, above = dynconf.patch({LIMIT: 1}), dynconf.patch({LIMIT: 2})
    below.__enter__()
    above.__enter__()
    setattr(config(), LIMIT, 9)
    below.__exit__(None, None, None)
    assert torch_reads(LIMIT) == 9
    above.__exit__(None, None, None)
    assert torch_reads(LIMIT) == default_of(LIMIT)


def test_two_threads_that_install_at_once_install_it_once(monkeypatch):
    """Both find that it is not installed; the second one to get the lock has nothing left to do."""
    installation = dynconf.install({LIMIT: 32})
    with monkeypatch.context() as patching:
        patching.setattr(type(installation), "is_installed", lambda _: False)
        installation.install()
    assert len(INSTALLED.of(bind().slot(LIMIT))) == 1
    installation.uninstall()
    assert torch_reads(LIMIT) == default_of(LIMIT)
