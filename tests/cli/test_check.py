"""Tests of ``dynconf check``."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[..., Any]


def test_nothing_to_report(run_cli: Cli) -> None:
    """A clean environment exits with 0 and says for which release."""
    done = run_cli("check", "--torch", "2.9")
    assert (done.code, done.out, done.err) == (
        0,
        "nothing to report for torch 2.9.1 in the environment\n",
        "",
    )


def test_a_warning_exits_with_1(run_cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """A finding without a place is a line with level, code and message; the last line counts them."""
    monkeypatch.setenv("TORCHDYNAMO_SUPPRESS_ERRORS", "0")
    done = run_cli("check", "--torch", "2.13")
    assert done.code == 1
    assert done.out.startswith(
        "warning: misread TORCHDYNAMO_SUPPRESS_ERRORS='0' (suppress_errors): torch 2.13.0 reads True"
    )
    assert done.out.endswith("\n1 warning for torch 2.13.0 in the environment\n")


def test_notes_alone_exit_with_0(run_cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """A note is printed, and is no failure."""
    monkeypatch.setenv("TORCHDYNAMO_RECOMPILE_LIMIT", "3")
    done = run_cli("check", "--torch", "2.13")
    assert done.code == 0
    assert done.out.startswith("note: uniform-variable TORCHDYNAMO_RECOMPILE_LIMIT='3'")


def test_as_json(run_cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """The JSON form has every finding with what torch and dynconf read, or the error that torch ends in."""
    monkeypatch.setenv("TORCHDYNAMO_VERBOSE", "true")
    monkeypatch.setenv("TORCHDYNAMO_REPRO_LEVEL", "high")
    done = run_cli("check", "--torch", "2.13", "--format", "json")
    assert done.code == 1
    stops, misread = json.loads(done.out)["findings"]
    assert (stops["code"], stops["level"]) == ("stops-import", "error")
    assert stops["torch_error"].startswith("ValueError: ")
    assert misread.pop("message")
    assert misread == {
        "code": "misread",
        "level": "warning",
        "flag": "verbose",
        "variable": "TORCHDYNAMO_VERBOSE",
        "raw": "true",
        "torch_reads": False,
        "dynconf_reads": True,
    }


def test_a_file_is_checked(run_cli: Cli) -> None:
    """A file given with --config is checked in place of the nearest one."""
    Path("dynconf.toml").write_text("verbose = true\n")
    Path("other.toml").write_text("verbos = true\n")
    assert run_cli("check").code == 0
    done = run_cli("check", "--config", "other.toml", "--format", "json")
    assert done.code == 1
    assert json.loads(done.out)["findings"][0]["flag"] == "verbos"


def test_wrong_usage_exits_with_2(run_cli: Cli) -> None:
    """A release that the catalogue does not know is a mistake of the caller, not a finding."""
    done = run_cli("check", "--torch", "1.9")
    assert (done.code, done.out) == (2, "")
    assert "torch 1.9 is not in the catalogue" in done.err


def test_flags_that_only_one_thread_would_see(run_cli: Cli) -> None:
    """With --threads, torch and the named modules are imported as a program does, and asked in a thread."""
    Path("sets_verbose.py").write_text("import torch._dynamo.config as c\nc.verbose = True\n")
    from live_state import PER_CONTEXT

    done = run_cli("check", "--threads", "sets_verbose", "--format", "json")
    found = json.loads(done.out)["findings"]
    assert [(each["code"], each["flag"]) for each in found] == [("thread-only", "verbose")] * PER_CONTEXT
    assert done.code == PER_CONTEXT
    assert run_cli("check", "--threads", "no_such_module_at_all").code == 2
