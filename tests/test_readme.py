"""The README: its parts are there; test_docs.py runs its blocks, and follows its links."""

import re
import subprocess
from pathlib import Path

from pages import blocks, commands

from dynconf.cli import COMMANDS

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")


def test_every_block_is_of_a_kind_that_is_run() -> None:
    """Sessions, programs, and the lines that set up this project."""
    assert set(re.findall(r"^```(\w*)$", TEXT, re.MULTILINE)) == {"", "console", "python", "sh"}
    assert sum(len(list(commands(block))) for block in blocks(TEXT, "console")) >= 7
    assert len(blocks(TEXT, "python")) >= 4
    assert len(TEXT.splitlines()) <= 100


def test_the_setup_commands_are_there() -> None:
    """Each target of the Makefile that the README names, with nothing that has to be typed before."""
    named = re.findall(r"(?:^|`)make (\w+)", TEXT, re.MULTILINE)
    assert {"demo", "test"} <= set(named)
    for target in set(named):
        done = subprocess.run(["make", "-n", target], cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


def test_the_commands_are_all_named() -> None:
    """Each of them, and none that is not there."""
    text = TEXT.replace("\n", " ")
    assert {name for name in COMMANDS if f"`{name}`" in text or f"dynconf {name}" in text} == {*COMMANDS}
