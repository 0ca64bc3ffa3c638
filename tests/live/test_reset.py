"""`dynconf.reset`: overrides and installed values are dropped, and nothing brings them back."""

from unittest import mock

import pytest
from live_state import A_SET, LIMIT, RawState, config, default_of, result_in_thread, torch_reads

import dynconf


@pytest.mark.known_shape
def test_reset_of_one_and_of_all():
    """The flags are unset again, mutable and deleted ones too; the others stay as they are."""
    clean = RawState()
    config().verify_correctness = True
    setattr(config(), LIMIT, 3)
    setattr(config(), A_SET, {dict})
    delattr(config(), "specialize_int")
    dynconf.reset("cache_size_limit", "specialize_int")
    assert torch_reads(LIMIT) == default_of(LIMIT)
    assert config().specialize_int is False
    assert config().verify_correctness is True
    with pytest.raises(dynconf.UnknownFlagError):
        dynconf.reset("verify_correctness", "no_such_flag")
    assert config().verify_correctness is True
    dynconf.reset()
    if "_default" in vars(config()):  # where values are all there is, a default is a copy
        assert torch_reads(A_SET) == default_of(A_SET)
        assert config().verify_correctness is False
    else:
        assert RawState() == clean


def test_reset_inside_patches_and_installations():
    """It ends what is installed, and leaving a patch brings nothing back."""
    setattr(config(), LIMIT, 3)
    installation = dynconf.install(recompile_limit=4, verify_correctness=True)
    with dynconf.patch(recompile_limit=5):
        dynconf.reset("recompile_limit")
        assert torch_reads(LIMIT) == default_of(LIMIT)
        assert result_in_thread(lambda: torch_reads(LIMIT)) == default_of(LIMIT)
        assert config().verify_correctness is True
        with dynconf.patch(recompile_limit=6):
            assert torch_reads(LIMIT) == 6
        assert torch_reads(LIMIT) == default_of(LIMIT)
    assert torch_reads(LIMIT) == default_of(LIMIT)
    installation.uninstall()
    assert torch_reads(LIMIT) == default_of(LIMIT)
    assert config().verify_correctness is False


@pytest.mark.known_shape
@pytest.mark.since("2.7")
@pytest.mark.parametrize("flags", [["recompile_limit"], ["cache_size_limit"], []])
def test_an_old_name_that_was_deleted_is_back(flags):
    """As by unittest.mock, which deletes a name for a moment, and torch takes it back for flags alone."""
    with mock.patch.object(config(), "cache_size_limit", 3):
        pass
    delattr(config(), "cache_size_limit")
    dynconf.reset("verify_correctness")
    assert not hasattr(config(), "cache_size_limit")
    dynconf.reset(*flags)
    assert config().cache_size_limit == default_of(LIMIT)


@pytest.mark.parametrize("flags", [["recompile_limit"], []], ids=["one", "all"])
def test_what_a_reset_has_dropped_is_installed_again(flags):
    """Also if other values of the installation stayed; if none did, it is not installed."""
    installation = dynconf.install(recompile_limit=4, verify_correctness=True)
    for again in (installation.install, installation.__enter__):
        dynconf.reset(*flags)
        assert torch_reads(LIMIT) == default_of(LIMIT)
        assert installation.is_installed() is bool(flags)
        again()
        assert torch_reads(LIMIT) == 4
        assert config().verify_correctness is True
    installation.uninstall()
    assert torch_reads(LIMIT) == default_of(LIMIT)
    assert config().verify_correctness is False


def test_reset_reaches_every_module():
    """Without names it drops what is set in every config module that is loaded."""
    clean = RawState("functorch")
    config("functorch").cse = False
    dynconf.reset("functorch.cse")
    assert RawState("functorch").differing(clean) == []
    config("functorch").cse = False
    dynconf.reset()
    assert config("functorch").cse is True
    assert dynconf.origin("functorch.cse").kind == "default"
