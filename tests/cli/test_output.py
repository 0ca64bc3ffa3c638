"""Tests of `dynconf.cli.output`: `test_terminal.py` shows it on a screen."""

import io

import pytest

from dynconf.cli.output import print_table


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
