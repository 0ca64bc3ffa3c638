"""`check_threads`: flags that are set for the running thread only."""

import json
from pathlib import Path

import pytest
from live_state import PER_CONTEXT, config

import dynconf


def codes(report):
    """Return flag, value here and value there of each finding."""
    return {(each.flag, each.facts["here"], each.facts["there"]) for each in report.findings}


def test_flags_that_another_thread_would_not_see():
    """Patches and assignments from torch 2.12 on, not installations; each with value, origin and remedy."""
    config().verbose = True
    with (
        dynconf.install(specialize_int=True),
        dynconf.patch(recompile_limit=64, functorch={"functionalize_rng_ops": True}),
    ):
        report = dynconf.check_threads()
    if not PER_CONTEXT:
        assert report.findings == ()
        return
    assert codes(report) == {
        ("verbose", True, False),
        ("recompile_limit", 64, 8),
        ("functorch.functionalize_rng_ops", True, False),
    }
    assert not report.ok
    assert {each.code for each in report.findings} == {"DC504"}
    (limit,) = (each for each in report.findings if each.flag == "recompile_limit")
    assert limit.message.startswith("recompile_limit: 64 here (patch at ")
    assert "but 8 in another thread; dynconf.install sets it for all threads" in limit.message
    assert json.loads(json.dumps(report.as_json()))["findings"][0]["origin"]["kind"]


def test_nothing_set():
    """Values that every thread has anyway are not reported."""
    with dynconf.patch(verbose=False):
        assert dynconf.check_threads().findings == ()


def test_modules_are_imported_first():
    """From the working directory too; one that cannot be imported is an error that names it, and the line."""
    Path("sets_a_flag.py").write_text("import torch._dynamo.config as c\nc.verbose = True\n")
    Path("breaks.py").write_text("1/0\n")
    found = dynconf.check_threads("sets_a_flag")
    assert codes(found) == ({("verbose", True, False)} if PER_CONTEXT else set())
    Path("ends.py").write_text("raise SystemExit(0)\n")
    for name, why in (
        ("breaks", "ZeroDivisionError: division by zero .*breaks.py:1: 1/0"),
        ("ends", "SystemExit: 0 .*ends.py:1"),
        ("", "ValueError: Empty module name"),
    ):
        with pytest.raises(dynconf.InvalidValueError, match=f"^'{name}': {why}"):
            dynconf.check_threads(name)
