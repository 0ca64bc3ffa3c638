"""Files: what is one, what its entries mean, and on which line each of them stands."""

import errno
import json
import os
import time
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from states import origins_of, values_of, written
from strategies import JSON

from dynconf.catalogue.flags.types import Named
from dynconf.errors import (
    DynconfError,
    EnvironmentWarning,
    InvalidValueError,
    StateFileError,
    UnknownFlagError,
)
from dynconf.release import Release
from dynconf.sources.discovery import find_upwards
from dynconf.sources.files import open_document, parse, read_document

AT = Release.named("2.13.0")


def read(text: str, syntax="toml", at=AT, missing=None):
    """Read a file of that text."""
    return read_document(parse(text, f"settings.{syntax}", syntax), at, missing)


# Opening and parsing.


def test_the_suffix_tells_the_syntax(tmp_path):
    """``.json`` is JSON, ``.toml`` TOML, and any other name is told by its first character."""
    for name in ("a.json", "a.state", "a"):
        assert open_document(written(tmp_path / name, '{"verbose": true}')).syntax == "json"
    for name in ("b.toml", "b.cfg"):
        assert open_document(written(tmp_path / name, "verbose = true")).syntax == "toml"


def test_what_an_editor_on_windows_saves_is_read(tmp_path):
    """A byte order mark and other line ends change nothing, lines included."""
    path = tmp_path / "dynconf.toml"
    path.write_bytes("\ufeffdisable = true\r\n\r\nverbose = true\r\n".encode())
    document = open_document(path)
    assert document.data == {"disable": True, "verbose": True}
    assert document.origin(["verbose"], True).line == 3


# What is not a settings file.


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.toml", b"\xff\xfe", "it is not UTF-8 text"),
        ("a.json", bytes(range(256)), "it is not UTF-8 text"),
        ("a.toml", b"verbose = ", "not valid TOML"),
        ("a.toml", b"verbose = true\nverbose = false", "not valid TOML"),
        ("a.toml", b"verbose = True", "true and false are in lower case"),
        ("a.toml", b"\x00", "not valid TOML"),
        ("a.json", b"", "not valid JSON"),
        ("a.json", b"{verbose: 1}", "not valid JSON"),
        ("a.json", b'{"verbose": true, "verbose": false}', "duplicate key 'verbose'"),
        ("a.json", b"[1, 2]", "expected a table of flags, not [1, 2]"),
        ("a.json", b"null", "expected a table of flags, not None"),
        ("a.json", b"[" * 100_000, "nested too deeply"),
        ("a.json", b'{"a":' * 40_000, "nested too deeply"),
        ("a.json", b'{"a":' * 100_000, "too many entries"),
        ("a.toml", b".".join([b"k"] * 1000) + b" = 1", "too many entries"),
        ("a.toml", (b".".join([b"k"] * 100) + b" = 1\n") * 100, "too many entries"),
        ("a.toml", b"a = " + b"[" * 100_000, "nested too deeply"),
        ("a.toml", b"a = " + b"{a=" * 40_000, "nested too deeply"),
        ("a.json", b"9" * 5000, "not valid JSON"),
        ("a.toml", b"a = " + b"9" * 5000, "not valid TOML"),
        ("a.toml", b" " * (2**20 + 1), "larger than 1048576 bytes"),
    ],
)
def test_what_is_not_a_settings_file_is_refused(tmp_path, name, content, said):
    """The error names the file and the reason; nothing else is ever raised."""
    (tmp_path / name).write_bytes(content)
    with pytest.raises(StateFileError) as refused:
        open_document(tmp_path / name)
    assert said in str(refused.value)
    assert str(tmp_path / name) in str(refused.value)


def test_a_line_may_have_hundreds_of_dots():
    """A long list of names does, and a comment may."""
    names = [f"package.module.name{number}" for number in range(300)]
    document = parse(f"# {'.' * 600}\nnames = {names}\n", "a.toml", "toml")
    assert document.data == {"names": names}


@pytest.mark.parametrize(
    "path",
    [
        *("no/such/file.toml", ".", "", "x" * 5000, "a\0b", "~nobody/x"),
        *("pipe", os.devnull, "/dev/zero", "/dev/tty", "loop", "folder"),
    ],
)
def test_what_cannot_be_opened_is_refused(path):
    """Nor is anything opened that could have no end, or wait for somebody to write."""
    os.mkfifo("pipe")
    Path("loop").symlink_to("loop")
    Path("folder").mkdir()
    with pytest.raises(StateFileError, match="cannot be read"):
        open_document(Path(path))


@pytest.mark.parametrize("call", ["open", "read"])
@pytest.mark.parametrize("number", [errno.EACCES, errno.EAGAIN])
def test_an_unreadable_file_is_refused_by_name(tmp_path, monkeypatch, call, number):
    """With the system's own reason. Some files of the kernel look regular and block: nobody waits."""
    path = written(tmp_path / "a.toml", "verbose = true")
    flags = []
    real = os.open
    monkeypatch.setattr(os, "open", lambda path, how: flags.append(how) or real(path, how))
    open_document(path)
    assert flags[0] & os.O_NONBLOCK

    def refused(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, call, refused)
    with pytest.raises(StateFileError, match=rf"a\.toml cannot be read: {os.strerror(number)}"):
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
    """Mistakes in entries are errors in the reading."""
    reading = read(json.dumps(data), "json")
    assert all(isinstance(error, DynconfError) for error in reading.errors)


def test_duplicate_keys_of_a_large_file_are_found_in_linear_time():
    """The first key that appears a second time is named."""
    pairs = [f'"key{number}": 1' for number in range(20_000)]
    start = time.process_time()
    with pytest.raises(StateFileError, match="duplicate key 'key19999'"):
        parse("{" + ", ".join([*pairs, pairs[-1]]) + "}", "a.json", "json")
    assert time.process_time() - start < 0.5


# What entries mean.


def test_entries_are_values():
    """Booleans, numbers, words, arrays and tables as TOML has them; sets are arrays."""
    reading = read(
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
    assert reading.errors == ()
    assert values_of(reading) == {
        "verbose": True,
        "recompile_limit": 64,
        "repro_tolerance": 1.0,
        "optimize_ddp": "python_reducer",
        "reorderable_logging_functions": {Named("builtins", "print")},
        "allowed_functions_module_string_ignorelist": {"a", "b"},
        "compiled_autograd_kwargs_override": {"fullgraph": True},
    }


def test_none_is_a_word_in_toml_and_null_in_json():
    """Because TOML has no null."""
    assert values_of(read('debug_dir_root = "None"')) == {"debug_dir_root": None}
    assert values_of(read('{"debug_dir_root": null}', "json")) == {"debug_dir_root": None}
    document = replace(parse('{"debug_dir_root": "none"}', "settings.json", "json"), trusted=True)
    assert values_of(read_document(document, AT)) == {"debug_dir_root": "none"}
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
    """A file has types of its own: nothing is converted, and the error gives file and line."""
    reading = read(f"\n{entry}\n")
    (error,) = reading.errors
    assert isinstance(error, InvalidValueError)
    name = entry.partition(" ")[0]
    assert str(error).startswith(f"{name}: ")
    assert f"(from settings.toml:2 ({name})) is not valid: expected" in str(error)
    assert not reading.state


def test_an_unknown_key_is_an_error_with_a_suggestion():
    """So is a table that is not that of a module."""
    reading = read("verbos = true\n[other]\nx = 1\n")
    first, second = reading.errors
    assert isinstance(first, UnknownFlagError)
    assert str(first) == "there is no flag 'verbos': did you mean 'verbose'? (from settings.toml:1 (verbos))"
    assert "there is no flag 'other'" in str(second)


def test_flags_that_the_release_lacks_follow_missing():
    """They are an error unless the file says otherwise; what the caller says counts most."""
    text = "enable_trace_load_build_class = true\nverbose = true\n"
    old = Release.named("2.6")
    (error,) = read(text, at=old).errors
    assert isinstance(error, UnknownFlagError)
    assert "is not in torch 2.6.0 yet: it was added in torch 2.13 (from settings.toml:1" in str(error)

    warned = read(f'missing = "warn"\n{text}', at=old)
    assert values_of(warned) == {"verbose": True}
    assert warned.errors == ()
    (note,) = warned.warnings
    assert isinstance(note, EnvironmentWarning)
    assert str(note).endswith("(from settings.toml:2 (enable_trace_load_build_class)); skipped")

    skipped = read(text, at=old, missing="skip")
    assert (values_of(skipped), skipped.errors, skipped.warnings) == ({"verbose": True}, (), ())
    assert read(f'missing = "skip"\n{text}', at=old, missing="error").errors


@pytest.mark.parametrize("missing", ["warn", "skip"])
def test_a_name_that_never_existed_is_an_error_all_the_same(missing):
    """`missing` is about flags of other releases, not about misspellings or flags long gone."""
    for name in ("verbos", "log_level"):
        (error,) = read(f"{name} = 1", missing=missing).errors
        assert isinstance(error, UnknownFlagError)


@pytest.mark.parametrize("value", ['"ignore"', "true", "[]", "{}"])
def test_missing_takes_three_words(value):
    """The error lists them."""
    (error,) = read(f"missing = {value}").errors
    assert isinstance(error, StateFileError)
    assert "expected one of 'error', 'warn', 'skip'" in str(error)


# Flags of other modules.


@pytest.mark.parametrize(
    "text",
    [
        "verbose = true\nfunctorch.donated_buffer = false",
        "verbose = true\nfunctorch = {donated_buffer = false}",
        "verbose = true\n'functorch.donated_buffer' = false",
        "dynamo.verbose = true\n[functorch]\ndonated_buffer = false",
        "[dynamo]\nverbose = true\n[functorch]\ndonated_buffer = false",
    ],
)
def test_flags_of_a_module_are_in_its_table(text):
    """A dotted key, an inline table, a table with a header, or the full name as the key."""
    reading = read(text)
    assert reading.errors == ()
    assert values_of(reading) == {"verbose": True, "functorch.donated_buffer": False}
    origin = origins_of(reading)["functorch.donated_buffer"]
    assert origin.name == "functorch.donated_buffer"
    assert origin.line == len(text.splitlines())


def test_tables_of_modules_in_pyproject(tmp_path):
    """The origin has the whole name of the table."""
    text = "[tool.dynconf]\nverbose = true\n\n[tool.dynconf.functorch]\ndonated_buffer = false"
    file = written(tmp_path / "pyproject.toml", text)
    reading = read_document(find_upwards(tmp_path).document, AT)
    place = f"{file}:5 (tool.dynconf.functorch.donated_buffer)"
    assert str(origins_of(reading)["functorch.donated_buffer"]) == place


def test_flags_of_a_module_in_json():
    """In an object, in the settings form; under their full name in a saved state."""
    text = '{"verbose": true,\n "functorch": {\n  "donated_buffer": false}}'
    assert values_of(read(text, "json")) == {"verbose": True, "functorch.donated_buffer": False}
    assert origins_of(read(text, "json"))["functorch.donated_buffer"].line == 3
    text = state(verbose={"value": True}, **{"functorch.donated_buffer": {"value": False}})
    assert values_of(read(text, "json")) == {"verbose": True, "functorch.donated_buffer": False}


def test_mistakes_in_the_table_of_a_module():
    """Its flags are looked up and checked as those of dynamo are."""
    text = "[functorch]\ndonated_bufer = true\nverbose = true\ndonated_buffer = 1"
    unknown, elsewhere, wrong = map(str, read(text).errors)
    suggestion = "did you mean donated_buffer in [functorch]?"
    assert f"there is no functorch flag 'donated_bufer': {suggestion}" in unknown
    assert "verbose is a dynamo flag" in elsewhere
    assert "functorch.donated_buffer: 1 (from settings.toml:4 (functorch.donated_buffer))" in wrong
    (error,) = read("verbose = true\nfunctorch = 3").errors
    assert isinstance(error, StateFileError)
    assert str(error).startswith(
        "functorch: 3 (from settings.toml:2 (functorch)) is not valid: expected a table with flags of"
    )


def test_modules_that_are_not_wanted_are_passed_over():
    """Their tables are not even checked: whoever asks for one module does not load the others."""
    document = parse("verbose = true\nverbos = 1\n[functorch]\ndonated_buffer = 1", "settings.toml", "toml")
    reading = read_document(document, AT, modules=("dynamo",))
    assert values_of(reading) == {"verbose": True}
    assert len(reading.errors) == 1
    reading = read_document(document, AT, modules=("functorch",))
    assert "functorch.donated_buffer" in str(reading.errors)
    assert len(reading.errors) == 1


# The state form.


def state(**flags: object) -> str:
    """Return a saved state as text."""
    return json.dumps({"dynconf": 1, "torch": "2.13.0", "flags": flags})


def test_a_saved_state_is_read():
    """Only the values count; the rest of an entry is for people."""
    text = state(verbose={"value": True, "default": False, "origin": {"kind": "env"}})
    reading = read(text, "json")
    assert values_of(reading) == {"verbose": True}
    assert str(origins_of(reading)["verbose"]) == "settings.json:1 (verbose)"


def test_entries_that_only_repeat_an_alias_are_left_out():
    """Somebody may have edited the value of the flag that they stand for."""
    text = state(
        recompile_limit={"value": 9},
        cache_size_limit={"value": 8, "origin": {"kind": "alias", "name": "recompile_limit"}},
    )
    assert values_of(read(text, "json")) == {"recompile_limit": 9}


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"dynconf": 2, "flags": {}}, "has format 2, but this dynconf reads format 1: a newer one wrote it"),
        ({"dynconf": "x"}, "has format 'x', but this dynconf reads format 1: it is not a saved state"),
        ({"dynconf": 0}, "has format 0, but this dynconf reads format 1: it is not a saved state"),
        ({"dynconf": True, "flags": {}}, "has format True"),
        ({"dynconf": "1", "flags": {}}, "has format '1'"),
        ({"dynconf": 1, "flags": {}, "b": 1, "a": 1}, "has entries that a saved state does not have: a, b"),
        ({"dynconf": 1, "flags": []}, "expected a table of flags, not []"),
        ({"dynconf": 1, "flags": {"verbose": True}}, "flags.verbose has no value"),
        ({"dynconf": 1, "flags": {"verbose": {}}}, "flags.verbose has no value"),
    ],
)
def test_a_state_of_another_form_is_refused(data, said):
    """The message says what is wrong with it; the number of the format is checked first."""
    (error,) = read(json.dumps(data), "json").errors
    assert isinstance(error, StateFileError)
    assert said in str(error)


# Lines of entries: `test_lines` has all that a file may contain.
@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[tool.dynconf]\nverbose = true", 2),
        ('verbose = 1\n[tool.ruff]\nverbose = 1\n[ tool . "dynconf" ]  # ours\nverbose = true', 5),
        ("[tool.dynconf.compiled_autograd_kwargs_override]\nverbose = 1\n[tool.dynconf]\nverbose = true", 4),
        ("tool = {dynconf = {verbose = true}}", 1),
    ],
)
def test_the_line_of_an_entry_in_pyproject(tmp_path, text, line):
    """Only the entry in ``[tool.dynconf]`` counts, however its header is written."""
    written(tmp_path / "pyproject.toml", text)
    origin = origins_of(read_document(find_upwards(tmp_path).document, AT))["verbose"]
    assert origin.line == line
    assert origin.name == "tool.dynconf.verbose"


# Groups of flags, such as ``triton``.


@pytest.mark.parametrize(
    ("text", "syntax", "line"),
    [
        ("[inductor]\ntriton.cudagraphs = true", "toml", 2),
        ("[inductor.triton]\ncudagraphs = true", "toml", 2),
        ('[inductor]\n"triton.cudagraphs" = true', "toml", 2),
        ("inductor.triton.cudagraphs = true", "toml", 1),
        ('"inductor.triton.cudagraphs" = true', "toml", 1),
        ('{"inductor":\n {"triton":\n {"cudagraphs": true}}}', "json", 3),
        ('{"inductor":\n {"triton.cudagraphs": true}}', "json", 2),
    ],
)
def test_a_flag_in_a_group(text, syntax, line):
    """Its group is a table, or part of its name; the origin has the line of the flag."""
    reading = read(text, syntax).checked()
    assert values_of(reading) == {"inductor.triton.cudagraphs": True}
    assert origins_of(reading)["inductor.triton.cudagraphs"].line == line


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "[inductor]\ntriton = true",
            "'triton' is a group of inductor flags: give its flags in [inductor.triton]",
        ),
        ("[inductor.triton]\ncudagraph = true", "did you mean triton.cudagraphs in [inductor]?"),
        ("[triton]\ncudagraphs = true", "'triton' is a group of inductor flags"),
        ("[inductor]\ntriton.cudagraphs = 1", "inductor.triton.cudagraphs: 1 "),
        ('[inductor]\n"triton.cudagraphs" = true\ntriton.cudagraphs = false', "is set twice"),
        ("[inductor.triton.cudagraphs]\nx = 1", "inductor.triton.cudagraphs: "),
    ],
)
def test_a_group_that_is_wrong(text, why):
    """The error names the flag, or says what the group is."""
    (error,) = read(text).errors
    assert why in str(error)


def test_a_name_may_be_a_flag_here_and_a_group_there():
    """`autoheuristic_use` was a text up to torch 2.11, and is a group of flags since then."""
    old, new = Release.named("2.10"), Release.named("2.15")
    text = '[inductor]\nautoheuristic_use = "mixed_mm"'
    assert values_of(read(text, at=old).checked()) == {"inductor.autoheuristic_use": "mixed_mm"}
    assert "set inductor.autoheuristic_use.pad_mm" in str(read(text, at=new).errors[0])
    nested = "[inductor.autoheuristic_use]\npad_mm = true"
    assert values_of(read(nested, at=new).checked()) == {"inductor.autoheuristic_use.pad_mm": True}
    (error,) = read(nested, at=old).errors
    assert str(error).startswith("'inductor.autoheuristic_use.pad_mm' is not in torch 2.10.0 yet")
    assert not read(nested, at=old, missing="skip").errors


def test_names_of_other_modules_are_followed():
    """A flag that was renamed or moved is found under the name of any release, in any release."""
    text = "[inductor]\nemulate_divison_rounding = true\nforce_disable_caches = true"
    spelled = {
        "2.13": {"inductor.eager_numerics.division_rounding", "compiler.force_disable_caches"},
        "2.10": {"inductor.emulate_divison_rounding", "compiler.force_disable_caches"},
    }
    for release, by_torch in spelled.items():
        state = read(text, at=Release.named(release)).checked()
        assert set(values_of(state)) == spelled["2.13"]
        assert {setting.qualified for setting in state} == by_torch
    moved = "[functorch]\ncustom_op_default_layout_constraint = 'flexible_layout'"
    (setting,) = read(moved, at=Release.named("2.6")).checked()
    assert setting.qualified == "inductor.custom_op_default_layout_constraint"
    assert setting.newest == "functorch.custom_op_default_layout_constraint"
