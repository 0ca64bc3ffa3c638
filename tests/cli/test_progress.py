"""Tests of `dynconf.cli.progress`; `test_terminal.py` shows it on a screen."""

import pytest

from dynconf.cli.progress import progress


def test_a_step_does_nothing_to_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """Its title may contain the name of a file, which anyone may have chosen."""
    with progress() as step:
        step("\x1b[2J[red]\n")
        step("b\x07")
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.splitlines() == ["dynconf: \\x1b[2J[red]\\n ...", "dynconf: b\\x07 ..."]
