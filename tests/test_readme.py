"""The README: every block runs as it is printed, with the output that it shows."""

import io
import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path

import click
import pytest
from live_state import LIMIT, PER_CONTEXT
from spelling import spelled

from dynconf.cli import COMMANDS, group
from dynconf.release import Release

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """Return the blocks of code in that language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def commands(block: str) -> Iterator[tuple[str, str]]:
    """Yield the commands of a session, each with its output."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        line, _, output = part.partition("\n")
        yield line, output


def test_every_block_is_of_a_kind_that_is_run() -> None:
    """Sessions, programs, and the lines that set up this project."""
    assert set(re.findall(r"^```(\w*)$", TEXT, re.MULTILINE)) == {"", "console", "python", "sh"}
    assert sum(len(list(commands(block))) for block in blocks("console")) >= 12
    assert len(blocks("python")) >= 8


@pytest.mark.real_torch
@pytest.mark.filterwarnings("ignore::DeprecationWarning:torch")  # torch's own, while it imports what compiles
@pytest.mark.parametrize("block", blocks("python"), ids=lambda block: block.split("\n\n")[-1][:40])
def test_a_program_prints_what_its_comments_say(block: str) -> None:
    """Each block on its own, in a namespace of its own."""
    expected = [said for line in block.splitlines() if "print(" in line for said in line.split("  # ")[1:]]
    assert expected, "a block that prints nothing shows nothing"
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(compile(spelled(block), "README.md", "exec"), {"__name__": "__main__"})  # noqa: S102
    assert printed.getvalue().splitlines() == expected


@pytest.mark.real_torch
@pytest.mark.parametrize("block", blocks("console"), ids=lambda block: block.partition("\n")[0][:60])
def test_a_session_prints_what_it_shows(block: str, tmp_path: Path, warm_python: str) -> None:
    """Its commands run in one folder; `cat` shows a file that is made first."""
    programs = tmp_path / "programs"
    programs.mkdir()
    for name, words in (("python", ""), ("dynconf", "-m dynconf ")):
        (programs / name).write_text(f'#!/bin/sh\nexec {warm_python} {words}"$@"\n')
        (programs / name).chmod(0o755)
    environ = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}
    folder = tmp_path / "project"
    folder.mkdir()
    for line, output in commands(block):
        if line.startswith("cat "):
            (folder / line.removeprefix("cat ")).write_text(output)
            continue
        done = subprocess.run(
            ["/bin/sh", "-c", spelled(line)], cwd=folder, env=environ, text=True, check=False, timeout=120,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        said = output.replace("torch 2.13.0", f"torch {Release.at_hand().version}")
        said = said.replace("TORCHDYNAMO_RECOMPILE_LIMIT", f"TORCHDYNAMO_{LIMIT.upper()}")
        if "python -c" in line and "Thread(" in line and not PER_CONTEXT:
            said = "64\n"  # up to torch 2.11, torch itself sets a flag for the process
        assert done.stdout.splitlines() == said.splitlines(), line


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
