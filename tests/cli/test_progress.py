"""Tests of `dynconf.cli.progress`; `test_terminal.py` shows it on a screen."""

import sys

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


def test_results_alone_go_to_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever is printed while a step runs goes to stderr."""
    with progress(plain=False) as step:
        step("a")
        sys.stdout.write("noise\n")
    assert capsys.readouterr() == ("", "noise\n")
