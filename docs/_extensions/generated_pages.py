"""Pages that are made from the program while the site is built: the command line, and the codes of messages.

The help of a command is what click prints, its output what the program prints in the folder `project`
beside this file, and the page of a code is what `dynconf explain` says. So none of it can be out of date.
The pages are written below docs/reference, where git ignores them, and only if they have changed: Sphinx
reads changed files again.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import click
from flag_pages import flag_called
from sphinx.application import Sphinx

import dynconf
from dynconf.catalogue.modules import MODULES, catalogue
from dynconf.catalogue.names import FLAGS
from dynconf.cli import COMMANDS, group
from dynconf.release import RELEASES, Release
from dynconf.state import State
from dynconf.tools.lint.codes import CODES
from dynconf.tools.show.explanation import subject

PROJECT = Path(__file__).with_name("project")
_SOURCES = (*Path(dynconf.__file__).parent.rglob("*.py"), *PROJECT.iterdir(), Path(__file__))

SESSIONS = {
    "run": (
        "cat dynconf.toml",
        "dynconf run train.py",
        "dynconf run --set recompile_limit=32 --show train.py",
    ),
    "dump": (
        "dynconf dump",
        "TORCHDYNAMO_VERBOSE=1 dynconf dump recompile_limit verbose",
        "dynconf dump --format json verbose recompile_limit",
        "dynconf dump -o run.json",
        "dynconf dump --format env",
    ),
    "explain": ("dynconf explain recompile_limit", "dynconf explain dynamic shapes", "dynconf explain DC005"),
    "check": (
        "TORCHDYNAMO_SUPPRESS_ERRORS=0 TORCH_LOG=+dynamo dynconf check",
        "cat old.py",
        "dynconf check old.py",
        "dynconf check --diff old.py",
        "dynconf check --from 2.8 --torch 2.15 .",
    ),
    "init": ("dynconf init --output new.toml", "head -n 12 new.toml"),
    "diff": ("dynconf diff before.json after.json", "dynconf diff --torch 2.12 --torch 2.13 --what defaults"),
    "verify": ("dynconf verify --backend eager", "dynconf verify --list"),
    "compare": ("cat model.py", "dynconf compare model.py:make --control aot_eager"),
    "bisect": (
        "cat bench.py",
        "dynconf bisect before.json after.json --fail-if 'step_time > 0.9' -- python bench.py",
    ),
    "report": (
        "dynconf report --set verbose=true",
        "dynconf run --audit-file logs/ train.py",
        "dynconf report logs/*",
    ),
    "why-miss": ("dynconf why-miss before.json after.json",),
}
"""What the page of each command shows."""


def _written(path: Path, text: str) -> None:
    """Write a page, unless it is there already."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def _time_of(path: Path) -> float:
    return path.stat().st_mtime if path.is_file() else 0


def _index(title: str, text: str, names: list[str]) -> str:
    listed = "\n".join(names)
    return f"# {title}\n\n{text}\n\n```{{toctree}}\n:maxdepth: 1\n\n{listed}\n```\n"


def _output(line: str, folder: Path) -> str:
    """Run a line of a session as a user would, and return all that it prints."""
    programs = folder.parent / "bin"
    environ = {name: text for name, text in os.environ.items() if not name.startswith(("TORCH", "DYNCONF"))}
    environ |= {
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "COLUMNS": "100",
        "PYTHONWARNINGS": "ignore",
    }
    done = subprocess.run(
        ["/bin/sh", "-c", line], cwd=folder, env=environ, text=True, check=False, timeout=600,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    return done.stdout.replace(str(folder), "/home/user/project").rstrip()


def _session(lines: tuple[str, ...]) -> Iterator[str]:
    """Run lines in a fresh copy of the project, and yield what a terminal would show."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "project"
        shutil.copytree(PROJECT, folder)
        (folder.parent / "bin").mkdir()
        for name, words in (("python", ""), ("dynconf", "-m dynconf ")):
            program = folder.parent / "bin" / name
            program.write_text(f'#!/bin/sh\nexec {sys.executable} {words}"$@"\n')
            program.chmod(0o755)
        for line in lines:
            yield f"$ {line}\n{_output(line, folder)}".rstrip()


def _command_page(name: str) -> str:
    command = group.get_command(click.Context(group), name)
    assert command is not None
    context = command.make_context(f"dynconf {name}", [], resilient_parsing=True, terminal_width=100)
    shown = "\n".join(_session(SESSIONS[name]))
    return (
        f"(dynconf-{name})=\n# dynconf {name}\n\n{command.get_short_help_str(200)}\n\n"
        f"```text\n{command.get_help(context)}\n```\n\n## For example\n\n````console\n{shown}\n````\n"
    )


def _write_command(path: Path, name: str) -> None:
    _written(path, _command_page(name))
    path.touch()


def _code_page(code: str) -> str:
    """Return the page of a code, with the facts of `dynconf explain`."""
    if code in CODES:
        title, text = CODES[code]
        return f"({code})=\n# {code}: {title}\n\n{text}\n\n{_SILENCE.format(code=code)}"
    release = Release.named(RELEASES[-1])
    facts: Any = subject(code, release, State(release))
    module = FLAGS[facts["flags"][0]].module
    why = _linked(facts["why"], module)
    why = why if why.startswith(("{", "torch")) else why[0].upper() + why[1:]
    span = f"from torch {facts['since']}" + (f" to {facts['until']}" if facts["until"] else " on")
    flags = "\n".join(f"- {_flag_link(name)}" for name in facts["flags"])
    return (
        f"({code})=\n# {code}: {_escaped(facts['when'])}\n\n{why}.\n\n"
        f"{_LEVELS[facts['level']]} It applies {span}, to\n\n{flags}\n\n"
        f"The place in torch's source that shows it: `{facts['source']}`.\n"
    )


_LEVELS = {
    "error": "torch rejects the combination, so dynconf refuses it before anything is changed.",
    "warning": "torch accepts the combination, so dynconf only warns of it (`ConflictWarning`).",
    "note": "It may be what is meant, so `dynconf check` has a note; setting it is a `ConflictWarning`.",
}
_SILENCE = (
    "[](../command-line/check.md) reports it. A comment `# dynconf: ignore[{code}]` at the end of a line"
    ' silences it there, and `ignore = ["{code}"]` in `[tool.dynconf.check]` for a project.\n'
)


def _escaped(text: str) -> str:
    return re.sub(r"([*_<>\[\]`])", r"\\\1", text)


def _linked(text: str, module: str) -> str:
    """Return a text about flags of a config module, in which their names are links."""
    parts = re.split(r"(\b[A-Za-z_]\w*(?:\.\w+)*)", text)
    flags = [flag_called(part, module) for part in parts]
    return "".join(_flag_link(flag, part) if flag else _escaped(part) for flag, part in zip(flags, parts))


def _flag_link(name: str, text: str = "") -> str:
    return f"{{dynconf:flag}}`{text} <{name}>`" if text else f"{{dynconf:flag}}`{name}`"


_ABOUT_CODES = (
    "What does DC301 mean? `dynconf explain DC301` prints the text of its page. DC0xx are rules over several"
    " flags of dynamo, DC1xx of functorch and DC2xx of inductor; DC3xx are about flags, DC4xx about"
    " variables, and DC5xx about settings and defaults. A code is never reused for something else."
)


def write_pages(app: Sphinx) -> None:
    """Write all pages below docs/reference."""
    reference = Path(app.srcdir) / "reference"
    codes = sorted((*CODES, *(rule.code for module in MODULES for rule in catalogue(module).rules)))
    for code in codes:
        _written(reference / "codes" / f"{code}.md", _code_page(code))
    _written(reference / "codes" / "index.md", _index("Codes in messages", _ABOUT_CODES, codes))
    command_line = reference / "command-line"
    # Running programs takes nearly all of the time: a page is made again only if their sources have changed.
    since = max(path.stat().st_mtime for path in _SOURCES)
    stale = [name for name in COMMANDS if _time_of(command_line / f"{name}.md") <= since]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda name: _write_command(command_line / f"{name}.md", name), stale))
    _written(
        command_line / "index.md",
        _index(
            "Command line",
            "What does each command do, and what does it print? The help and the output come from the program"
            " itself: they are generated when this site is built.",
            list(COMMANDS),
        ),
    )


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.connect("builder-inited", write_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
