"""Tests of ``dynconf check``."""

import json
from pathlib import Path

import pytest

MISREAD = [
    "warning: DC402 TORCHDYNAMO_SUPPRESS_ERRORS='0' (suppress_errors): torch 2.13.0 reads True",
    "1 warning for torch 2.13.0 in the environment; `dynconf explain DC402` says more",
]
NOTED = ["note: DC407 TORCHDYNAMO_RECOMPILE_LIMIT='3'", "1 note for torch 2.13.0"]


@pytest.mark.parametrize(
    ("setting", "code", "said"),
    [
        ("X=", 0, ["nothing to report for torch 2.13.0 in the environment"]),
        ("TORCHDYNAMO_SUPPRESS_ERRORS=0", 1, MISREAD),
        ("TORCHDYNAMO_RECOMPILE_LIMIT=3", 0, NOTED),
    ],
)
def test_a_warning_exits_with_1(run_cli, monkeypatch, setting, code, said) -> None:
    """A note alone does not. A finding is a line with level, code and message; the last line counts them."""
    monkeypatch.setenv(*setting.split("="))
    done = run_cli("check", "--torch", "2.13")
    assert (done.code, done.err) == (code, "")
    lines = done.out.splitlines()
    assert [line.startswith(begin) for line, begin in zip(lines, said, strict=True)] == [True] * len(said)


def test_a_value_that_another_flag_overrules(run_cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """Torch 2.15 has what strict numerics imply; for the same value there is nothing to say."""
    monkeypatch.setenv("TORCHINDUCTOR_NUMERICS", "strict")
    monkeypatch.setenv("TORCHINDUCTOR_EMULATE_PRECISION_CASTS", "0")
    done = run_cli("check", "--torch", "2.15")
    assert done.code == 1
    assert "DC501 inductor.emulate_precision_casts: False (from environment" in done.out
    assert "has no effect: the flag inductor.numerics forces True" in done.out
    assert run_cli("check", "--torch", "2.14").code == 0
    monkeypatch.setenv("TORCHINDUCTOR_EMULATE_PRECISION_CASTS", "1")
    assert run_cli("check", "--torch", "2.15").code == 0


def test_as_json(run_cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """The JSON form has every finding with what torch and dynconf read, or the error that torch ends in."""
    monkeypatch.setenv("TORCHDYNAMO_VERBOSE", "true")
    monkeypatch.setenv("TORCHDYNAMO_REPRO_LEVEL", "high")
    done = run_cli("check", "--torch", "2.13", "--format", "json")
    assert done.code == 1
    stops, misread = json.loads(done.out)["findings"]
    assert (stops["code"], stops["level"]) == ("DC403", "error")
    assert stops["torch_error"].startswith("ValueError: ")
    assert misread.pop("message")
    variable = {"flag": "verbose", "variable": "TORCHDYNAMO_VERBOSE", "raw": "true"}
    reads = {"torch_reads": False, "dynconf_reads": True}
    assert misread == {"code": "DC402", "level": "warning", **variable, **reads}


def test_a_file_is_checked(run_cli) -> None:
    """A file given with --config is checked in place of the nearest one, which a note names."""
    Path("dynconf.toml").write_text("verbose = true\n")
    Path("other.toml").write_text("verbos = true\n")
    assert run_cli("check").code == 0
    done = run_cli("check", "--config", "other.toml", "--format", "json")
    assert done.code == 1
    finding, hidden = json.loads(done.out)["findings"]
    assert (finding["flag"], finding["variable"], finding["raw"]) == ("verbos", None, None)
    assert (hidden["code"], hidden["level"]) == ("DC502", "note")


def test_flags_that_only_one_thread_would_see(run_cli) -> None:
    """With --threads, torch and the named modules are imported as a program does, and asked in a thread."""
    Path("sets_verbose.py").write_text("print(1); import torch._dynamo.config as c\nc.verbose = True\n")
    from live_state import PER_CONTEXT

    done = run_cli("check", "--threads", "sets_verbose", "--format", "json")
    found = json.loads(done.out)["findings"]
    assert [(each["code"], each["flag"]) for each in found] == [("DC504", "verbose")] * PER_CONTEXT
    assert done.code == PER_CONTEXT
    assert run_cli("check", "--threads", "no_such_module_at_all").code == 2


def test_the_form_of_github(run_cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """An annotation for each finding, with what its syntax needs escaped."""
    Path("dynconf.toml").write_text('"a%b" = true\n')
    monkeypatch.setenv("TORCHDYNAMO_VERBOS", "1")
    lines = run_cli("check", "--torch", "2.13", "--format", "github").out.splitlines()
    assert lines[0].startswith("::error file=dynconf.toml,title=dynconf DC301,line=1::")
    assert "a%25b" in lines[0]
    assert lines[1].startswith("::warning title=dynconf DC401::TORCHDYNAMO_VERBOS")


@pytest.mark.parametrize(
    ("file", "header", "advice"),
    [
        ("dynconf.toml", "dynconf", "its flags go above all tables"),
        ("dynconf.toml", "tool.dynconf", "its flags go above all tables"),
        ("pyproject.toml", "tool.dynconf.dynconf", "write the flags in [tool.dynconf] itself"),
        ("pyproject.toml", "tool.dynconf.tool", "write the flags in [tool.dynconf] itself"),
    ],
)
def test_a_header_of_pyproject_in_the_wrong_place(run_cli, file: str, header: str, advice: str) -> None:
    """The message has the header that is in the file, and says where flags stand instead."""
    Path(file).write_text(f"# settings\n[{header}]\nverbose = true\n")
    done = run_cli("check")
    assert done.code == 1
    assert done.out.startswith(f"{file}:2: error: DC300 [{header}]")
    assert advice in done.out


def test_a_pyproject_can_be_named(run_cli) -> None:
    """Its table counts; without one the message says how to get it."""
    Path("pyproject.toml").write_text("[tool.dynconf]\nverbose = true\n")
    done = run_cli("dump", "--config", "pyproject.toml", "--changed")
    assert done.out.splitlines()[1].split()[:3] == ["verbose", "True", "pyproject.toml:2"]
    Path("pyproject.toml").write_text("[tool.other]\n")
    said = run_cli("dump", "--config", "pyproject.toml").refused()
    assert "`dynconf init --pyproject -o pyproject.toml` adds one" in said


def test_dump_names_misspelt_variables_and_files_that_it_skips(run_cli, monkeypatch) -> None:
    """In a line each, on stderr."""
    monkeypatch.setenv("TORCHDYNAMO_RECOMPILE_LIMT", "64")
    done = run_cli("dump", "verbose", "--torch", "2.13")
    assert done.code == 0
    assert done.err == "dynconf: warning: nothing reads TORCHDYNAMO_RECOMPILE_LIMT: run `dynconf check`\n"
    Path("dynconf.toml").write_text("verbose = true\n")
    Path("pyproject.toml").write_text("[tool.dynconf]\nverbose = false\n")
    done = run_cli("dump", "--changed")
    assert done.code == 0
    assert "pyproject.toml is skipped: the dynconf.toml beside it counts" in done.err


def test_dump_and_check_name_a_file_that_a_nearer_one_hides(run_cli, monkeypatch) -> None:
    """As a note: a project may mean it so."""
    Path("dynconf.toml").write_text("verbose = true\n")
    Path("nested").mkdir()
    Path("nested/dynconf.toml").write_text("recompile_limit = 64\n")
    monkeypatch.chdir("nested")
    said = f"{Path('../dynconf.toml').resolve()} is skipped: {Path('dynconf.toml').resolve()} is nearer"
    done = run_cli("dump", "verbose", "--torch", "2.13")
    assert (done.code, done.out.split()[4]) == (0, "False")
    assert done.err.startswith(f"dynconf: note: {said}, and the two are not merged;")
    done = run_cli("check", "--torch", "2.13")
    assert done.code == 0
    assert f"note: DC502 {said}" in done.out
