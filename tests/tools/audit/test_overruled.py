"""The explicit settings that are not in force, and the warnings at the end of a process."""

from unittest import mock

import pytest
from live_state import LIMIT, config
from warm import Warm

import dynconf
from dynconf import provenance
from dynconf.errors import OverruledWarning
from dynconf.tools.audit.overruled import overruled_settings

LASTING = f"""
import atexit, dynconf, dynconf.tools.audit.overruled, torch._dynamo.config as config
dynconf.install(verbose=True)
dynconf.install(recompile_limit=64, repro_level=3)
exec(compile('config.patch({LIMIT}=3).__enter__()', 'library.py', 'exec'))
with config.patch(repro_level=2):
    config.verbose = True
if fork:
    import os
    if os.fork():
        os.wait()
    else:
        raise SystemExit
"""


def overruled():
    """Return flags with the values that are not in force."""
    return {slot.setting.newest: [value for value, _ in each] for slot, each in overruled_settings().items()}


def test_whatever_is_in_force_instead():
    """An assignment, torch's patch, dynconf's, or a later installation."""
    with dynconf.install({LIMIT: 64}):
        assert overruled() == {}
        with config().patch({LIMIT: 3}):
            assert overruled() == {"recompile_limit": [64]}
        with dynconf.patch({LIMIT: 3}):
            assert overruled() == {"recompile_limit": [64]}
        config().__setattr__(LIMIT, 5)
        assert overruled() == {"recompile_limit": [64]}
    config().__setattr__(LIMIT, 8)
    assert overruled() == {}


def test_an_update_from_the_same_place_overrules_nothing(tmp_path):
    """A file that was edited and is read again replaces its own former value."""
    for value in (64, 32):
        (tmp_path / "dynconf.toml").write_text(f"{LIMIT} = {value}\n")
        dynconf.install()
    assert overruled() == {}
    with config().patch({LIMIT: 3}):
        assert overruled() == {"recompile_limit": [32]}


@pytest.mark.parametrize("fork", [False, True])
def test_a_patch_that_is_never_left_is_told_at_the_end(warm: Warm, fork):
    """With the line that entered it, once; patches that were left are nobody's business."""
    done = warm.run("-c", f"fork = {fork}\n{LASTING}")
    assert done.returncode == 0
    (warning,) = [each for each in done.stderr.splitlines() if "OverruledWarning" in each]
    assert warning.startswith(
        "library.py:1: OverruledWarning: recompile_limit: library.py:1 sets it permanently"
    )


def test_where_warnings_are_errors_none_of_those_at_the_end_hides_the_others(warm: Warm):
    """An error could end nothing any more."""
    program = f"""
import warnings
warnings.simplefilter("error")
fork = False
{LASTING}
exec(compile("config.patch(repro_level=1).__enter__()", "library.py", "exec"))
"""
    done = warm.run("-c", program)
    assert done.returncode == 0
    flags = [each.split(": ")[2] for each in done.stderr.splitlines() if "OverruledWarning" in each]
    assert flags == ["recompile_limit", "repro_level"]


IN_PLACE = """
import dynconf, torch._dynamo.config as config
dynconf.{way}({{"reorderable_logging_functions": set()}})
config.reorderable_logging_functions.add({added})
"""


@pytest.mark.parametrize("way", ["hold", "install"])
def test_a_container_that_is_changed_in_place_is_named(warm: Warm, way):
    """At the end, because torch returns it without asking dynconf."""
    assert warm.run("-c", IN_PLACE.format(way=way, added="print").replace("add", "discard")).stderr == ""
    done = warm.run("-c", IN_PLACE.format(way=way, added="print"))
    assert done.returncode == 0
    (warning,) = [each for each in done.stderr.splitlines() if "OverruledWarning" in each]
    assert ": something in this process has changed it in place to {<built-in function print>}" in warning
    assert f"and so overrules set() ({way} at " in warning


def test_a_variable_that_code_has_changed_is_told_at_the_installation(monkeypatch):
    """The user exported 64; a library has written 32 into os.environ since."""
    monkeypatch.setenv("TORCHDYNAMO_RECOMPILE_LIMIT", "32")
    at_start = {"TORCHDYNAMO_RECOMPILE_LIMIT": "64"}
    with mock.patch.object(provenance, "environment_at_start", return_value=at_start):
        with pytest.warns(OverruledWarning, match="was 64 when the process started; code in it has set"):
            dynconf.install()
        assert str(dynconf.origin(LIMIT)).endswith("=32 (64 when the process started)")
