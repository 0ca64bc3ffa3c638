"""The README: its parts are there; test_docs.py runs its blocks, and follows its links."""

import re
import subprocess
from pathlib import Path

import click
from pages import blocks, commands

from dynconf.cli import COMMANDS, group

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")


def test_every_block_is_of_a_kind_that_is_run() -> None:
    """Sessions, programs, and the lines that set up this project."""
    assert set(re.findall(r"^```(\w*)$", TEXT, re.MULTILINE)) == {"", "console", "python", "sh"}
    assert sum(len(list(commands(block))) for block in blocks(TEXT, "console")) >= 12
    assert len(blocks(TEXT, "python")) >= 8


def test_the_setup_commands_are_there() -> None:
    """Each target of the Makefile that the README names, with nothing that has to be typed before."""
    named = re.findall(r"(?:^|`)make (\w+)", TEXT, re.MULTILINE)
    assert {"demo", "test"} <= set(named)
    for target in set(named):
        done = subprocess.run(["make", "-n", target], cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


def test_the_commands_are_all_listed() -> None:
    """The table has each of them once, and no option that is not there."""
    rows = re.findall(r"^\| `dynconf ([\w-]+)(.*)$", TEXT, re.MULTILINE)
    assert sorted(name for name, _ in rows) == sorted(COMMANDS)
    for name, rest in rows:
        command = group.get_command(click.Context(group), name)
        assert command
        known = {word for each in command.params for word in each.opts}
        assert {*re.findall(r"--[\w-]+", rest)} <= known, name
