"""Type checkers: mypy --strict and pyright accept the right forms and refuse the wrong ones, line by line."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
RIGHT, WRONG = (Path("tests/typing") / name for name in ("right.py", "wrong.py"))

NOT_OURS = "[mypy-torch.*,numpy.*,rich.*,pytest.*,_pytest.*,IPython.*]\n"
"""The modules that neither file needs; reading all of torch takes mypy half a minute."""


def expected() -> set[tuple[str, int]]:
    """Return the lines that must be refused."""
    lines = (ROOT / WRONG).read_text(encoding="utf-8").splitlines()
    return {("wrong.py", number) for number, line in enumerate(lines, 1) if line.endswith("  # error")}


def run(*command: str) -> str:
    """Run a type checker on both files and return its output."""
    line = [sys.executable, "-m", *command, str(RIGHT), str(WRONG)]
    done = subprocess.run(line, capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("plugin", ["", "pydantic.mypy"], ids=["plain", "pydantic plugin"])
def test_mypy_agrees(plugin, tmp_path):
    """Under --strict, with and without the plugin of pydantic."""
    pytest.importorskip("mypy")
    config = tmp_path / "mypy.ini"
    config.write_text(f"[mypy]\nplugins = {plugin}\n{NOT_OURS}follow_imports = skip\n")
    cache = ROOT / ".cache" / f"mypy-{plugin or 'plain'}"  # one for both would never fit
    command = ("mypy", "--config-file", str(config), "--cache-dir", str(cache), "--strict")
    output = run(*command, "--no-error-summary", "--hide-error-context", "--no-pretty")
    found = re.findall(r"^tests/typing/(\w+\.py):(\d+): error: ", output, re.MULTILINE)
    assert {(name, int(line)) for name, line in found} == expected(), output


def test_pyright_agrees():
    """Pyright runs with its own defaults, as in an editor."""
    pytest.importorskip("pyright")
    output = run("pyright", "--pythonpath", sys.executable, "--outputjson")
    errors = [each for each in json.loads(output)["generalDiagnostics"] if each["severity"] == "error"]
    found = {(Path(each["file"]).name, each["range"]["start"]["line"] + 1) for each in errors}
    assert found == expected(), output
