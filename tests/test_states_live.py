"""Tests of `dynconf.live.state`, and of putting a snapshot into force."""

import logging
import sys
import threading
import warnings
from pathlib import Path

import pytest
from dynconf.catalogue.names import names_of
from dynconf.catalogue.value_types import Bool, Reference, SetOf
from hypothesis import given
from hypothesis import strategies as st
from strategies import values

import dynconf
from dynconf.catalogue import FLAGS
from dynconf.live.binding import live


def a_set_of_objects() -> str:
    """Return a flag of this torch that takes a set of callables or classes, and that does something."""
    return next(
        name
        for name, slot, alias in live().table()
        if alias is None
        and isinstance(slot.flag.type, SetOf)
        and isinstance(slot.flag.type.item, Reference)
        and slot.notice is None
    )


def test_what_is_set_is_saved_and_loaded() -> None:
    """What patches and assignments set is in the file, and nothing else; loading changes nothing."""
    live().module.verify_correctness = True
    with dynconf.patch({"recompile_limit": 64, a_set_of_objects(): {logging.Logger}}):
        dynconf.save("state.json")
        here = dynconf.snapshot()
    dynconf.reset()
    loaded = dynconf.load("state.json")
    assert dict(loaded.values) == {
        live().slot("recompile_limit").name: 64,
        a_set_of_objects(): {logging.Logger},
        "verify_correctness": True,
    }
    assert dynconf.snapshot().names_set() == []
    assert dynconf.diff(here, loaded) == []
    assert dynconf.fingerprint(here) == dynconf.fingerprint(loaded)


def test_a_loaded_state_is_put_into_force_by_patch() -> None:
    """The values hold while the patch is entered, and the flags are unset again afterwards."""
    before = dynconf.fingerprint()
    Path("my.toml").write_text("recompile_limit = 64\nspecialize_int = true\n")
    loaded = dynconf.load("my.toml")
    patch = loaded.patch()
    assert patch.origin.file == __file__
    with patch:
        assert dynconf.fingerprint() == dynconf.fingerprint(loaded) != before
        assert live().module.specialize_int is True
    assert dynconf.fingerprint() == before
    assert dynconf.snapshot().names_set() == []


def test_a_loaded_state_is_installed_for_every_thread() -> None:
    """An installation is seen by other threads, says which line of the file it is from, and is taken back."""
    Path("my.toml").write_text("recompile_limit = 64\n")
    seen: list[object] = []
    installation = dynconf.load("my.toml").install()
    thread = threading.Thread(target=lambda: seen.append(dynconf.snapshot().values["cache_size_limit"]))
    thread.start()
    thread.join()
    origin = dynconf.origin("recompile_limit")
    installation.uninstall()
    assert seen == [64]
    assert (origin.kind, origin.file, origin.line) == ("file", "my.toml", 1)
    assert dynconf.snapshot().values["cache_size_limit"] == 8


def test_a_live_snapshot_can_be_put_into_force_again() -> None:
    """A snapshot of the live state has the same two ways; its installation names the line that installs."""
    with dynconf.patch(recompile_limit=64):
        state = dynconf.snapshot()
    with state.patch():
        assert dynconf.diff(state, dynconf.snapshot()) == []
    with state.install():
        assert dynconf.origin("recompile_limit").file == __file__
        assert dynconf.origin("recompile_limit").kind == "install"
    assert dynconf.snapshot().names_set() == []
    with pytest.raises(dynconf.InvalidValueError, match="scope"):
        state.install("elsewhere")  # type: ignore[arg-type]


def test_all_flags_come_back_without_a_warning() -> None:
    """A state with every flag is loaded and entered without a word: no-op flags at rest say nothing."""
    with dynconf.patch(recompile_limit=64):
        dynconf.save("state.json", all=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        loaded = dynconf.load("state.json")
        with loaded.patch():
            assert dynconf.diff(loaded, dynconf.snapshot()) == []
    assert len(loaded.values) > 40


@given(data=st.data())
def test_a_state_survives_the_file(data: st.DataObject) -> None:
    """Whatever one flag is patched to, the state loaded from its file does not differ from it."""
    flags = [slot.flag for _, slot, alias in live().table() if alias is None and slot.notice is None]
    flag = data.draw(st.sampled_from([flag for flag in flags if flag.public and not slot_rules(flag.name)]))
    with dynconf.patch(flag.name, data.draw(values(flag.type))):
        dynconf.save("state.json", ignore=dynconf.ignore.NOTHING)
        assert dynconf.diff(dynconf.snapshot(), dynconf.load("state.json")) == []


def slot_rules(name: str) -> object:
    """Return the rules over several flags that the flag takes part in."""
    return live().slot(name).rules


def test_fingerprint_sees_what_is_assigned_and_what_is_changed_in_place() -> None:
    """Assignments from outside dynconf count, and so does a change inside a value; debugging flags do not."""
    config, before = live().module, dynconf.fingerprint()
    config.verbose = not config.verbose
    assert dynconf.fingerprint() == before
    config.specialize_int = True
    changed = dynconf.fingerprint()
    assert changed != before
    getattr(config, a_set_of_objects()).add(logging.Logger)
    assert dynconf.fingerprint() not in (before, changed)


def test_a_local_class_in_a_live_flag_writes_nothing() -> None:
    """A value that cannot be written is refused before the old file is touched."""
    Path("state.json").write_text("old")
    with (
        dynconf.patch(a_set_of_objects(), {type("Local", (), {})}),
        pytest.raises(dynconf.InvalidValueError, match=a_set_of_objects()),
    ):
        dynconf.save("state.json")
    assert Path("state.json").read_text() == "old"


def test_torchs_own_ignores_are_read_from_the_live_module(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the live torch itself would leave out is left out by default, also what only it knows of."""
    monkeypatch.setattr(
        type(live()), "saved_ignores", lambda _: frozenset({"verify_correctness", "unheard_of"})
    )
    with dynconf.patch(verify_correctness=True, recompile_limit=64):
        dynconf.save("state.json")
        dynconf.save("whole.json", ignore=set())
    assert "verify_correctness" not in dynconf.load("state.json").values
    assert "verify_correctness" in dynconf.load("whole.json").values


def test_loading_names_what_this_torch_lacks() -> None:
    """A flag that this torch does not have is an error, a warning or nothing, as asked."""
    there = set(live().names())
    absent = next(
        name
        for name, flag in FLAGS.items()
        if flag.public and flag.type == Bool() and not set(names_of(name)) & there
    )
    Path("state.json").write_text(f'{{"dynconf": 1, "flags": {{"{absent}": {{"value": true}}}}}}')
    with pytest.warns(dynconf.EnvironmentWarning, match=absent):
        assert dynconf.load("state.json").values == {}
    assert dynconf.load("state.json", missing="skip").values == {}
    with pytest.raises(dynconf.StateFileError, match=absent):
        dynconf.load("state.json", missing="error")


def test_flags_of_a_newer_torch_work_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a torch newer than the catalogue, a flag that only the live module knows is loaded and patched."""
    from dynconf.versions import AtHand

    from dynconf.live import binding, state

    name = "verify_correctness"
    monkeypatch.setattr(state, "at_hand", lambda: AtHand("2.99.0", "loaded"))
    monkeypatch.setattr(binding.Binding, "uncatalogued", lambda _: frozenset({name}))
    Path("state.json").write_text(f'{{"dynconf": 1, "flags": {{"{name}": {{"value": true}}}}}}')
    with dynconf.load("state.json").patch():
        assert live().module.verify_correctness is True


def test_the_wrong_values_of_a_file_change_nothing() -> None:
    """A file with one good and one bad entry is refused as a whole."""
    before = dynconf.fingerprint()
    Path("my.toml").write_text("recompile_limit = 64\nspecialize_int = 3\n")
    with pytest.raises(dynconf.StateFileError, match=r"my\.toml:2"):
        dynconf.load("my.toml")
    assert dynconf.fingerprint() == before


def test_values_that_torch_refuses_together_change_nothing() -> None:
    """The rules over several flags are asked before anything of a loaded state is put into force."""
    from dynconf.rules import judged, rules_of

    pair = {"suppress_errors": True, "fail_on_recompile_limit_hit": True}
    verdict = judged(
        list(rules_of("suppress_errors", live().minor)),
        live().minor,
        lambda flag: pair.get(flag, False),
        lambda _: dynconf.Origin("keyword"),
    )
    if not verdict.errors:
        pytest.skip("this torch takes the pair")
    Path("my.toml").write_text("suppress_errors = true\nfail_on_recompile_limit_hit = true\n")
    loaded = dynconf.load("my.toml")
    with pytest.raises(dynconf.ConflictError):
        loaded.install()
    assert dynconf.snapshot().names_set() == []


def test_load_imports_no_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading a file needs no torch: the binding is not asked for."""
    from dynconf.live import state

    monkeypatch.setattr(state, "live", lambda: pytest.fail("asked for the live module"))
    Path("my.toml").write_text("verbose = true\n")
    assert dynconf.load("my.toml").values == {"verbose": True}
    monkeypatch.delitem(sys.modules, "torch._dynamo.config")
    dynconf.save("state.json", dynconf.load("my.toml"))
    assert dynconf.diff("state.json", "my.toml") == []
