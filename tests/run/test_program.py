"""The words of a command line that name a program; ``tests/cli/test_run.py`` has tests of running it."""

from pathlib import Path

import pytest

from dynconf.errors import InvalidValueError
from dynconf.run.program import Program


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
    for name in ("sh", "no_such_command", "../python"):
        with pytest.raises(InvalidValueError, match=r"No such file or directory$"):
            Program.named([name])
