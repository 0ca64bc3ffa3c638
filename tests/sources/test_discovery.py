"""Discovery: which settings file counts."""

import os
from pathlib import Path

import pytest

from dynconf.errors import StateFileError
from dynconf.sources.discovery import CONFIG_VARIABLE, chosen, find


def write(path: Path, text: str) -> Path:
    """Write a file and return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_the_nearest_file_is_found(tmp_path):
    """The working directory first, then its parents, up to the root."""
    write(tmp_path / "dynconf.toml", "verbose = true")
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    assert find(inner).name == str(tmp_path / "dynconf.toml")
    write(tmp_path / "a" / "dynconf.toml", "verbose = false")
    assert find(inner).data == {"verbose": False}


def test_a_pyproject_counts_if_it_has_the_table(tmp_path):
    """One without ``[tool.dynconf]`` does not end the search."""
    write(tmp_path / "pyproject.toml", "[project]\nname = 'x'\n\n[tool.dynconf]\nverbose = true\n")
    inner = write(tmp_path / "a" / "pyproject.toml", "[tool.ruff]\nline-length = 9\n").parent
    found = find(inner)
    assert found.data == {"verbose": True}
    assert found.table == "tool.dynconf"
    assert found.origin(["verbose"], True).line == 5


def test_dynconf_toml_beats_the_pyproject_beside_it(tmp_path):
    """Only one file counts."""
    write(tmp_path / "pyproject.toml", "[tool.dynconf]\nverbose = true\n")
    write(tmp_path / "dynconf.toml", "disable = true\n")
    assert find(tmp_path).data == {"disable": True}


def test_an_empty_table_stops_the_search(tmp_path):
    """A project can say that it has no settings."""
    write(tmp_path / "dynconf.toml", "verbose = true")
    inner = write(tmp_path / "a" / "pyproject.toml", "[tool.dynconf]\n").parent
    assert find(inner).data == {}


def test_there_may_be_no_file(tmp_path):
    """Most projects have none."""
    assert find(tmp_path) is None


def test_a_folder_that_may_not_be_searched_has_no_settings(tmp_path, monkeypatch):
    """A parent without permission does not stop a program."""

    def refused(_: str) -> os.stat_result:
        raise PermissionError

    monkeypatch.setattr(os, "stat", refused)
    assert find(tmp_path) is None


def test_a_folder_of_that_name_is_not_a_file(tmp_path):
    """Only files are found."""
    (tmp_path / "dynconf.toml").mkdir()
    assert find(tmp_path) is None


def test_the_option_beats_the_variable_beats_the_search(tmp_path):
    """``--config``, then ``DYNCONF_CONFIG``, then the nearest file."""
    option = write(tmp_path / "option.toml", "recompile_limit = 1")
    variable = write(tmp_path / "variable.toml", "recompile_limit = 2")
    write(tmp_path / "dynconf.toml", "recompile_limit = 3")
    environ = {CONFIG_VARIABLE: str(variable)}
    assert chosen(environ, option, tmp_path).data == {"recompile_limit": 1}
    assert chosen(environ, None, tmp_path).data == {"recompile_limit": 2}
    assert chosen({CONFIG_VARIABLE: " "}, None, tmp_path).data == {"recompile_limit": 3}


def test_the_variable_may_hold_the_json_itself(tmp_path):
    """Text that begins with a brace is not a path."""
    document = chosen({CONFIG_VARIABLE: ' {"verbose": true}'}, None, tmp_path)
    assert document.data == {"verbose": True}
    assert document.name == CONFIG_VARIABLE
    with pytest.raises(StateFileError, match=r"DYNCONF_CONFIG is not valid JSON"):
        chosen({CONFIG_VARIABLE: '{"verbose": '}, None, tmp_path)


def test_the_search_begins_in_the_working_directory(tmp_path, monkeypatch):
    """A folder that has been removed under a running program is an error, unless a file is named."""
    named = write(tmp_path / "named.toml", "verbose = true")
    gone = tmp_path / "gone"
    write(gone / "dynconf.toml", "verbose = false")
    monkeypatch.chdir(gone)
    assert chosen({}).data == {"verbose": False}
    (gone / "dynconf.toml").unlink()
    gone.rmdir()
    with pytest.raises(StateFileError, match="the working directory no longer exists"):
        chosen({})
    assert chosen({}, named).data == chosen({CONFIG_VARIABLE: str(named)}).data == {"verbose": True}


@pytest.mark.parametrize("data", ["tool = 1", "[[tool]]\nx = 1", "[tool]\nruff = 1"])
def test_a_project_without_tables_of_tools_is_passed_over(tmp_path, data):
    """Whatever else it contains."""
    write(tmp_path / "pyproject.toml", data)
    assert find(tmp_path) is None


def test_settings_that_are_not_a_table_are_refused(tmp_path):
    """The file is named."""
    write(tmp_path / "pyproject.toml", "[tool]\ndynconf = 1")
    with pytest.raises(StateFileError, match=r"pyproject\.toml is not a settings file: expected a table"):
        find(tmp_path)
