"""Tests of `dynconf.cli.output`: `test_terminal.py` shows it on a screen."""

import io
import re

import pytest
from rich.text import Text

from dynconf.cli.output import Styled, complain, print_facts, print_line, print_table


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
    assert screen.getvalue().splitlines() == [
        "flag    change  by",
        "a_flag  1 -> 2  place.py:1",
        "other   one -> one -> one -> one -> one -> one",
        "        a/longer/place.py:1 (patch)",
    ]


def test_cells_that_share_a_line_stand_in_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Below their headers, on a terminal too narrow for all columns; a wide cell moves no other row."""
    monkeypatch.setenv("COLUMNS", "50")
    monkeypatch.setenv("NO_COLOR", "1")
    screen = Screen()
    rows = [("a_flag", "False", "None"), ("b", "25", "8"), ("c", "", "True"), ("d", "x" * 21, "y" * 19)]
    print_table(("flag", "before", "after"), [*rows, ("e", "", "z " * 40)], stream=screen)
    assert screen.getvalue().splitlines() == [
        "flag    before  after",
        "a_flag  False   None",
        "b       25      8",
        "c               True",
        f"d       {'x' * 21}  {'y' * 19}",
        "e       " + "z " * 20 + "z",
        "        " + ("z " * 19).rstrip(),
    ]


@pytest.mark.parametrize("cell", ["b" * 200, "\u6f22\u5b57" * 9, "e\u0301" * 5, ""])
def test_columns_are_aligned_whatever_the_cells_hold(cell: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Where there is no terminal, too; nothing is cut, so that programs read names, and people sentences."""
    print_table(("name", "value", "note"), [("a" * 100, cell, "c" * 100), ("d", "e", "f")], fixed=2)
    header, wide, narrow = (Text(line) for line in capsys.readouterr().out.splitlines())
    assert cell in wide.plain
    starts = [line[: line.plain.rindex(word)].cell_len for line, word in ((header, "note"), (narrow, "f"))]
    assert starts == [wide.cell_len - 100] * 2


def test_no_color_means_no_style_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither bold nor dim, which no terminal is asked for then."""
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    screen = Screen()
    print_table(("name", "note"), [(Styled("a", "bold"), Styled("b", "dim"))], stream=screen)
    print_line(Styled("error:", "bold red"), " it is", stream=screen)
    assert "\x1b" not in screen.getvalue()


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
    assert screen.getvalue().splitlines()[1:] == ["\u6f22\u5b57  x", "abcd  y"]
