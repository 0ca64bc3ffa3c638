"""Tests of `dynconf.tools.lint.logs`."""

import sys
from types import ModuleType

import pytest
from warm import Warm

from dynconf.release import Release
from dynconf.tools.lint.environment import check_environment
from dynconf.tools.lint.logs import log_findings

AT = Release.named("2.13")


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        ("+dynammo", "it has no log 'dynammo': did you mean +dynamo?"),
        ("dynamo,-recompile", "did you mean -recompiles?"),
        ("+aot_autograd", "did you mean +aot?"),
        ("symbolic_shapes", "did you mean dynamic?"),
        ("qqqqqqqq", "TORCH_LOGS=help lists the names"),
        ("dynamo,__main__", "it has no log '__main__'"),
        ("dynamo guards", "expected names separated by commas"),
        ("dynamo,", "expected names separated by commas"),
        ("native_dsl_compile", "yet: it came with torch 2.14"),
        ("", "it is empty: unset it"),
    ],
)
def test_a_name_that_torch_refuses(raw: str, told: str) -> None:
    """It is an error, because torch cannot be imported, with the name that was probably meant."""
    (finding,) = log_findings({"TORCH_LOGS": raw}, AT)
    assert (finding.code, finding.level, finding.raw) == ("DC403", "error", raw)
    assert told in finding.message


@pytest.mark.parametrize(
    "raw",
    ["help", "+help", "all", "+dynamo, -inductor,guards", "torch.fx", "json", "my.module"],
)
def test_what_torch_may_take(raw: str) -> None:
    """Names, modules, and those that may be modules, are left alone."""
    assert list(log_findings({"TORCH_LOGS": raw}, AT)) == []


def test_a_module_that_was_loaded_without_a_spec(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python cannot search for it: neither can torch, whose import fails."""
    monkeypatch.setitem(sys.modules, "without_spec", ModuleType("without_spec"))
    (finding,) = log_findings({"TORCH_LOGS": "without_spec"}, AT)
    assert "it has no log 'without_spec'" in finding.message


def test_a_torch_newer_than_the_catalogue_may_have_more() -> None:
    """There it is a note."""
    report = check_environment({"TORCH_LOGS": "new_log"}, torch="2.13")
    assert not report.ok
    (finding,) = log_findings({"TORCH_LOGS": "new_log"}, Release("2.99.0", "installed"))
    assert finding.level == "note"


@pytest.mark.real_torch
@pytest.mark.parametrize(
    ("raw", "refused"),
    [
        ("+dynammo", True),
        ("dynamo guards", True),
        ("dynamo,", True),
        ("", True),
        ("+dynamo, json", False),
        ("__main__", Release.at_hand().minor > (2, 4)),
    ],
)
def test_the_real_torch_agrees(raw: str, warm: Warm, *, refused: bool) -> None:
    """What its import calls fails where a finding says so."""
    done = warm.run("-c", "import torch; torch._logging._init_logs()", TORCH_LOGS=raw)
    assert bool(done.returncode) == refused == bool([*log_findings({"TORCH_LOGS": raw}, Release.at_hand())])
