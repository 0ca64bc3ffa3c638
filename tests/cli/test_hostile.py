"""The command line and what comes from others: files that need trust, text that would act on a terminal."""

import json
import os
import sys
from pathlib import Path
from unittest import mock

import pytest

HOSTILE = "a\x1b[2J\x07\u202e\nb\x9b31m"
PROGRAM = ">=0:cpp.cxx=/path/evil.sh"
RISKY = "debug_inductor_config_override"
STATE = {"dynconf": 1, "flags": {RISKY: {"value": PROGRAM}}}
NAME = "pasted.txt"


def is_harmless(done) -> bool:
    """Tell whether everything that a command printed is lines of printable text."""
    lines = [*done.out.split("\n"), *done.err.split("\n")]
    return all(line.isprintable() for line in lines)


@pytest.mark.parametrize(
    "command",
    [
        *(
            ["dump", "--changed", "--config"],
            ["dump", "--format", "env", "--config"],
            ["dump", "-o", "out.json", "--config"],
        ),
        *(["check", "--config"], ["diff", NAME], ["report", "--config"]),
    ],
)
@pytest.mark.parametrize("text", [json.dumps(STATE), f"torch._dynamo.config.{RISKY} = {PROGRAM!r}\n"])
def test_a_file_that_runs_programs_needs_trust(run_cli, command, text):
    """Each command that reads a state, or a script that was pasted, names the flag, and has --trust."""
    Path(NAME).write_text(text)
    at = () if command[0] == "report" else ("--torch", "2.13")
    refused = run_cli(*command, NAME, *at)
    assert refused.code == (1 if command[0] == "check" else 2)
    assert f"{RISKY}: " in refused.out + refused.err
    assert "would make torch run a program" in refused.out + refused.err
    known = run_cli(*command, NAME, *at, "--trust")
    assert known.code == 0
    assert "is refused" not in known.out + known.err


def test_check_only_reminds_those_who_trust_the_file(run_cli, monkeypatch):
    """With its place, so that a project which needs its own compiler can have `check` in its image and CI."""
    Path("dynconf.toml").write_text('[inductor]\ncpp.cxx = ["clang++"]\n')
    for words, trusted, code in ((), "", 1), (("--trust",), "", 0), ((), "1", 0):
        monkeypatch.setenv("DYNCONF_TRUST", trusted)
        done = run_cli("check", "--torch", "2.13", *words)
        assert done.code == code
        assert f"dynconf.toml:2: {'warning' if code else 'note'}: DC503 inductor.cpp.cxx" in done.out
        assert ("1 note for torch 2.13.0" in done.out) is (code == 0)


@pytest.mark.parametrize(
    "command",
    [
        *(["dump", "--format", form] for form in ("text", "json", "toml", "env", "fish", "python")),
        *(["check", "--format", form] for form in ("text", "json", "github")),
        ["dump", "--topic"],
        ["diff", "good.toml", "more.toml"],
        ["diff", "good.toml", "more.toml", "--format", "json"],
        ["diff", "bad.toml", "good.toml"],
        ["dump", "--config", "bad.toml"],
        ["check", "--config", "bad.toml"],
        ["check", "--config", "bad.toml", "--format", "github"],
        ["dump", "--config", HOSTILE],
        ["dump", "--config", f"{HOSTILE}.toml"],
        ["check", "--config", f"{HOSTILE}.toml"],
        ["dump", HOSTILE],
        ["dump", "--set", HOSTILE],
        ["dump", "--set", f"{HOSTILE}=1"],
        ["dump", "--set", f"recompile_limit={HOSTILE}"],
        ["dump", "--torch", HOSTILE],
        ["dump", "--format", HOSTILE],
        ["explain", HOSTILE],
        ["dump", "-o", f"{HOSTILE}/x.json"],
        ["dump", "-o", f"x.{HOSTILE}"],
        ["dump", "-o", "-"],
        [HOSTILE],
        [f"--{HOSTILE}"],
        ["dump", f"-{HOSTILE}"],
    ],
    ids=repr,
)
@pytest.mark.parametrize("terminal", [False, True])
def test_nothing_acts_on_the_terminal(run_cli, command, terminal, monkeypatch):
    """Keys, values, names of variables and of files are escaped, wherever they are shown."""
    good = f"pt2_compile_id_prefix = {json.dumps(HOSTILE)}"
    Path("good.toml").write_text(good)
    Path("dynconf.toml").write_text(good)
    Path("more.toml").write_text('pt2_compile_id_prefix = "x\\u202e"')
    quoted = json.dumps(HOSTILE)
    bad = f"{quoted} = 1\nverbose = {quoted}\n[functorch]\n{quoted} = 1\n"
    for path in ("bad.toml", f"{HOSTILE}.toml"):
        Path(path).write_text(bad)
    environ = {f"TORCHDYNAMO_VERBOS{HOSTILE}": HOSTILE, "TORCHDYNAMO_VERBOSE": "0", "TORCHDYNAMO_X": HOSTILE}
    if terminal:
        monkeypatch.setenv("TERM", "dumb")
        monkeypatch.setenv("NO_COLOR", "1")
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    with mock.patch.dict(os.environ, environ):
        done = run_cli(*command)
    assert is_harmless(done), (done.out, done.err)


def test_every_command_says_that_the_working_directory_is_gone(run_cli, tmp_path, monkeypatch):
    """In one line, as a warning; variables count all the same, and who searches for no file says nothing."""
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    monkeypatch.setenv("TORCHDYNAMO_VERBOSE", "1")
    for command in (["dump"], ["check"], ["dump", "-o", str(tmp_path / "out.json")]):
        done = run_cli(*command, "--torch", "2.13")
        assert done.code == (1 if command == ["check"] else 0)
        assert (done.out + done.err).count("the working directory is skipped: it no longer exists") == 1
    assert "TORCHDYNAMO_VERBOSE=1" in run_cli("dump").out
    done = run_cli("diff", "--torch", "2.6", "--torch", "2.13")
    assert (done.code, done.err) == (1, "")
    bad = tmp_path / "bad.toml"
    bad.write_text("verbos = 1")
    assert "did you mean" in run_cli("check", "--config", str(bad)).out
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    "command",
    [
        ["dump", "-o", "out.json"],
        ["init", "--schema", "-o", "out.json"],
        ["init", "--force", "-o", "out.toml"],
    ],
    ids=" ".join,
)
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can act as two users")
def test_a_stranger_cannot_lead_the_output_elsewhere(run_cli, command, tmp_path):
    """In a folder such as /tmp anyone can put a link where one is about to write."""
    target = tmp_path / "target"
    target.write_text("precious")
    link = command[-1]
    Path(link).symlink_to(target)
    os.lchown(link, 64_101, 64_101)
    assert "it is a link that belongs to another user" in run_cli(*command).refused()
    assert target.read_text() == "precious"


def test_a_file_of_mistakes_is_answered_in_a_hundred_lines(run_cli):
    """And says how many there are besides."""
    Path("bad.toml").write_text("".join(f"key{number} = 1\n" for number in range(4_000)))
    for command in (["dump"], ["dump", "--format", "env"], ["dump", "-o", "-"]):
        done = run_cli(*command, "--config", "bad.toml")
        assert done.code == 2
        assert done.err.splitlines()[-1] == "dynconf: error: and 3900 more mistakes"
        assert len(done.err.splitlines()) == 101
