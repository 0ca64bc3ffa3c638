"""Tests of completion: what may follow the words of a command line."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from dynconf.cli import COMMANDS, command
from dynconf.cli.completion import SCRIPTS, candidates
from dynconf.release import RELEASES

ALL = tuple(map(command, COMMANDS))


def after(*words: str) -> list[str]:
    """Return what the last word may become."""
    return candidates(words, ALL)


def test_commands_and_options() -> None:
    """Those that begin with what was typed."""
    assert after("") == [*COMMANDS, "--help", "--version", "--install-completion", "--show-completion"]
    assert after("d") == ["dump", "diff"]
    assert after("dump", "--ch") == ["--changed"]
    assert after("nonsense", "") == []


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_offered(name: str) -> None:
    """By all of its names."""
    declared = {each for option in command(name).options if option.names for each in option.names}
    assert {*after(name, "-")} == {*declared, "--help"}


def test_values() -> None:
    """Flags, values of choices, releases, backends; none where a file may stand."""
    assert after("explain", "recompile_l") == ["recompile_limit"]
    assert after("explain", "functorch.don") == ["functorch.donated_buffer"]
    assert after("dump", "--set", "recompile_l") == ["recompile_limit="]
    assert after("dump", "--set", "repro_after=") == ["repro_after=aot", "repro_after=dynamo"]
    assert after("dump", "--set=verbose=") == ["--set=verbose=true", "--set=verbose=false"]
    assert after("dump", "--format", "") == ["text", "json", "toml", "env", "python"]
    assert after("dump", "--torch", "") == [each.rpartition(".")[0] for each in RELEASES]
    assert "inductor" in after("verify", "--backend", "")
    assert after("env", "--shell", "f") == ["fish"]
    assert after("dump", "--config", "") == []


def test_the_words_of_a_program_are_its_own() -> None:
    """Behind `run SCRIPT` nothing is offered, before it the options of `run`."""
    assert after("run", "--au") == ["--audit", "--audit-file"]
    assert after("run", "script.py", "--au") == []
    assert after("run", "--set", "verb") == ["verbose="]


def test_the_hidden_command_prints_a_candidate_on_each_line(run_cli) -> None:
    """This is what the scripts call."""
    done = run_cli("--complete", "dump", "--mis")
    assert (done.code, done.out, done.err) == (0, "--missing\n", "")


@pytest.mark.parametrize("shell", SCRIPTS)
def test_scripts(run_cli, shell: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Each is shown, fits its shell where that is installed, and is installed once."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setenv("SHELL", f"/usr/bin/{shell}")
    script = run_cli("--show-completion").out
    assert script == run_cli("--show-completion", shell).out == SCRIPTS[shell]
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=script, text=True, check=True)
    for _ in range(2):
        done = run_cli("--install-completion", shell)
        assert done.code == 0
    (file,) = (
        (each for each in tmp_path.rglob("*dynconf*") if each.is_file())
        if shell == "fish"
        else (tmp_path / ".config" / "dynconf" / f"completion.{shell}",)
    )
    assert file.read_text() == script
    assert str(file) in done.err
    if shell != "fish":
        assert (tmp_path / f".{shell}rc").read_text() == f'source "{file}"\n'


def test_other_shells_are_refused(run_cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """With those that there are."""
    assert run_cli("--show-completion", "tcsh").code == 2
    monkeypatch.delenv("SHELL", raising=False)
    done = run_cli("--install-completion")
    assert done.code == 2
    assert "available for bash, zsh and fish" in done.err
    assert json.dumps(done.out) == '""'
