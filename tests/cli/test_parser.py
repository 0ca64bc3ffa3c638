"""Tests of `dynconf.cli.parser`."""

from pathlib import Path
from typing import Annotated, Literal

import pytest

from dynconf.cli.parser import Command, option, overview

SEEN: list[dict[str, object]] = []


def show(
    *,
    first: Annotated[str, option("FIRST", "What comes first.")],
    others: Annotated[list[Path], option("OTHER", "What comes after it.")],
    strict: Annotated[bool, option("--strict", "Say no.")],
    tags: Annotated[list[str], option("--tag TAG", "A tag.")],
    form: Annotated[Literal["text", "json"], option("--form", "How.")] = "text",
) -> int | None:
    """Show things.

    The flag --no-op-flag stays in one piece, however narrow the terminal is that this help is laid out for.
    """
    SEEN.append({"first": first, "others": others, "strict": strict, "tags": tags, "form": form})
    return 1 if strict else None


COMMAND = Command(show)


def test_each_option_is_a_parameter() -> None:
    """In any order; what the function returns is the exit code."""
    assert COMMAND.run(["a", "--form=json", "b", "--strict", "--tag", "1", "c", "--tag=2"]) == 1
    others = [Path("b"), Path("c")]
    assert SEEN.pop() == {"first": "a", "others": others, "strict": True, "form": "json", "tags": ["1", "2"]}
    assert COMMAND.run(["--", "-a"]) == 0
    assert SEEN.pop() == {"first": "-a", "others": [], "strict": False, "form": "text", "tags": []}


@pytest.mark.parametrize("words", [[], ["a", "--for", "json"], ["a", "--form", "xml"], ["a", "--what"]])
def test_wrong_usage_is_2(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """With the usage and the reason on stderr; options are not abbreviated."""
    with pytest.raises(SystemExit) as stop:
        COMMAND.run(words)
    assert stop.value.code == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("usage: dynconf show [OPTIONS] FIRST [OTHER ...]\ndynconf: error: ")


def test_a_wrong_word_does_nothing_to_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """A shell puts the names of files, which anyone may have chosen, in place of a star."""
    for words in (["a", "--\x1b[2J"], ["a", "b", "--form", "\x1b[2J"], ["a", "--tag"], ["-\x1b[2J\n"]):
        with pytest.raises(SystemExit):
            COMMAND.run(words)
        assert all(line.isprintable() for line in capsys.readouterr().err.split("\n"))


def test_two_dashes_may_come_last(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing has to follow them."""
    COMMAND.run(["a", "b", "--"])
    assert SEEN.pop()["others"] == [Path("b")]
    with pytest.raises(SystemExit):
        COMMAND.run(["--"])
    assert "FIRST" in capsys.readouterr().err


def test_all_names_of_an_option_stand_before_what_it_takes(capsys: pytest.CaptureFixture[str]) -> None:
    """As in the help of most programs, and unlike that of argparse."""

    def write(*, out: Annotated[Path | None, option("-o --output FILE", "Where.")]) -> None:
        """Write."""

    with pytest.raises(SystemExit):
        Command(write).run(["-h"])
    assert "-o, --output FILE  " in capsys.readouterr().out


@pytest.mark.parametrize("columns", ["40", "80", "300"])
def test_help_is_laid_out_for_the_terminal(
    columns: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The docstring, arguments and options; no word is broken, and lines stay readable."""
    monkeypatch.setenv("COLUMNS", columns)
    with pytest.raises(SystemExit) as stop:
        COMMAND.run(["--help"])
    assert stop.value.code == 0
    out = capsys.readouterr().out
    assert "Show things." in out
    assert "--no-op-flag" in out
    assert "FIRST" in out
    assert max(map(len, out.splitlines()[1:])) <= min(int(columns), 100)


def test_the_overview_has_the_summary_of_each_command() -> None:
    """The first line of its docstring."""
    assert "  show      Show things." in overview([COMMAND]).splitlines()
