"""The command line where torch is not installed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

WITHOUT = """
import importlib.machinery, importlib.metadata

finder = importlib.machinery.PathFinder
found = finder.find_spec
finder.find_spec = lambda name, *rest: None if name.partition(".")[0] == "torch" else found(name, *rest)
version = importlib.metadata.version

def no_torch(name):
    if name == "torch":
        raise importlib.metadata.PackageNotFoundError(name)
    return version(name)

importlib.metadata.version = no_torch
"""


@pytest.fixture
def dynconf(tmp_path: Path):
    """Return what runs dynconf in a process without torch."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(WITHOUT)
    environ = {**os.environ, "PYTHONPATH": f"{tmp_path / 'site'}:{ROOT}"}

    def run(*words: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-m", "dynconf", *words],
            capture_output=True, text=True, check=False, env=environ, cwd=tmp_path,
        )  # fmt: skip

    return run


@pytest.mark.parametrize(
    "words",
    [
        ("verify",),
        ("backends",),
        ("compare", "model.py:make"),
        ("dump", "--live"),
        ("save", "x.json", "--live"),
        ("diff", "x.json", "--live"),
    ],
    ids=lambda words: words[0],
)
def test_what_needs_torch_says_so(dynconf, words: tuple[str, ...]) -> None:
    """In one line, with exit code 2."""
    done = dynconf(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "needs torch, which is not installed: pip install torch" in done.stderr


def test_the_rest_answers_for_the_newest_release(dynconf) -> None:
    """And says so; a program runs with its settings waiting for torch."""
    for words in (["dump"], ["check"], ["init"], ["env"], ["save", "x.json"]):
        done = dynconf(*words)
        assert done.returncode == 0, done.stderr
        assert "no torch is installed" in done.stderr
    done = dynconf("run", "-s", "verbose=1", "-c", "print('ran')")
    assert (done.returncode, done.stdout) == (0, "ran\n")
    assert "torch not installed" in dynconf("--version").stdout
