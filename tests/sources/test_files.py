"""Files: which one counts, what its entries mean, and where each of them stands."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import JSON

from dynconf.errors import (
    ConflictError,
    DynconfError,
    EnvironmentWarning,
    InertFlagWarning,
    InvalidValueError,
    StateFileError,
    UnknownFlagError,
)
from dynconf.references import Named
from dynconf.sources.files import CONFIG_VARIABLE, chosen, find, open_document, parse, read_document
from dynconf.versions import asked

AT = asked("2.13.0")


def read(text: str, syntax="toml", at=AT, missing=None):
    """Read a file of that text."""
    return read_document(parse(text, f"settings.{syntax}", syntax), at, missing)


def write(path: Path, text: str) -> Path:
    """Write a file and return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


# Which file counts.


def test_the_nearest_file_is_found(tmp_path):
    """The working directory first, then its parents, up to the root."""
    write(tmp_path / "dynconf.toml", "verbose = true")
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    assert find(inner).name == str(tmp_path / "dynconf.toml")
    write(tmp_path / "a" / "dynconf.toml", "verbose = false")
    assert find(inner).data == {"verbose": False}


def test_a_pyproject_counts_where_it_has_the_table(tmp_path):
    """One without ``[tool.dynconf]`` is passed over."""
    write(tmp_path / "pyproject.toml", "[project]\nname = 'x'\n\n[tool.dynconf]\nverbose = true\n")
    inner = write(tmp_path / "a" / "pyproject.toml", "[tool.ruff]\nline-length = 9\n").parent
    found = find(inner)
    assert found.data == {"verbose": True}
    assert found.table == "tool.dynconf"
    assert found.origin("verbose", True).line == 5


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


def test_no_file_is_no_mistake(tmp_path):
    """Most projects have none."""
    assert find(tmp_path) is None


def test_a_folder_that_may_not_be_looked_into_has_no_settings(tmp_path, monkeypatch):
    """A parent without permission does not stop a program."""

    def refused(_: Path) -> bool:
        raise PermissionError

    monkeypatch.setattr(Path, "is_file", refused)
    assert find(tmp_path) is None


def test_a_folder_of_that_name_is_no_file(tmp_path):
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
    """Text that begins with a brace is no path."""
    document = chosen({CONFIG_VARIABLE: ' {"verbose": true}'}, None, tmp_path)
    assert document.data == {"verbose": True}
    assert document.name == CONFIG_VARIABLE
    with pytest.raises(StateFileError, match=r"DYNCONF_CONFIG is no valid JSON"):
        chosen({CONFIG_VARIABLE: '{"verbose": '}, None, tmp_path)


def test_the_suffix_tells_the_syntax(tmp_path):
    """``.json`` is JSON, ``.toml`` TOML, and any other name is told by its first character."""
    for name in ("a.json", "a.state", "a"):
        assert open_document(write(tmp_path / name, '{"verbose": true}')).syntax == "json"
    for name in ("b.toml", "b.cfg"):
        assert open_document(write(tmp_path / name, "verbose = true")).syntax == "toml"


def test_what_an_editor_on_windows_saves_is_read(tmp_path):
    """A byte order mark and other line ends change nothing, lines included."""
    path = tmp_path / "dynconf.toml"
    path.write_bytes("\ufeffdisable = true\r\n\r\nverbose = true\r\n".encode())
    document = open_document(path)
    assert document.data == {"disable": True, "verbose": True}
    assert document.origin("verbose", True).line == 3


# Files that are none.


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.toml", b"\xff\xfe", "it is not UTF-8 text"),
        ("a.json", bytes(range(256)), "it is not UTF-8 text"),
        ("a.toml", b"verbose = ", "no valid TOML"),
        ("a.toml", b"verbose = true\nverbose = false", "no valid TOML"),
        ("a.toml", b"\x00", "no valid TOML"),
        ("a.json", b"", "no valid JSON"),
        ("a.json", b"{verbose: 1}", "no valid JSON"),
        ("a.json", b'{"verbose": true, "verbose": false}', "'verbose' stands there twice"),
        ("a.json", b"[1, 2]", "expected a table of flags, not [1, 2]"),
        ("a.json", b"null", "expected a table of flags, not None"),
        ("a.json", b"[" * 100_000, "nested too deeply"),
        ("a.json", b'{"a":' * 100_000, "nested too deeply"),
        ("a.toml", b"a = " + b"[" * 100_000, "nested too deeply"),
        ("a.toml", b"a = " + b"{a=" * 100_000, "nested too deeply"),
        ("a.json", b"9" * 5000, "no valid JSON"),
        ("a.toml", b"a = " + b"9" * 5000, "no valid TOML"),
        ("a.toml", b" " * (16 * 1024 * 1024 + 1), "larger than 16777216 bytes"),
    ],
)
def test_what_is_no_settings_file_is_refused(tmp_path, name, content, said):
    """The error names the file and says what it is not; nothing else is ever raised."""
    (tmp_path / name).write_bytes(content)
    with pytest.raises(StateFileError) as refused:
        open_document(tmp_path / name)
    assert said in str(refused.value)
    assert str(tmp_path / name) in str(refused.value)


@pytest.mark.parametrize("path", ["no/such/file.toml", ".", "", "x" * 5000, "a\0b", "~nobody/x"])
def test_what_cannot_be_opened_is_refused(path):
    """Folders, names that no file can have, and files that are not there."""
    with pytest.raises(StateFileError, match="cannot be read"):
        open_document(Path(path))


def test_an_unreadable_file_is_refused_by_name(tmp_path, monkeypatch):
    """The reason of the system is given."""
    path = write(tmp_path / "a.toml", "")

    def refused(*_: object) -> None:
        raise PermissionError(13, os.strerror(13))

    monkeypatch.setattr(Path, "open", refused)
    with pytest.raises(StateFileError, match=r"a\.toml cannot be read: Permission denied"):
        open_document(path)


@given(st.binary(max_size=200))
def test_any_file_is_read_or_refused(content):
    """No content makes reading raise anything but a DynconfError."""
    for name in ("any.toml", "any.json", "any"):
        path = Path(name)
        path.write_bytes(content)
        try:
            read_document(open_document(path), AT)
        except DynconfError:
            continue


@given(
    st.dictionaries(st.sampled_from(["verbose", "recompile_limit", "x", "missing", "dynconf", "flags"]), JSON)
)
def test_any_json_object_is_read_or_refused(data):
    """Mistakes in entries are errors of the layer."""
    layer = read(json.dumps(data), "json")
    assert all(isinstance(error, DynconfError) for error in layer.errors)


# What entries mean.


def test_entries_are_values():
    """Booleans, numbers, words, arrays and tables as TOML has them; sets are arrays."""
    layer = read(
        """
        verbose = true
        recompile_limit = 64
        repro_tolerance = 1
        optimize_ddp = "python_reducer"
        reorderable_logging_functions = ["builtins:print"]
        allowed_functions_module_string_ignorelist = ["b", "a", "b"]
        compiled_autograd_kwargs_override = {fullgraph = true}
        """
    )
    assert layer.errors == ()
    assert layer.values == {
        "verbose": True,
        "recompile_limit": 64,
        "repro_tolerance": 1.0,
        "optimize_ddp": "python_reducer",
        "reorderable_logging_functions": {Named("builtins", "print")},
        "allowed_functions_module_string_ignorelist": {"a", "b"},
        "compiled_autograd_kwargs_override": {"fullgraph": True},
    }


def test_none_is_a_word_in_toml_and_null_in_json():
    """TOML has no null."""
    assert read('debug_dir_root = "None"').values == {"debug_dir_root": None}
    assert read('{"debug_dir_root": null}', "json").values == {"debug_dir_root": None}
    assert read('{"debug_dir_root": "none"}', "json").values == {"debug_dir_root": "none"}
    (error,) = read('verbose = "none"').errors
    assert str(error).startswith("verbose: 'none' (from settings.toml:1 (verbose)) is not valid")


@pytest.mark.parametrize(
    "entry",
    [
        'verbose = "true"',
        "verbose = 1",
        "recompile_limit = 6.4",
        "recompile_limit = true",
        "recompile_limit = -1",
        "recompile_limit = 0x" + "f" * 5000,
        "repro_level = 5",
        "repro_tolerance = nan",
        "optimize_ddp = 'ddp_optimiser'",
        "verbose = 2026-01-01",
        "verbose = [true]",
        "debug_dir_root = ''",
        "reorderable_logging_functions = 'builtins:print'",
        "reorderable_logging_functions = [1]",
        "reorderable_logging_functions = [['a']]",
        "reorderable_logging_functions = ['print']",
        "allowed_functions_module_string_ignorelist = [{}]",
        "compiled_autograd_kwargs_override = {a = 2026-01-01}",
        "compiled_autograd_kwargs_override = {a = inf}",
        "debug_backend_override = 'eager'",
    ],
)
def test_values_are_strict(entry):
    """A file has types of its own; nothing is converted, and the error gives file and line."""
    layer = read(f"\n{entry}\n")
    (error,) = layer.errors
    assert isinstance(error, InvalidValueError)
    name = entry.partition(" ")[0]
    assert str(error).startswith(f"{name}: ")
    assert f"(from settings.toml:2 ({name})) is not valid: expected" in str(error)
    assert layer.values == {}


def test_an_unknown_key_is_an_error_with_a_suggestion():
    """So is the name of a table, which no flag is."""
    layer = read("verbos = true\n[tool]\nx = 1\n")
    first, second = layer.errors
    assert isinstance(first, UnknownFlagError)
    assert str(first) == "there is no flag 'verbos': did you mean 'verbose'? (from settings.toml:1 (verbos))"
    assert "there is no flag 'tool'" in str(second)


def test_an_old_name_sets_the_flag_that_counts():
    """Two names with one value are fine, with two a conflict that gives both places."""
    assert read("cache_size_limit = 9").values == {"recompile_limit": 9}
    assert read("cache_size_limit = 9\nrecompile_limit = 9").errors == ()
    (error,) = read("cache_size_limit = 9\nrecompile_limit = 8").errors
    assert isinstance(error, ConflictError)
    assert "settings.toml:1" in str(error)
    assert "settings.toml:2" in str(error)


def test_a_flag_that_does_nothing_gives_a_note():
    """The file and line are in it."""
    (note,) = read("dynamic_shapes = true").notes
    assert isinstance(note, InertFlagWarning)
    assert "settings.toml:1" in str(note)


def test_flags_that_the_release_lacks_follow_missing():
    """An error unless the file says otherwise, and the caller's word counts more than the file's."""
    text = "enable_trace_load_build_class = true\nverbose = true\n"
    old = asked("2.6")
    (error,) = read(text, at=old).errors
    assert isinstance(error, UnknownFlagError)
    assert "is not in torch 2.6.0 yet: it came with torch 2.13 (from settings.toml:1" in str(error)

    warned = read(f'missing = "warn"\n{text}', at=old)
    assert warned.values == {"verbose": True}
    assert warned.errors == ()
    (note,) = warned.notes
    assert isinstance(note, EnvironmentWarning)
    assert str(note).endswith("(from settings.toml:2 (enable_trace_load_build_class)); skipped")

    skipped = read(text, at=old, missing="skip")
    assert (skipped.values, skipped.errors, skipped.notes) == ({"verbose": True}, (), ())
    assert read(f'missing = "skip"\n{text}', at=old, missing="error").errors


@pytest.mark.parametrize("missing", ["warn", "skip"])
def test_a_name_that_never_existed_is_an_error_all_the_same(missing):
    """`missing` is for flags of other releases, not for mistakes of spelling or flags long gone."""
    for name in ("verbos", "log_level"):
        (error,) = read(f"{name} = 1", missing=missing).errors
        assert isinstance(error, UnknownFlagError)


@pytest.mark.parametrize("value", ['"ignore"', "true", "[]", "{}"])
def test_missing_takes_three_words(value):
    """The error says which."""
    (error,) = read(f"missing = {value}").errors
    assert isinstance(error, StateFileError)
    assert "expected one of 'error', 'warn', 'skip'" in str(error)


# The state form.


def state(**flags: object) -> str:
    """Return a saved state as text."""
    return json.dumps({"dynconf": 1, "torch": "2.13.0", "flags": flags})


def test_a_saved_state_is_read():
    """Only the values count; what else an entry holds is for people."""
    text = state(verbose={"value": True, "default": False, "origin": {"kind": "env"}})
    layer = read(text, "json")
    assert layer.values == {"verbose": True}
    assert layer.origins["verbose"].file == "settings.json"


def test_entries_that_only_repeat_an_alias_are_left_out():
    """They have the value of the flag that they stand for, which may have been changed since by hand."""
    text = state(
        recompile_limit={"value": 9},
        cache_size_limit={"value": 8, "origin": {"kind": "alias", "name": "recompile_limit"}},
    )
    assert read(text, "json").values == {"recompile_limit": 9}


def test_a_saved_state_warns_of_flags_that_the_release_lacks():
    """It was written on another release, in good faith."""
    layer = read(state(generate_pycode={"value": True}), "json", at=asked("2.6"))
    assert layer.errors == ()
    assert len(layer.notes) == 1


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"dynconf": 2, "flags": {}}, "has format 2: this dynconf reads format 1; a newer one wrote it"),
        ({"dynconf": True, "flags": {}}, "has format True"),
        ({"dynconf": "1", "flags": {}}, "has format '1'"),
        ({"dynconf": 1, "flags": {}, "b": 1, "a": 1}, "has entries that a saved state has not: a, b"),
        ({"dynconf": 1, "flags": []}, "expected a table of flags, not []"),
        ({"dynconf": 1, "flags": {"verbose": True}}, "flags.verbose has no value"),
        ({"dynconf": 1, "flags": {"verbose": {}}}, "flags.verbose has no value"),
    ],
)
def test_a_state_of_another_form_is_refused(data, said):
    """The number of the format comes first."""
    (error,) = read(json.dumps(data), "json").errors
    assert isinstance(error, StateFileError)
    assert said in str(error)


# Where entries stand.


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("verbose = true", 1),
        ("# verbose = false\n\n  verbose=true", 3),
        ("'verbose' = true", 1),
        ('disable = true\n"verbose" = true', 2),
        ("debug_dir_root = '''\nverbose = true\n'''\nverbose = true", 4),
        ('debug_dir_root = """\\\nverbose = true"""\nverbose = true', 3),
        ("reorderable_logging_functions = [\n  'a:b',\n]\nverbose = true", 4),
        ("compiled_autograd_kwargs_override = {verbose = 1}\nverbose = true", 2),
        ("verbose = true\n[compiled_autograd_kwargs_override]\nverbose = 1", 1),
        ("missing = 'skip' # verbose = 1\nverbose = true", 2),
    ],
)
def test_the_line_of_a_toml_entry(text, line):
    """Multi-line texts, comments and other tables do not mislead it."""
    assert read(text).origins["verbose"].line == line


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[tool.dynconf]\nverbose = true", 2),
        ("[tool.ruff]\nverbose = 1\n[tool.dynconf]  # ours\nverbose = true", 4),
        ('[ tool . "dynconf" ]\nverbose = true', 2),
        ("[tool.dynconf]\nreorderable_logging_functions = [\n 'a:b',\n]\nverbose = true", 5),
        ("verbose = 1\n[tool.dynconf]\nverbose = true\n[tool.ruff]\nverbose = 1", 3),
        ("[tool.dynconf.compiled_autograd_kwargs_override]\nverbose = 1\n[tool.dynconf]\nverbose = true", 4),
        ("tool = {dynconf = {verbose = true}}", None),
    ],
)
def test_the_line_of_an_entry_in_pyproject(tmp_path, text, line):
    """Only the entry in ``[tool.dynconf]`` counts, however the table's head is written."""
    write(tmp_path / "pyproject.toml", text)
    layer = read_document(find(tmp_path), AT)
    assert layer.origins["verbose"].line == line
    assert layer.origins["verbose"].name == "tool.dynconf.verbose"


def test_the_line_of_a_json_entry():
    """The line of its key; a text that only speaks of it does not count."""
    text = '{\n "debug_dir_root": "\\"verbose\\": 1",\n\n "verbose":\n  true\n}'
    assert read(text, "json").origins["verbose"].line == 4
