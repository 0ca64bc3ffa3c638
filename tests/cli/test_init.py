"""Tests of ``dynconf init``."""

import json
import sys
from pathlib import Path

import pytest

from dynconf.tools.show.schema import settings_schema

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


def test_a_settings_file_to_begin_with(run_cli) -> None:
    """Nothing is set in it, and it is not replaced unasked."""
    assert run_cli("init", "--torch", "2.13").code == 0
    text = Path("dynconf.toml").read_text()
    assert "torch 2.13.0" in text
    assert "# recompile_limit = 8" in text
    assert run_cli("dump", "--changed").out.startswith("nothing is set")
    Path("dynconf.toml").write_text("verbose = true\n")
    assert "exists already" in run_cli("init").refused()
    assert Path("dynconf.toml").read_text() == "verbose = true\n"
    assert run_cli("init", "--force", "--torch", "2.13").code == 0
    assert Path("dynconf.toml").read_text() == text


def test_the_schema_for_editors(run_cli) -> None:
    """As JSON, on stdout, whatever the environment says; nothing else is written."""
    done = run_cli("init", "--schema")
    assert (done.code, done.err) == (0, "")
    assert json.loads(done.out) == settings_schema()
    assert not Path("dynconf.toml").exists()


def test_the_table_of_a_pyproject(run_cli) -> None:
    """It comes behind what is there, once."""
    Path("pyproject.toml").write_text('[project]\nname = "mine"\n')
    assert run_cli("init", "--pyproject", "--all").code == 0
    data = tomllib.loads(Path("pyproject.toml").read_text())
    assert data == {"project": {"name": "mine"}, "tool": {"dynconf": {}}}
    assert "# [tool.dynconf.functorch]" in Path("pyproject.toml").read_text()
    assert "already" in run_cli("init", "--pyproject").err
    assert run_cli("check").code == 0


def test_another_file(run_cli) -> None:
    """By -o; a folder that is not there is an error."""
    assert run_cli("init", "-o", "other.toml").code == 0
    assert run_cli("dump", "--config", "other.toml", "--changed").code == 0
    assert run_cli("init", "-o", "no/such/folder.toml").code == 2


@pytest.mark.parametrize(
    "text", ["tool = {black = {x = 1}}\n", "tool=3", "tool = {}", "[[tool]]\na = 1\n", "tool = 'dynconf'\n"]
)
def test_a_pyproject_that_cannot_have_the_table(run_cli, text: str) -> None:
    """It stays as it is, and the error says how to write it."""
    Path("pyproject.toml").write_text(text)
    assert "write that as tables, such as [tool.black]" in run_cli("init", "--pyproject").refused()
    assert Path("pyproject.toml").read_text() == text


def test_the_table_of_a_pyproject_below_dotted_keys(run_cli) -> None:
    """Whatever was in the file is still in it."""
    text = 'tool.black.x = """\n[tool.dynconf]\n"""\n# end'
    Path("pyproject.toml").write_text(text)
    assert run_cli("init", "--pyproject").code == 0
    data = tomllib.loads(Path("pyproject.toml").read_text())
    assert data["tool"] == {**tomllib.loads(text)["tool"], "dynconf": {}}


@pytest.mark.parametrize(
    "words",
    [
        "-o x.json",
        "-o x.yaml",
        "-o x.py",
        "-o pyproject.toml",
        "--force -o pyproject.toml",
        "--pyproject -o x.toml",
    ],
)
def test_a_name_under_which_nothing_would_be_read(run_cli, words: str) -> None:
    """It is refused, and no file is written: the form of a file goes by its name."""
    said = run_cli("init", *words.split()).refused()
    assert "use .toml" in said or "--pyproject" in said
    assert not list(Path().iterdir())
