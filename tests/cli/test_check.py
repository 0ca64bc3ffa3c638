"""Tests of ``dynconf check``."""

import json
import os
import subprocess
import sys
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
    assert done.out.endswith(
        "\n1 warning for torch 2.13.0 in the environment; `dynconf explain misread` says more\n"
    )


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
    Path("sets_verbose.py").write_text("print(1); import torch._dynamo.config as c\nc.verbose = True\n")
    from live_state import PER_CONTEXT

    done = run_cli("check", "--threads", "sets_verbose", "--format", "json")
    found = json.loads(done.out)["findings"]
    assert [(each["code"], each["flag"]) for each in found] == [("thread-only", "verbose")] * PER_CONTEXT
    assert done.code == PER_CONTEXT
    assert run_cli("check", "--threads", "no_such_module_at_all").code == 2


def test_findings_name_their_place(run_cli: Cli) -> None:
    """File and line as editors take them, seen from the working directory; the last line names the file."""
    Path("dynconf.toml").write_text('verbose = true\nverbos = true\nrepro_level = "x"\n')
    lines = run_cli("check", "--torch", "2.13").out.splitlines()
    assert lines[0].startswith("dynconf.toml:2: unknown-flag there is no flag 'verbos'")
    assert lines[1].startswith("dynconf.toml:3: invalid-value repro_level: 'x'")
    counts = "2 errors for torch 2.13.0 in the environment, dynconf.toml"
    assert lines[2] == f"{counts}; `dynconf explain unknown-flag` says more"


def test_the_form_of_github(run_cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """An annotation for each finding, with what its syntax needs escaped."""
    Path("dynconf.toml").write_text('"a%b" = true\n')
    monkeypatch.setenv("TORCHDYNAMO_VERBOS", "1")
    lines = run_cli("check", "--torch", "2.13", "--format", "github").out.splitlines()
    assert lines[0].startswith("::error file=dynconf.toml,title=dynconf unknown-flag,line=1::")
    assert "a%25b" in lines[0]
    assert lines[1].startswith("::warning title=dynconf misspelt-variable::TORCHDYNAMO_VERBOS")


@pytest.mark.parametrize("header", ["[dynconf]", "[tool.dynconf]"])
def test_a_header_of_pyproject_in_a_file_of_its_own(run_cli: Cli, header: str) -> None:
    """The message has the header, and says where flags stand instead."""
    Path("dynconf.toml").write_text(f"# settings\n{header}\nverbose = true\n")
    done = run_cli("check")
    assert done.code == 1
    assert done.out.startswith(f"dynconf.toml:2: bad-file {header}")
    assert "its flags stand above all tables" in done.out


@pytest.mark.parametrize("key", ["dynconf", "tool"])
def test_the_table_of_pyproject_within_itself(run_cli: Cli, key: str) -> None:
    """The message has the header that is in the file."""
    Path("pyproject.toml").write_text(f"[tool.dynconf.{key}]\nverbose = true\n")
    done = run_cli("check")
    assert done.code == 1
    assert done.out.startswith(f"pyproject.toml:1: bad-file [tool.dynconf.{key}]")
    assert "write the flags in [tool.dynconf] itself" in done.out


def test_a_pyproject_can_be_named(run_cli: Cli) -> None:
    """Its table counts; without one the message says how to get it."""
    Path("pyproject.toml").write_text("[tool.dynconf]\nverbose = true\n")
    done = run_cli("dump", "--config", "pyproject.toml", "--changed")
    assert done.out.splitlines()[1].split()[:3] == ["verbose", "True", "pyproject.toml:2"]
    Path("pyproject.toml").write_text("[tool.other]\n")
    done = run_cli("dump", "--config", "pyproject.toml")
    assert (done.code, done.out) == (2, "")
    assert "`dynconf init --pyproject -o pyproject.toml` adds one" in done.err


def test_two_files_beside_each_other(run_cli: Cli) -> None:
    """The one that does not count is named."""
    Path("dynconf.toml").write_text("verbose = true\n")
    Path("pyproject.toml").write_text("[tool.dynconf]\nverbose = false\n")
    done = run_cli("dump", "--changed")
    assert done.code == 0
    assert "pyproject.toml is skipped: the dynconf.toml beside it counts" in done.err


def test_dump_names_misspelt_variables(run_cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """In one line on stderr."""
    monkeypatch.setenv("TORCHDYNAMO_RECOMPILE_LIMT", "64")
    done = run_cli("dump", "verbose", "--torch", "2.13")
    assert done.code == 0
    assert done.err == ("dynconf: warning: nothing reads TORCHDYNAMO_RECOMPILE_LIMT: run `dynconf check`\n")


def test_what_the_output_cannot_show_is_escaped(tmp_path: Path) -> None:
    """In findings, and in the names of files."""
    (tmp_path / "é.toml").write_text('"verbosé" = 1\n', encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "dynconf", "check", "--torch", "2.13", "--config", "é.toml"],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert done.returncode == 1, done.stderr
    assert done.stdout.startswith(rb"\xe9.toml:1: unknown-flag there is no flag 'verbos\xe9'")
