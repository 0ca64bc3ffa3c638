"""The README: every block runs as it is printed, with the output that it shows."""

import re
import subprocess
from pathlib import Path

import click
import pytest
from pages import blocks, commands, printed_by, run_session, said_by_comments

from dynconf.cli import COMMANDS, group

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")


def test_every_block_is_of_a_kind_that_is_run() -> None:
    """Sessions, programs, and the lines that set up this project."""
    assert set(re.findall(r"^```(\w*)$", TEXT, re.MULTILINE)) == {"", "console", "python", "sh"}
    assert sum(len(list(commands(block))) for block in blocks(TEXT, "console")) >= 12
    assert len(blocks(TEXT, "python")) >= 8


@pytest.mark.real_torch
@pytest.mark.filterwarnings("ignore::DeprecationWarning:torch")  # torch's own, while it imports what compiles
@pytest.mark.parametrize("block", blocks(TEXT, "python"), ids=lambda block: block.split("\n\n")[-1][:40])
def test_a_program_prints_what_its_comments_say(block: str) -> None:
    """Each block on its own, in a namespace of its own."""
    expected = said_by_comments(block)
    assert expected, "a block that prints nothing shows nothing"
    assert printed_by(block, "README.md") == expected


@pytest.mark.real_torch
@pytest.mark.parametrize("block", blocks(TEXT, "console"), ids=lambda block: block.partition("\n")[0][:60])
def test_a_session_prints_what_it_shows(block: str, tmp_path: Path, warm_python: str) -> None:
    """Its commands run in one folder; `cat` shows a file that is made first."""
    for line, printed, said in run_session(block, tmp_path, warm_python):
        assert printed == said, line


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


def test_links_lead_to_files() -> None:
    """All of them are inside the repository."""
    for target in re.findall(r"\]\(([^)]+)\)", TEXT):
        assert (ROOT / target).exists(), target
