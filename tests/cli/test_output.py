"""Tests of `dynconf.cli.output`: `test_terminal.py` shows it on a screen."""

import io
import re

import pytest

from dynconf.cli.output import complain, print_facts, print_line, print_table


class Screen(io.StringIO):
    """Says that it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("columns", [1, 12, 30, 40])
def test_a_table_is_printed_however_narrow_the_terminal_is(
    columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether there is something in the last column or not."""
    monkeypatch.setenv("COLUMNS", str(columns))
    screen = Screen()
    print_table(("name", "tags", "note"), [("a" * 20, "b" * 12, ""), ("c", "", "d")], fixed=2, stream=screen)
    assert "a" * 20 in screen.getvalue()
    assert screen.getvalue().split()[-1] == "d"


def test_cells_that_share_no_line_have_lines_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that a value and a place are not mixed up on a narrow terminal; the other rows keep one line."""
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("NO_COLOR", "1")
    screen = Screen()
    rows = [
        ("a_flag", "1 -> 2", "place.py:1"),
        ("other", "one -> " * 5 + "one", "a/longer/place.py:1 (patch)"),
    ]
    print_table(("flag", "change", "by"), rows, stream=screen)
    plain = re.sub(r"\x1b\[[\d;]*m", "", screen.getvalue())
    assert plain.splitlines() == [
        "flag    change  by",
        "a_flag  1 -> 2  place.py:1",
        "other   one -> one -> one -> one -> one -> one",
        "        a/longer/place.py:1 (patch)",
    ]


def test_a_wide_cell_makes_no_table_wide(capsys: pytest.CaptureFixture[str]) -> None:
    """Where there is no terminal, it is cut in the middle; the other rows stay narrow."""
    print_table(("name", "value", "note"), [("a", "b" * 200, "c"), ("d", "e", "f")], fixed=2)
    header, wide, narrow = capsys.readouterr().out.splitlines()
    assert wide == f"a     {'b' * 28}...{'b' * 28}  c"
    assert len(narrow) < 60
    assert narrow.index("f") == header.index("note")


def test_the_first_and_the_last_cell_of_a_line_are_whole(capsys: pytest.CaptureFixture[str]) -> None:
    """Programs read names, and people whole sentences."""
    print_table(("name", "value", "note"), [("a" * 100, "b", "c" * 100), ("d", "e" * 100, "")])
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert lines[1].startswith("a" * 100)
    assert lines[1].endswith("c" * 100)
    assert lines[2].endswith("e" * 100)


@pytest.mark.parametrize("columns", ["30", "80", "200"])
@pytest.mark.parametrize(
    "text", ["[red]x[/red]", "[link=https://a.b]x[/link]", ":smile:", "[/]", "a\x1b[31mb\u202e"]
)
def test_text_is_never_taken_for_markup(text: str, columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor for an emoji or an escape sequence, be it in a message, a table or a fact."""
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setenv("TERM", "xterm-256color")
    screen = Screen()
    monkeypatch.setattr("sys.stdout", screen)
    monkeypatch.setattr("sys.stderr", screen)
    print_table(("name",), [(text,)])
    print_facts([("name", text)])
    print_line(text)
    complain("error", text)
    shown = text.replace("\x1b", "\\x1b").replace("\u202e", "\\u202e")
    plain = re.sub(r"\x1b\[[\d;]*m", "", screen.getvalue())
    assert "".join(plain.split()).count("".join(shown.split())) == 4


def test_wide_characters_take_two_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    """As they do on the screen."""
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("NO_COLOR", "1")
    screen = Screen()
    print_table(("name", "note"), [("\u6f22\u5b57", "x"), ("abcd", "y")], stream=screen)
    plain = re.sub(r"\x1b\[[\d;]*m", "", screen.getvalue())
    assert plain.splitlines()[1:] == ["\u6f22\u5b57  x", "abcd  y"]
