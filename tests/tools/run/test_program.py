"""The words of a command line that name a program; ``tests/cli/test_run.py`` has tests of running it."""

import os
import sys
import sysconfig
from pathlib import Path

import pytest

from dynconf.errors import InvalidValueError
from dynconf.tools.run.program import Program


def test_a_command_is_the_script_that_pip_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of that name comes first, as for Python; a module is a suggestion, and nothing is imported."""
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
    """Such as a shell, or the interpreter of another environment."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python4").symlink_to(sys.executable)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=os.pathsep)
    for name in ("sh", "python4"):
        with pytest.raises(InvalidValueError, match=rf"{name} is not .*; expected .* `srun dynconf run"):
            Program.named([name, "train.py"])


@pytest.mark.parametrize("first", ["#!/bin/sh", "#! /usr/bin/env -S bash -e", "#!/usr/local/bin/zsh"])
def test_a_shell_script_is_no_python_program(first: str, tmp_path: Path) -> None:
    """Unless its first words are a command to a shell and a text to Python."""
    script = tmp_path / "launch"
    for second in ("python train.py", "# starts python", "torchrun train.py", ""):
        script.write_text(f"{first}\n{second}\npython train.py\n")
        with pytest.raises(InvalidValueError, match=r"launch is a shell script: expected .* --format env"):
            Program.named([str(script)])
    for text in (f"{first}\n'''exec' python \"$0\"\n'''\n", f"import sh\n{first}\n", "#!/sh/python3\n"):
        script.write_text(text)
        assert Program.named([str(script)]).target == str(script)


def test_this_python_may_come_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in `dynconf run python train.py`, by any name and path; alone it is no program."""
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent))
    (tmp_path / "train.py").touch()
    for name in ("python", sys.executable):
        for words in (["train.py", "x"], ["-m", "json.tool"], ["-c", "pass"]):
            assert Program.named([name, *words]) == Program.named(words)
        with pytest.raises(InvalidValueError, match="there is no program to run"):
            Program.named([name])
        with pytest.raises(InvalidValueError, match=r"no option -u; Python's .* `python -u -m"):
            Program.named([name, "-u", "train.py"])


@pytest.mark.parametrize(
    ("head", "is_found"),
    [
        (f"#!{sys.executable}", True),
        ("#!/bin/sh\n'''exec' \"/long/python\" \"$0\" \"$@\"\n' '''", True),
        ("#!/bin/sh\nexec ruby", False),
        ("import python", False),
        ("", False),
    ],
)
def test_a_command_may_be_installed_for_the_user(
    head: str, *, is_found: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By `pip install --user`; a script of another Python, which PATH may name, would find other packages."""
    monkeypatch.setitem(sysconfig.get_config_vars(), "userbase", str(tmp_path / "user"))
    monkeypatch.setenv("PATH", str(tmp_path / "other"))
    for folder in ("user/bin", "other"):
        script = tmp_path / folder / f"tool-of-{folder[:4]}"
        script.parent.mkdir(parents=True)
        script.write_text(f"{head}\nprint(1)\n")
        script.chmod(0o755)
    with pytest.raises(InvalidValueError, match=r"is not a script of this Python"):
        Program.named(["tool-of-othe"])
    if is_found:
        path = str(tmp_path / "user" / "bin" / "tool-of-user")
        assert Program.named(["tool-of-user", "x"]) == Program("script", path, ("x",))
        Path(path).chmod(0o644)
    with pytest.raises(InvalidValueError, match=r"No such file or directory"):
        Program.named(["tool-of-user"])


def test_a_folder_hides_a_command_only_if_it_is_a_program(tmp_path: Path) -> None:
    """The sources of a tool often lie in one of its name; without the command, Python says what lacks."""
    for name in ("pytest", "no_such_command"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("1 / 0")
    assert Path(Program.named(["pytest"]).target).is_absolute()
    for folder in ("./pytest", "no_such_command"):
        assert Program.named([folder]).target == folder
    (tmp_path / "pytest" / "__main__.py").write_text("")
    assert Program.named(["pytest"]).target == "pytest"
