"""Discovery: which settings file counts."""

import os
from pathlib import Path

import pytest
from states import written

from dynconf.errors import InvalidValueError, StateFileError
from dynconf.sources.discovery import CONFIG_VARIABLE, Found, find_settings, find_upwards, hidden_settings


def test_the_nearest_file_is_found(tmp_path):
    """The working directory first, then its parents, up to the root."""
    written(tmp_path / "dynconf.toml", "verbose = true")
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    assert find_upwards(inner).document.name == str(tmp_path / "dynconf.toml")
    written(tmp_path / "a" / "dynconf.toml", "verbose = false")
    assert find_upwards(inner).document.data == {"verbose": False}


def test_settings_that_a_nearer_file_hides_are_named(tmp_path, monkeypatch):
    """Those in parents, as far as a search goes; and the one that a search finds where another is named."""
    outer = written(tmp_path / "dynconf.toml", "verbose = true")
    broken = written(tmp_path / "a" / "dynconf.toml", "verbose = ")
    project = written(tmp_path / "a" / "pyproject.toml", "[tool.dynconf]\nverbose = true\n")
    inner = written(tmp_path / "a" / "b" / "dynconf.toml", "verbose = false")
    monkeypatch.chdir(inner.parent)
    hidden = {each.path: each.reason for each in hidden_settings({})}
    reason = f"{inner} is nearer, and the two are not merged"
    assert hidden == dict.fromkeys(map(str, (project, outer)), reason)
    mine = written(tmp_path / "mine.toml", "verbose = true")
    said = [f"{inner} is skipped: {mine} is named, and the two are not merged"]
    assert [str(each) for each in hidden_settings({}, mine)] == said
    assert [str(each) for each in hidden_settings({CONFIG_VARIABLE: str(mine)})] == said
    assert [*hidden_settings({}, inner), *hidden_settings({CONFIG_VARIABLE: "{}"})] == []
    (broken.parent / ".git").mkdir()
    assert [each.path for each in hidden_settings({})] == [str(project)]
    inner.unlink()
    broken.unlink()
    assert [*hidden_settings({})] == []


@pytest.mark.parametrize("name", ["dynconf.json", "dynconf.yaml", ".dynconf.toml"])
def test_a_file_of_nearly_the_right_name_is_named(tmp_path, monkeypatch, name):
    """Where none of the right name is found, and none is named."""
    near = written(tmp_path / name, "")
    (tmp_path / "a").mkdir()
    monkeypatch.chdir(tmp_path / "a")
    said = [f"{near} is skipped: the search is for dynconf.toml and pyproject.toml"]
    assert [str(each) for each in hidden_settings({})] == said
    assert [*hidden_settings({CONFIG_VARIABLE: "{}"})] == []
    written(tmp_path / "dynconf.toml", "")
    assert [*hidden_settings({})] == []


def test_a_table_without_tool_in_front_is_reported(tmp_path):
    """It does not end the search, either."""
    written(tmp_path / "dynconf.toml", "verbose = true")
    inner = written(tmp_path / "a" / "pyproject.toml", "[dynconf]\nverbose = true\n").parent
    found = find_upwards(inner)
    assert found.document.data == {"verbose": True}
    [warning] = found.warnings
    assert str(warning).endswith("; if its table [dynconf] is meant, write [tool.dynconf]")


def test_an_empty_table_stops_the_search(tmp_path):
    """A project can say that it has no settings."""
    written(tmp_path / "dynconf.toml", "verbose = true")
    inner = written(tmp_path / "a" / "pyproject.toml", "[tool.dynconf]\n").parent
    assert find_upwards(inner).document.data == {}


def test_a_folder_that_may_not_be_searched_has_no_settings(tmp_path, monkeypatch):
    """A parent without permission does not stop a program."""

    def refused(*_: object, **__: object) -> os.stat_result:
        raise PermissionError

    with monkeypatch.context() as patched:
        patched.setattr(os, "stat", refused)
        found = find_upwards(tmp_path)
    assert found == Found()


def test_the_option_beats_the_variable_beats_the_search(tmp_path):
    """``--config``, then ``DYNCONF_CONFIG``, then the nearest file."""
    option = written(tmp_path / "option.toml", "recompile_limit = 1")
    variable = written(tmp_path / "variable.toml", "recompile_limit = 2")
    written(tmp_path / "dynconf.toml", "recompile_limit = 3")
    written(tmp_path / "pyproject.toml", "[tool.dynconf]\nrecompile_limit = 4")  # beside a file of our own
    environ = {CONFIG_VARIABLE: str(variable)}
    assert find_settings(environ, option).document.data == {"recompile_limit": 1}
    assert find_settings(environ).document.data == {"recompile_limit": 2}
    assert find_settings({CONFIG_VARIABLE: " "}).document.data == {"recompile_limit": 3}


def test_the_variable_may_hold_the_json_itself():
    """Text that begins with a brace is not a path."""
    document = find_settings({CONFIG_VARIABLE: ' {"verbose": true}'}).document
    assert document.data == {"verbose": True}
    assert document.name == CONFIG_VARIABLE
    with pytest.raises(StateFileError, match=r"DYNCONF_CONFIG is not valid JSON"):
        find_settings({CONFIG_VARIABLE: '{"verbose": '})


def test_the_search_begins_in_the_working_directory(tmp_path, monkeypatch):
    """One that has been removed under a running program has no settings, which is a warning."""
    named = written(tmp_path / "named.toml", "verbose = true")
    gone = tmp_path / "gone"
    written(gone / "dynconf.toml", "verbose = false")
    monkeypatch.chdir(gone)
    assert find_settings({}).document.data == {"verbose": False}
    (gone / "dynconf.toml").unlink()
    gone.rmdir()
    assert find_settings({}).document is None
    assert "the working directory is skipped: it no longer exists" in str(find_settings({}).warnings[0])
    for found in (find_settings({}, named), find_settings({CONFIG_VARIABLE: str(named)})):
        assert found.document.data == {"verbose": True}


@pytest.mark.parametrize("kind", ["folder", "file"])
def test_the_search_ends_at_the_root_of_the_repository(tmp_path, kind):
    """Its own files count; in a worktree ``.git`` is a file."""
    written(tmp_path / "dynconf.toml", "verbose = true")
    root = tmp_path / "repository"
    inner = root / "src"
    inner.mkdir(parents=True)
    assert find_upwards(inner).document is not None
    (root / ".git").mkdir() if kind == "folder" else written(root / ".git", "gitdir: elsewhere")
    assert find_upwards(inner) == Found()
    written(root / "dynconf.toml", "verbose = false")
    assert find_upwards(inner).document.data == {"verbose": False}


def test_the_search_ends_at_home(tmp_path, monkeypatch):
    """What lies above it is not the user's, whatever the link by which the folder is known."""
    written(tmp_path / "dynconf.toml", "verbose = true")
    home = tmp_path / "home"
    (home / "project").mkdir(parents=True)
    (tmp_path / "link").symlink_to(home)
    monkeypatch.setenv("HOME", str(tmp_path / "link"))
    assert find_upwards(home / "project") == Found()
    written(home / "dynconf.toml", "disable = true")
    assert find_upwards(home / "project").document.data == {"disable": True}


def test_the_search_ends_where_another_file_system_begins(tmp_path, monkeypatch):
    """A mounted folder is whoever's who mounted it."""
    written(tmp_path / "dynconf.toml", "verbose = true")
    mounted = tmp_path / "mounted"
    mounted.mkdir()
    real = os.stat

    def stat(path: object, **options: object) -> os.stat_result:
        status = real(path, **options)
        fields = list(status)
        fields[2] += os.fspath(path) == str(mounted)
        return os.stat_result(fields)

    with monkeypatch.context() as patched:
        patched.setattr(os, "stat", stat)
        assert find_upwards(mounted) == Found()
    assert find_upwards(mounted).document is not None


def trusted(environ, config=None, **options):
    """Return whether the settings that count may set flags with risks."""
    return find_settings(environ, config, **options).document.trusted


def test_a_named_file_that_the_search_finds_needs_no_trust(tmp_path, monkeypatch):
    """Nobody but the user can have changed it; a copy, or one that others may write, may be anyone's."""
    monkeypatch.chdir(tmp_path)
    own, copy = Path("dynconf.toml"), Path("copy.toml")
    for each in (own, copy):
        each.write_text("verbose = true\n")
    assert trusted({}, str(own))
    assert trusted({CONFIG_VARIABLE: str(own.resolve())})
    assert not trusted({}, str(copy))
    own.chmod(0o666)
    assert not trusted({}, str(own))


def test_trust_follows_the_door(tmp_path):
    """Who can set variables can do anything; a named file may be anybody's; a found one is the user's."""
    forms = {"state.json": '{"dynconf": 1, "flags": {}}', "my.toml": "", "pyproject.toml": "[tool.dynconf]"}
    for name, text in forms.items():
        path = written(tmp_path / "named" / name, text)
        for door in ({}, path), ({CONFIG_VARIABLE: str(path)}, None):
            assert not trusted(*door)
            assert trusted(*door, trust=True)
            for word, expected in {"1": True, " Yes ": True, "0": False, "off": False, " ": False}.items():
                assert trusted({**door[0], "DYNCONF_TRUST": word}, door[1]) is expected
            with pytest.raises(InvalidValueError, match=r"DYNCONF_TRUST='maybe' is neither true nor false"):
                trusted({**door[0], "DYNCONF_TRUST": "maybe"}, door[1])
    for text in ("{}", forms["state.json"]):
        assert trusted({CONFIG_VARIABLE: text})
    for text in ("verbose = true", "dynconf = 1"):
        written(tmp_path / "dynconf.toml", text)
        assert trusted({})
