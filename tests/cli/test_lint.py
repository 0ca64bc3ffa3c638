"""Tests of ``dynconf lint``."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[..., Any]


@pytest.fixture(autouse=True)
def program(tmp_path: Path) -> Path:
    """Write a program with an old name and an unknown one into the working directory."""
    path = tmp_path / "train.py"
    path.write_text(
        "import torch\ntorch._dynamo.config.cache_size_limit = 64\ntorch._dynamo.config.verbos = True\n"
    )
    return path


def test_findings_have_place_code_and_reason(run_cli: Cli) -> None:
    """The last line counts them, and says how many can be fixed."""
    done = run_cli("lint", "-t", "2.13")
    assert done.code == 1
    assert done.out.splitlines() == [
        "train.py:2:22: DC304 [*] cache_size_limit is an old name of recompile_limit",
        "train.py:3:22: DC301 there is no flag 'verbos': did you mean 'verbose'?",
        "1 error, 1 warning (1 fixable with --fix); `dynconf explain DC301` says more",
    ]


def test_several_releases_mean_all_of_them(run_cli: Cli) -> None:
    """The old name is right where one of the releases has no other."""
    done = run_cli("lint", "-t", "2.6", "-t", "2.13", "train.py")
    assert done.out.splitlines()[1:] == ["1 error; `dynconf explain DC301` says more"]
    assert run_cli("lint", "-t", "1.0").code == 2


def test_selected_and_ignored_codes(run_cli: Cli) -> None:
    """By their first characters."""
    assert run_cli("lint", "-t", "2.13", "--select", "DC304").out.count("train.py") == 1
    assert run_cli("lint", "-t", "2.13", "--ignore", "DC3").out == "nothing to report\n"
    assert run_cli("lint", "-t", "2.13", "--ignore", "DC3").code == 0


def test_fixes(run_cli: Cli, program: Path) -> None:
    """``--diff`` shows them, ``--fix`` writes them, and the rest is reported."""
    before = program.read_text()
    done = run_cli("lint", "-t", "2.13", "--diff")
    assert "+torch._dynamo.config.recompile_limit = 64" in done.out
    assert (done.code, program.read_text()) == (1, before)
    done = run_cli("lint", "-t", "2.13", "--fix")
    assert (done.code, done.err) == (1, "dynconf: note: 1 fixed\n")
    assert done.out.count("train.py") == 1
    assert program.read_text() == before.replace("cache_size_limit", "recompile_limit")
    assert run_cli("lint", "-t", "2.13", "--diff").out == ""


def test_formats_for_programs(run_cli: Cli) -> None:
    """JSON, commands for GitHub, and SARIF with the same places."""
    [old, unknown] = json.loads(run_cli("lint", "-t", "2.13", "--format", "json").out)["findings"]
    assert (old["code"], old["line"], old["column"], old["fix"]) == ("DC304", 2, 22, "recompile_limit")
    assert unknown["level"] == "error"
    done = run_cli("lint", "-t", "2.13", "--format", "github")
    assert done.out.startswith("::warning file=train.py,title=dynconf DC304,line=2,col=22::cache_size_limit")
    [run] = json.loads(run_cli("lint", "-t", "2.13", "--format", "sarif").out)["runs"]
    assert [each["ruleId"] for each in run["results"]] == ["DC304", "DC301"]
    rules = run["tool"]["driver"]["rules"]
    assert [rules[each["ruleIndex"]]["id"] for each in run["results"]] == ["DC304", "DC301"]
    place = run["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "train.py"
    assert place["region"] == {"startLine": 2, "startColumn": 22}


def test_statistics(run_cli: Cli) -> None:
    """A line for each code."""
    done = run_cli("lint", "-t", "2.13", "--statistics")
    assert [line.split()[:2] for line in done.out.splitlines()] == [["1", "DC304"], ["1", "DC301"]]
