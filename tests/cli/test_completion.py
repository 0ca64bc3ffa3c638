"""Tests of completion: the words that may follow those of a command line, and the scripts of the shells."""

import shutil
import subprocess

import click
import pytest

from dynconf.cli import COMMANDS, group
from dynconf.cli.completion import VARIABLE
from dynconf.cli.shells import CLASSES
from dynconf.release import RELEASES

SHELLS = ("bash", "zsh", "fish")


def after(*words: str) -> list[str]:
    """Return what the last word may become, as fish is told."""
    *before, last = words
    items = CLASSES["fish"](group, {}, "dynconf", VARIABLE).get_completions(list(before), last)
    return [f"<{each.type}>" if each.type != "plain" else each.value for each in items]


FORMS = ["text", "json", "toml", "env", "fish", "python"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", list(COMMANDS)),
        ("d", ["dump", "diff"]),
        ("--", ["--version", "--show-completion", "--help"]),
        ("dump --ch", ["--changed"]),
        ("nonsense ", list(COMMANDS)),
        # Flags, values of choices, releases, backends and shells.
        ("explain recompile_l", ["recompile_limit"]),
        ("explain functorch.don", ["functorch.donated_buffer"]),
        ("dump --set recompile_l", ["recompile_limit="]),
        ("dump --set repro_after=", ["repro_after=aot", "repro_after=dynamo"]),
        ("dump --set=verbose=", ["--set=verbose=true", "--set=verbose=false"]),
        ("dump --set=repro_aft", ["--set=repro_after="]),
        ("dump --format ", FORMS),
        ("dump --format=j", ["--format=json"]),
        ("dump --torch ", [each.rpartition(".")[0] for each in RELEASES]),
        ("dump --ignore recompile_l", ["recompile_limit"]),
        ("--show-completion z", ["zsh"]),
        # Files are left to the shell.
        ("dump --config ", ["<file>"]),
        ("report x", ["<file>"]),
        ("diff a.json ", ["<file>"]),
        ("run ", ["<file>"]),
        ("run x", ["<file>"]),
        # Behind a script the words are its own.
        ("run --au", ["--audit", "--audit-file"]),
        ("run script.py --au", ["<file>"]),
        ("run -m package --au", ["<file>"]),
        ("run --set verb", ["verbose="]),
    ],
)
def test_what_may_follow(line: str, expected: list[str]) -> None:
    """Of commands, options and values, those that begin with what was typed."""
    assert after(*line.split(" ")) == expected


def test_what_may_follow_besides() -> None:
    """An option that may be given once is not offered again, one that may be repeated is."""
    assert "--torch" not in after("dump", "--torch", "2.6", "--")
    assert "--set" in after("dump", "--set", "verbose=1", "--")
    assert "inductor" in after("verify", "--backend", "")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_offered(name: str) -> None:
    """By all of its names."""
    command = group.get_command(click.Context(group), name)
    declared = {each for option in command.params if isinstance(option, click.Option) for each in option.opts}
    assert {*after(name, "-")} - {"--no-optimizer"} == {*declared, "-h", "--help"}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("dynconf dump --mis", ["--missing"]),
        ("dynconf dump --set repro_aft", ["repro_after="]),
        ("dynconf dump --set repro_after = ", ["aot", "dynamo"]),
        ("dynconf dump --set repro_after = d", ["dynamo"]),
        ("dynconf dump --set = repro_after = d", ["dynamo"]),
        ("dynconf dump --set = repro_aft", ["repro_after="]),
        ("dynconf dump --set repro_after=d", ["repro_after=dynamo"]),
        ("dynconf dump --format = j", ["json"]),
        ("dynconf dump --set verbose = 1 --chan", ["--changed"]),
    ],
)
def test_bash_passes_words_that_end_at_an_equals_sign(run_cli, monkeypatch, line, expected) -> None:
    """It replaces only what follows the last one; where its user has changed that, the whole word."""
    words = line.split()
    monkeypatch.setenv(VARIABLE, "bash_complete")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
    done = run_cli()
    assert (done.code, done.err) == (0, "")
    assert done.out.split() == [f"plain,{each}" for each in expected]


@pytest.mark.parametrize("instruction", ["tcsh_complete", "bash_complete", "zsh_complete", "bash_x", "x"])
def test_what_is_not_asked_by_a_script_gets_no_answer(run_cli, monkeypatch, instruction: str) -> None:
    """The exit code is 1, as that of other programs that use click."""
    monkeypatch.setenv(VARIABLE, instruction)
    done = run_cli("dump")
    assert (done.code, done.out, done.err) == (1, "", "")
    monkeypatch.setenv("COMP_WORDS", "dynconf")
    monkeypatch.setenv("COMP_CWORD", "0")
    assert not run_cli("dump").err


def test_a_word_that_begins_nothing_gets_no_answer(run_cli, monkeypatch) -> None:
    """Be it text that would act on a terminal, or a quote that nobody closed."""
    monkeypatch.setenv(VARIABLE, "bash_complete")
    for line in ("dynconf dump --set \x1b[2J", "dynconf explain '\x1b", "dynconf --\x1b[2J"):
        monkeypatch.setenv("COMP_WORDS", line)
        monkeypatch.setenv("COMP_CWORD", str(len(line.split()) - 1))
        done = run_cli()
        assert (done.code, done.out.strip(), done.err) == (0, "", "")


@pytest.mark.parametrize("shell", SHELLS)
def test_scripts(run_cli, shell: str) -> None:
    """Each fits its shell where that is installed."""
    script = run_cli("--show-completion", shell).out
    assert f"{VARIABLE}={shell}_complete" in script
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=script, text=True, check=True)


def test_the_scripts_are_those_of_click_with_our_changes() -> None:
    """Each change finds its place in the script of the installed click."""
    assert "compopt -o nospace" in CLASSES["bash"].source_template
    assert "compadd -S" in CLASSES["zsh"].source_template
    assert "autoload -Uz compinit" in CLASSES["zsh"].source_template
    assert "split --max 1" in CLASSES["fish"].source_template
