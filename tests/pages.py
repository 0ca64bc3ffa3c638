"""Pages in Markdown: their blocks of code run as they are printed, with the output that they show."""

import io
import os
import re
import shlex
import subprocess
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path

import click
from live_state import LIMIT, PER_CONTEXT
from spelling import spelled

from dynconf.cli import COMMANDS, group
from dynconf.release import Release


def blocks(text: str, language: str) -> list[str]:
    """Return the blocks of code in that language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def commands(block: str) -> Iterator[tuple[str, str]]:
    """Yield the commands of a session, each with its output."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        line, _, output = part.partition("\n")
        yield line, output


def printed_by(block: str, name: str) -> list[str]:
    """Run a program in a namespace of its own, and return the lines that it prints."""
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(compile(spelled(block), name, "exec"), {"__name__": "__main__"})  # noqa: S102  that is the test
    return printed.getvalue().splitlines()


def said_by_comments(block: str) -> list[str]:
    """Return the lines that a program prints according to the comments behind its calls of print."""
    return [said for line in block.splitlines() if "print(" in line for said in line.split("  # ")[1:]]


_NUMBERS = re.compile(r"\d+(?= other flags of)")
"""How many flags a module has differs from release to release."""


def run_session(block: str, place: Path, python: str) -> Iterator[tuple[str, list[str], list[str]]]:
    """Run the commands of a session in one folder: each with what it prints, and what it should print.

    `cat` shows a file that is made first.
    """
    programs = place / "programs"
    programs.mkdir()
    for name, words in (("python", ""), ("dynconf", "-m dynconf ")):
        (programs / name).write_text(f'#!/bin/sh\nexec {python} {words}"$@"\n')
        (programs / name).chmod(0o755)
    environ = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}
    folder = place / "project"
    folder.mkdir()
    for line, output in commands(block):
        if line.startswith("cat "):
            (folder / line.removeprefix("cat ")).write_text(spelled(output))
            continue
        done = subprocess.run(
            ["/bin/sh", "-c", spelled(line)], cwd=folder, env=environ, text=True, check=False, timeout=120,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        release = Release.at_hand().version
        said = output.replace("torch 2.13.0", f"torch {release}").replace(
            "blob/v2.13.0/", f"blob/v{release}/"
        )
        said = said.replace("TORCHDYNAMO_RECOMPILE_LIMIT", f"TORCHDYNAMO_{LIMIT.upper()}")
        if "python -c" in line and "Thread(" in line and not PER_CONTEXT:
            said = "64\n"  # up to torch 2.11, torch itself sets a flag for the process
        printed = done.stdout.replace(str(folder), "/home/user/project")
        if release != "2.13.0":
            printed, said = (_NUMBERS.sub("N", text) for text in (printed, said))
        yield line, printed.splitlines(), said.splitlines()


def refused_calls(text: str) -> Iterator[str]:
    """Yield the calls of dynconf in the scripts and sessions of a page that its parser does not take."""
    scripts = [block for language in ("sh", "console", "yaml", "docker") for block in blocks(text, language)]
    for line in "".join(scripts).replace("\\\n", "").splitlines():
        for call in re.findall(r"(?:^|[\s(])dynconf (?!-)(.*)", line.partition("$(")[2].rstrip(')"') or line):
            name, *words = shlex.split(call, comments=True)
            command = group.get_command(click.Context(group), name) if name in COMMANDS else None
            try:
                command.make_context(name, words) if command else None
            except click.NoSuchOption as problem:
                yield f"{call}: {problem}"
            except click.UsageError:
                continue  # a file that is not there
            if not command:
                yield f"{call}: there is no command {name}"
