"""Saved states: writing them, reading them back, and resisting hostile ones."""

import json
import logging
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from states import AT, SETTINGS, a_set_of_objects, assigned, newer, state_of, values_of
from strategies import values
from warm import cold

import dynconf
from dynconf.catalogue.flags.types import Bool, Named, is_same_value
from dynconf.catalogue.modules import catalogue
from dynconf.catalogue.names import FLAGS, find, show_data
from dynconf.errors import EnvironmentWarning, InertFlagWarning, InvalidValueError, StateFileError
from dynconf.live.binding import Binding, bind
from dynconf.provenance import DEFAULT as NOT_SET
from dynconf.provenance import Origin
from dynconf.release import Release
from dynconf.store.ignore import DEFAULT, NOTHING
from dynconf.store.saving import document, read_state, saved_document, text_of
from dynconf.store.snapshot import Snapshot
from dynconf.store.writing import write

ROOT = Path(__file__).parents[2]


def test_document_has_value_default_and_origin() -> None:
    """Of each flag, and where it came from; marks are further entries, of the flags that are written only."""
    marks = {"verbose": {"torch_reads": False}, "disable": {"torch_reads": 1}}
    verbose = {"value": True, "default": False, "origin": {"kind": "assignment"}, "torch_reads": False}
    shown = document(state_of(verbose=True).only_set(), marks)
    assert shown == {"dynconf": 1, "torch": "2.13.0", "flags": {"verbose": verbose}}


def test_only_what_is_set_is_saved() -> None:
    """A saved state has the flags that are set and not ignored, sorted; values at rest need no file."""
    state = state_of(verbose=True, cprofile=True, debug_dir_root="/x", repro_level=4)
    every = ["cprofile", "debug_dir_root", "repro_level", "verbose"]
    for ignore, saved in (
        (DEFAULT, ["cprofile", "verbose"]),
        (NOTHING, every),
        (DEFAULT | {"verbose"}, ["cprofile"]),
    ):
        assert list(saved_document(state, ignore)["flags"]) == saved
    unset = assigned({find("verbose", AT): False}, NOT_SET)
    assert saved_document(unset, DEFAULT)["flags"] == {}


def test_no_folder_of_the_machine_is_saved() -> None:
    """Unless the whole names are asked for: they have the user's name, and are nobody else's business."""
    here, elsewhere = Path.cwd() / "train.py", Path.cwd().parents[-1] / "home" / "ann" / "dynconf.toml"
    for file, name in (here, "train.py"), (elsewhere, "dynconf.toml"):
        origin = Origin("file", "verbose", "true", str(file), 3)
        state = assigned({find("verbose", AT): True}, origin)
        for full, written in (False, name), (True, str(file)):
            saved = saved_document(state, NOTHING, full=full)["flags"]["verbose"]["origin"]
            assert saved == {"kind": "file", "name": "verbose", "raw": "true", "file": written, "line": 3}


@pytest.mark.parametrize("odd", [Path("/tmp"), b"/tmp", None, 1])  # noqa: S108
def test_what_is_no_text_on_the_path_is_no_folder(odd: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python passes over it, too."""
    monkeypatch.setattr(sys, "path", [odd, *sys.path])
    with dynconf.patch(recompile_limit=64):
        dynconf.save("state.json")
    assert dict(dynconf.load("state.json")) == {"recompile_limit": 64}


def test_everything_is_all_but_the_ignored_and_the_aliases() -> None:
    """Flags at their defaults are written too; old names and ignored flags are not."""
    flags = saved_document(state_of(), DEFAULT, everything=True)["flags"]
    assert flags["recompile_limit"]["value"] == 8
    assert "cache_size_limit" not in flags
    assert not set(flags) & DEFAULT


def test_a_lambda_is_refused_with_the_way_out() -> None:
    """The error names the flag and the object, and says how to leave the flag out."""
    state = state_of(reorderable_logging_functions={lambda: 1})
    with pytest.raises(InvalidValueError) as caught:
        saved_document(state, DEFAULT)
    message = str(caught.value)
    assert "reorderable_logging_functions" in message
    assert "<lambda>" in message
    assert "ignore=dynconf.ignore.DEFAULT | {'reorderable_logging_functions'}" in message
    assert saved_document(state, DEFAULT | {"reorderable_logging_functions"})["flags"] == {}


def test_all_mistakes_are_reported_together() -> None:
    """A state with two values that cannot be written names both flags."""
    with pytest.raises(InvalidValueError, match=r"(?s)recompile_limit.*verbose") as caught:
        saved_document(state_of(recompile_limit=1.5, verbose=3), DEFAULT)
    assert [error.flag for error in caught.value.errors] == ["recompile_limit", "verbose"]


def test_flags_newer_than_the_catalogue_are_kept() -> None:
    """A flag that only the live torch knows is written and read by name; an object in it is refused."""
    state = newer([1])
    write("state.json", text_of(saved_document(state, DEFAULT)))
    assert saved_document(state, {"flag_of_tomorrow"})["flags"] == {}
    (setting,) = state
    loaded = read_state("state.json", AT, newer={setting.newest: setting}, trust=True)
    assert values_of(loaded) == {setting.newest: [1]}
    with pytest.raises(InvalidValueError, match=r"flag_of_tomorrow: .*object"):
        saved_document(newer(object()), DEFAULT)


@given(data=st.data())
def test_save_then_load_is_the_identity(data: st.DataObject) -> None:
    """Every value that a flag accepts comes back from the file unchanged, type included."""
    chosen = data.draw(st.lists(st.sampled_from(SETTINGS), min_size=1, max_size=4, unique=True))
    given_ = {each.name: data.draw(values(each.type), label=each.name) for each in chosen}
    write("state.json", text_of(saved_document(state_of(**given_), NOTHING)))
    loaded = Snapshot(read_state("state.json", AT, trust=True).state)
    idle = {name for name, value in given_.items() if _is_idle(name, value)}
    assert set(loaded) == set(given_) - idle
    for name in loaded:
        expected = float(given_[name]) if isinstance(loaded[name], float) else given_[name]  # type: ignore[arg-type]
        assert is_same_value(loaded[name], expected)
        assert loaded.origins[name].kind == "file"


def _is_idle(name: str, value: object) -> bool:
    setting = find(name, AT)
    return bool(setting.inert) and is_same_value(value, setting.default_value())


def test_saving_twice_writes_the_same_bytes() -> None:
    """The text depends on the state alone, not on the order of sets or of setting."""
    first = state_of(verbose=True, traceable_tensor_subclasses={Origin, InertFlagWarning}, cprofile=True)
    second = state_of(cprofile=True, traceable_tensor_subclasses={InertFlagWarning, Origin}, verbose=True)
    assert text_of(saved_document(first, DEFAULT)) == text_of(saved_document(second, DEFAULT))


def test_a_no_op_flag_at_its_default_is_no_reason_to_warn() -> None:
    """A state with all flags has no-op ones too, which deserve no warning unless somebody changed them."""
    write("all.json", text_of(saved_document(state_of(), DEFAULT, everything=True)))
    reading = read_state("all.json", AT)
    assert reading.warnings == ()
    assert "dynamic_shapes" not in values_of(reading)
    write("state.json", text_of(saved_document(state_of(dynamic_shapes=False), DEFAULT)))
    reading = read_state("state.json", AT)
    assert isinstance(reading.warnings[0], InertFlagWarning)
    assert values_of(reading) == {"dynamic_shapes": False}


def _flags(**flags: object) -> str:
    entries = {name: {"value": value} for name, value in flags.items()}
    return json.dumps({"dynconf": 1, "torch": "2.13.0", "flags": entries})


HOSTILE = {
    "pickle": b"\x80\x02cos\nsystem\nq\x00X\x04\x00\x00\x00trueq\x01\x85q\x02Rq\x03.",
    "list": b'[{"verbose": true}]',
    "text": b'"verbose"',
    "truncated": _flags(verbose=True).encode()[:-5],
    "deep flag": _flags(compiled_autograd_kwargs_override={})
    .replace("{}", '{"a":' * 400 + "1" + "}" * 400)
    .encode(),
    "brackets in a flag": (_flags(verbose=0).replace("0}", "[" * 100_000)).encode(),
    "out of range": _flags(recompile_limit=-1).encode(),
    "huge": _flags(recompile_limit=0).replace('"value": 0', '"value": 1' + "0" * 5000).encode(),
    "infinite": _flags(repro_tolerance=0).replace('"value": 0', '"value": 1e999').encode(),
    "not a number": _flags(repro_tolerance=0).replace('"value": 0', '"value": NaN').encode(),
    "wrong type": _flags(verbose="yes").encode(),
    "two names": _flags(recompile_limit=1, cache_size_limit=2).encode(),
    "unhashable item": _flags(ignore_logging_functions=[["builtins:print"]]).encode(),
    "os:system": _flags(ignore_logging_functions=["os:system"]).encode(),
    "dunder": _flags(ignore_logging_functions=["logging:os.system"]).encode(),
    "no such module": _flags(ignore_logging_functions=["no_such_module_anywhere:f"]).encode(),
    "side effect": _flags(ignore_logging_functions=["evil:f"]).encode(),
    "no name": _flags(ignore_logging_functions=["eval('1')"]).encode(),
    "unknown flag": _flags(verbos=True).encode(),
    "unknown entry": b'{"dynconf": 1, "flags": {}, "code": "import os"}',
    "toml with a list": b"verbose = [true]\n",
    "NUL": b'{"verbose": "\x00"}',
}


@pytest.mark.parametrize("suffix", [".json", ".state"])
@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_files_are_refused(content: bytes, suffix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is in a file ends in a StateFileError that names it, and imports nothing."""
    Path("evil.py").write_text("raise SystemExit('imported')")
    monkeypatch.syspath_prepend(Path.cwd())
    path = Path(f"hostile{suffix}")
    path.write_bytes(content)
    with pytest.raises(StateFileError, match="hostile"):
        read_state(path, AT, "warn")
    assert "evil" not in sys.modules


def test_objects_are_names_or_else_shown():
    """A lambda has no name to be found again by; looking at a state must not fail for it."""
    name = "reorderable_logging_functions"
    assert show_data(name, {print, logging.info}) == ["builtins:print", "logging:info"]
    assert show_data(name, {Named("a", "b")}) == ["a:b"]
    (text,) = show_data(name, {lambda: 1})
    assert text.startswith("<function")
    assert show_data("_custom_ops_profile", object).startswith("<class")
    assert show_data("flag_of_tomorrow", True) is True


def test_flags_beyond_the_catalogue_are_shown():
    """Their default is not known."""
    assert document(newer({1}, NOT_SET))["flags"]["flag_of_tomorrow"] == {
        "value": ["1"],
        "origin": {"kind": "default"},
    }


@pytest.mark.catalogued
def test_all_flags_come_back_without_a_warning() -> None:
    """A state with every flag is loaded and entered without a word: no-op flags at rest say nothing."""
    with dynconf.patch(recompile_limit=64):
        dynconf.save("state.json", all=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        loaded = dynconf.load("state.json")
        with loaded.patch():
            assert dynconf.diff(loaded, dynconf.snapshot()) == []
    assert len(loaded) > 40


def test_a_local_class_in_a_live_flag_writes_nothing() -> None:
    """A value that cannot be written is refused before the old file is touched."""
    Path("state.json").write_text("old")
    newest = bind().slot(a_set_of_objects()).setting.newest
    with dynconf.patch(newest, {type("Local", (), {})}), pytest.raises(InvalidValueError, match=newest):
        dynconf.save("state.json")
    assert Path("state.json").read_text() == "old"


@pytest.mark.parametrize("made", [frozenset, iter])
def test_what_is_lost_is_named_before_anything_is_written(made: Callable[[Any], Any]) -> None:
    """So the old file stays where warnings are errors; the names of what to leave out may come once only."""
    Path("state.json").write_text("old")
    newest = "inductor.post_grad_custom_post_pass"
    with dynconf.patch({newest: print}), warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(EnvironmentWarning, match=f"{newest} is left out"):
            dynconf.save("state.json", ignore=made(DEFAULT))
    assert Path("state.json").read_text() == "old"


def test_torchs_own_ignores_are_read_from_the_live_module(monkeypatch: pytest.MonkeyPatch) -> None:
    """Flags that the live torch would leave out are left out by default, even those that only it knows."""
    monkeypatch.setattr(Binding, "saved_ignores", lambda _: frozenset({"verify_correctness", "unheard_of"}))
    with dynconf.patch(verify_correctness=True, recompile_limit=64):
        dynconf.save("state.json")
        dynconf.save("whole.json", ignore=set())
    assert "verify_correctness" not in dynconf.load("state.json")
    assert "verify_correctness" in dynconf.load("whole.json")


def test_loading_names_what_this_torch_lacks() -> None:
    """A flag that this torch does not have is an error, a warning or nothing, as asked."""
    there = set(bind().names())
    switches = [name for name, flag in FLAGS.items() if flag.public and flag.type == Bool()]
    absent = next(each for each in switches if there.isdisjoint(catalogue("dynamo").names_of(each)))
    Path("state.json").write_text(f'{{"dynconf": 1, "flags": {{"{absent}": {{"value": true}}}}}}')
    with pytest.warns(EnvironmentWarning, match=absent):
        assert dynconf.load("state.json") == {}
    assert dynconf.load("state.json", missing="skip") == {}
    with pytest.raises(dynconf.StateFileError, match=absent):
        dynconf.load("state.json", missing="error")
    with pytest.raises(dynconf.InvalidValueError, match="missing: 'bogus' is not valid"):
        dynconf.load("nowhere.json", missing="bogus")  # before the file is read


@pytest.mark.parametrize("path", ["state.json", "state.JSON", "state", "state.toml"])
def test_the_name_says_in_what_language_the_file_is(path: str) -> None:
    """JSON, or settings in TOML, which may stand in a project; both are read back."""
    flags = {"verbose": True, "repro_after": None, "functorch.static_weight_shapes": False}
    dynconf.save(path, state_of(Release.at_hand(), **flags), ignore=NOTHING)
    text = Path(path).read_text()
    assert (text[0] == "{") is (path != "state.toml")
    assert dynconf.load(path) == flags
    assert text.splitlines()[0] == ("# torch " + Release.at_hand().version if "toml" in path else "{")


@pytest.mark.parametrize("path", ["state.yaml", "state.pt", "state.json.bak", "v1.2"])
def test_an_unknown_suffix_is_refused(path: str) -> None:
    """Nobody could tell the format of such a file afterwards."""
    with pytest.raises(StateFileError, match=r"is not a known suffix; use \.json or \.toml"):
        dynconf.save(path, state_of())
    assert not Path(path).exists()


def test_what_toml_cannot_express_is_refused() -> None:
    """Nothing is written then."""
    state = state_of(compiled_autograd_kwargs_override={"a": None}, verbose=True)
    with pytest.raises(InvalidValueError, match=r"TOML cannot express .*; save to a \.json file"):
        dynconf.save("state.toml", state)
    assert not Path("state.toml").exists()


def test_a_dash_is_the_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    """A dash is not the name of a file, as in other programs."""
    dynconf.save("-", state_of(verbose=True))
    assert json.loads(capsys.readouterr().out)["flags"]["verbose"]["value"] is True
    assert not Path("-").exists()


def test_files_do_nothing_to_a_terminal() -> None:
    """Unprintable characters in values are escaped in the file, in both languages."""
    value = "a\x1b[2J\x07\u202e\x9bb"
    state = state_of(pt2_compile_id_prefix=value)
    for path in ("state.json", "state.toml"):
        dynconf.save(path, state)
        assert all(line.isprintable() for line in Path(path).read_text().splitlines())
        assert values_of(read_state(path, state.release)) == {"pt2_compile_id_prefix": value}


@pytest.mark.catalogued  # else new flags are looked for in the modules
def test_loading_does_not_import_torch() -> None:
    """A file is read, saved again and compared without it."""
    Path("my.toml").write_text("verbose = true\n[functorch]\nstatic_weight_shapes = false\n")
    program = """
import sys, dynconf
state = dynconf.load("my.toml")
assert state == {"functorch.static_weight_shapes": False, "verbose": True}
dynconf.save("state.json", state)
assert dynconf.diff("state.json", "my.toml") == []
assert len(dynconf.fingerprint(state)) == 64
assert not {"torch", "pydantic"} & set(sys.modules)
"""
    done = cold("-c", program, PYTHONPATH=str(ROOT))
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", ["state.json", "state.toml"])
def test_flags_of_all_modules_are_saved_and_loaded(name: str) -> None:
    """What is patched or assigned and nothing else, in TOML in tables; loading changes nothing."""
    every = {
        "verbose": True,
        "functorch.cse": False,
        "inductor.max_autotune": True,
        "inductor.triton.cudagraphs": True,
        "inductor.cpp.threads": 2,
        "fx.print_specializations": True,
        "fx.backed_size_oblivious": True,
        "compiler.cache_key_tag": "none of it",
        "comms.reorder_iterative_group_with_collectives": True,
    }
    flags = {name: value for name, value in every.items() if find(name, Release.at_hand())}
    flags[bind().slot(a_set_of_objects()).setting.newest] = {logging.Logger}
    bind().module.verify_correctness = True
    with dynconf.patch(flags):
        live = dynconf.snapshot()
        dynconf.save(name)
    dynconf.reset()
    assert dynconf.load(name) == flags | {"verify_correctness": True}
    assert list(dynconf.snapshot().only_set()) == []
    assert dynconf.diff(live, name) == []
    assert dynconf.fingerprint(live) == dynconf.fingerprint(name)
    if name == "state.toml":
        assert "[inductor.triton]\ncudagraphs = true\n" in Path(name).read_text()
