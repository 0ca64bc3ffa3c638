"""The words of a command line that name a program; ``tests/cli/test_run.py`` has tests of running it."""

import os
import sys
from pathlib import Path

import pytest

from dynconf.errors import InvalidValueError
from dynconf.tools.run.program import Program


@pytest.mark.parametrize("words", [[], ["-m"], ["-c"], ["--what"], ["no_such_file.py"], ["-x", "a.py"]])
def test_what_names_no_program_is_refused(words: list[str]) -> None:
    """Before anything is changed."""
    with pytest.raises(InvalidValueError):
        Program.named(words)


def test_a_command_is_the_script_that_pip_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of that name comes first, as for Python; a module is a suggestion, and nothing is imported."""
    monkeypatch.chdir(tmp_path)
    program = Program.named(["pytest", "--help"])
    assert (program.kind, Path(program.target).name, program.arguments) == ("script", "pytest", ("--help",))
    assert Path(program.target).is_absolute()
    (tmp_path / "pytest").write_text("print(1)")
    assert Program.named(["pytest"]).target == "pytest"
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").write_text("1 / 0")
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("json.tool", "package.part"):
        with pytest.raises(InvalidValueError, match=f"did you mean -m {name}"):
            Program.named([name])
    for name in ("no_such_command", "../python"):
        with pytest.raises(InvalidValueError, match=r"No such file or directory$"):
            Program.named([name])


def test_a_command_that_is_no_script_of_this_python_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as the interpreter itself in `dynconf run python train.py`, or a tool of another environment."""
    monkeypatch.chdir(tmp_path)
    for name in ("sh", "python"):
        with pytest.raises(InvalidValueError, match=f"{name} is not a script of this Python; expected"):
            Program.named([name, "train.py"])


OURS = Path(sys.executable)


@pytest.mark.parametrize(
    ("head", "is_ours"),
    [
        (f"#!{OURS}", True),
        (f"#! {OURS.parent}/python3 -sP", True),
        (f"#!/bin/sh\n'''exec' \"{OURS}\" \"$0\" \"$@\"\n' '''", True),
        ("#!/usr/bin/env python3", True),
        ("#!/usr/bin/env python4", False),
        ("#!{other}", False),
        ("#!/no/such/python", False),
        ("#!/bin/sh\nexec ruby", False),
        ("import python", False),
        ("", False),
    ],
)
def test_a_command_is_searched_for_as_a_shell_does(
    head: str, *, is_ours: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As those of `pip install --user`; but a script of another Python would find other packages."""
    other = tmp_path / "other" / "python"  # as in a virtual environment of the same Python
    other.parent.mkdir()
    other.symlink_to(OURS.resolve())
    for name in ("bin", "scripts"):
        (tmp_path / name).mkdir()
    (tmp_path / "scripts" / "tool").mkdir()  # a folder is no command
    script = tmp_path / "bin" / "tool"
    script.write_text(head.format(other=other) + "\nprint(1)\n")
    script.chmod(0o755)
    path = ("", str(tmp_path / "scripts"), str(tmp_path / "bin"), str(OURS.parent))
    monkeypatch.setenv("PATH", os.pathsep.join(path))
    if is_ours:
        assert Program.named(["tool", "x"]) == Program("script", str(script), ("x",))
        script.chmod(0o644)
    with pytest.raises(InvalidValueError, match=r"No such file or directory|is not a script of this Python"):
        Program.named(["tool"])


def test_a_folder_hides_a_command_only_if_it_is_a_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sources of a tool often lie in one of its name; without the command, Python says what lacks."""
    monkeypatch.chdir(tmp_path)
    for name in ("pytest", "no_such_command"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("1 / 0")
    assert Path(Program.named(["pytest"]).target).is_absolute()
    for folder in ("./pytest", "no_such_command"):
        assert Program.named([folder]).target == folder
    (tmp_path / "pytest" / "__main__.py").write_text("")
    assert Program.named(["pytest"]).target == "pytest"
