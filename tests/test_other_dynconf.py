"""Another project, or a file, called ``dynconf`` that comes first on the path: the command says so."""

import os
from pathlib import Path

import pytest
from warm import cold

import dynconf

HOME = Path(dynconf.__file__).parents[1]
"""Where the command's own module is, beside the package; a child finds it behind what shadows the package."""

SCRIPT = "import sys; sys.argv = ['dynconf', *sys.argv[1:]]; from torch_dynconf import main; main()"
"""The console script, as pip writes it."""


def path(first: Path) -> str:
    """Return a PYTHONPATH on which that folder comes first."""
    return f"{first}{os.pathsep}{HOME}"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("dynconf.py", "patch = None\n"),  # a user's own
        ("dynconf/__init__.py", "__all__ = ['Config']\n"),  # the one on the index
        ("dynconf.py", "import a_module_that_is_not_there\n"),
        ("dynconf.py", "print 'old'\n"),
    ],
)
def test_another_one_of_that_name(tmp_path: Path, name: str, text: str) -> None:
    """A file or a package, whether it can be imported or not: it is named in one line, nothing is done."""
    other = tmp_path / name
    other.parent.mkdir(exist_ok=True)
    other.write_text(text)
    for words in (["-c", SCRIPT, "dump"], ["-m", "torch_dynconf", "dump"]):
        done = cold(*words, PYTHONPATH=path(tmp_path))
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), words
        assert f"finds {other}, which is not torch-dynconf" in done.stderr, words


def test_ours_runs(tmp_path: Path) -> None:
    """A folder of that name that is no package hides nothing."""
    (tmp_path / "dynconf").mkdir()
    done = cold("-c", SCRIPT, "--version", PYTHONPATH=path(tmp_path))
    assert done.returncode == 0
    assert done.stdout.startswith(f"dynconf {dynconf.__version__}\n")
