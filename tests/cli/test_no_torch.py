"""The command line where torch is not installed."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

WITHOUT = """
import importlib.machinery

finder = importlib.machinery.PathFinder
found = finder.find_spec
finder.find_spec = lambda name, *rest: None if name.partition(".")[0] == "torch" else found(name, *rest)
"""


COMMANDS = """
import io, json, sys
from contextlib import redirect_stderr, redirect_stdout
from dynconf.cli import main

done = []
for words in json.loads(sys.argv[1]):
    sys.argv = ["dynconf", *words]
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        try:
            code = main()
        except SystemExit as stop:
            code = stop.code
    done.append([code or 0, out.getvalue(), err.getvalue()])
print(json.dumps(done))
"""


@pytest.fixture
def python(tmp_path: Path) -> Callable[..., str]:
    """Return what runs Python without torch, and returns what it prints."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(WITHOUT)
    environ = {**os.environ, "PYTHONPATH": f"{tmp_path / 'site'}:{ROOT}"}
    return lambda *words: (
        subprocess.run(
            [sys.executable, *words], capture_output=True, text=True, check=True, env=environ
        ).stdout
    )


def test_what_needs_torch_says_so(python: Callable[..., str]) -> None:
    """In one line, with exit code 2."""
    lines = "verify|verify --list|compare model.py:make|dump --live|dump -o x.json --live|diff x.json --live"
    commands = [line.split() for line in lines.split("|")]
    for words, done in zip(commands, json.loads(python("-c", COMMANDS, json.dumps(commands))), strict=True):
        code, out, err = done
        assert (code, out, err.count("\n")) == (2, "", 1), words
        assert "needs torch, which is not installed: pip install torch" in err, words


def test_the_rest_answers_for_the_newest_release(python: Callable[..., str]) -> None:
    """And says so; a program runs with its settings waiting for torch."""
    commands = [["dump"], ["check"], ["init"], ["dump", "--format", "env"], ["dump", "-o", "x.json"]]
    for code, _, err in json.loads(python("-c", COMMANDS, json.dumps(commands))):
        assert code == 0, err
        assert "no torch is installed" in err
    assert python("-m", "dynconf", "run", "-s", "verbose=1", "-c", "print('ran')") == "ran\n"
    assert "torch not installed" in python("-m", "dynconf", "--version")
