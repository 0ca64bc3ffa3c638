"""Law 5: a state that was saved on one release means the same on any other."""

import json
import warnings
from contextlib import nullcontext
from dataclasses import replace
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from states import assigned
from strategies import accepts, values

import dynconf
from dynconf.catalogue.flags.types import Mismatch, is_same_value
from dynconf.catalogue.modules import MODULES
from dynconf.catalogue.names import find, module_views
from dynconf.errors import DynconfWarning, InvalidValueError
from dynconf.release import RELEASES, Release
from dynconf.sources.files import parse, read_document
from dynconf.sources.reading import Reading
from dynconf.store.ignore import NOTHING
from dynconf.store.saving import read_state, saved_document, text_of, toml_of, write_document
from dynconf.store.snapshot import Snapshot
from dynconf.store.writing import write

AT = [Release.named(version) for version in RELEASES]
SETTINGS = {
    each: [setting for view in module_views(each, MODULES) for setting in view.settings.values()]
    for each in AT
}


@given(data=st.data())
def test_a_state_goes_from_any_release_to_any_other(data: st.DataObject) -> None:
    """Each flag that both have gets its value, pins included, by any name; the others are named."""
    old, new = data.draw(st.sampled_from(AT)), data.draw(st.sampled_from(AT))
    chosen = data.draw(st.lists(st.sampled_from(SETTINGS[old]), min_size=1, max_size=12, unique=True))
    given_ = {}
    for each in chosen:
        there = find(each.newest, new)
        default = st.just(each.default_value()) if each.type.names_objects else values(each.type)
        value = each.default_value() if data.draw(st.booleans()) else data.draw(default)
        if (there is None or accepts(there.type, value)) and _is_writable(each, value):
            given_[each] = value
    write("state.json", text_of(saved_document(assigned(given_, release=old), NOTHING)))
    reading = read_state("state.json", new, "warn", trust=True)
    absent = {each.flag for each in reading.warnings}
    for each, value in given_.items():
        there = find(each.newest, new)
        if there is None:
            assert each.newest in absent
        elif there in reading.state:
            assert is_same_value(reading.state.value(there), there.type.check(value))
            assert reading.state[there].is_set
        else:
            assert there.inert
            assert is_same_value(value, there.default_value())
    assert len(reading.state) <= len(given_)


def reading_of(
    setting: dynconf.catalogue.catalogue.Setting, text: str, syntax: Literal["toml", "json"]
) -> Reading:
    """Read a file of settings that the user trusts."""
    document = parse(text, f"settings.{syntax}", syntax)
    return read_document(replace(document, trusted=True), setting.release)


def test_none_is_the_same_in_every_form() -> None:
    """A flag that takes None takes it in TOML, in JSON and as the word of a variable; no other does."""
    for setting in filter(lambda each: each.public, SETTINGS[AT[-1]]):
        takes = accepts(setting.type, None)
        in_toml, in_json = toml_of({setting.newest: None}), json.dumps({setting.newest: None})
        assert (reading_of(setting, in_json, "json").state.keys() == {setting}) is takes
        for_none = [each.value for each in reading_of(setting, in_toml, "toml").state.values()]
        assert (for_none == [None]) is takes
        if "none" not in setting.type.choices:
            with nullcontext() if takes else pytest.raises(Mismatch):
                assert setting.type.parse("none") is None


def test_the_word_none_is_the_same_in_toml() -> None:
    """Where None is no value, the word is an ordinary text or choice; elsewhere TOML cannot express it."""
    texts = [each for each in SETTINGS[AT[-1]] if each.public and accepts(each.type, "none")]
    for setting in (each for each in texts if _is_writable(each, "none")):
        state = assigned({setting: "none"}, release=setting.release)
        if setting.type.takes_none:
            with pytest.raises(InvalidValueError, match="TOML cannot express 'none'"):
                write_document("none.toml", saved_document(state, NOTHING))
            continue
        write_document("none.toml", saved_document(state, NOTHING))
        assert read_state("none.toml", setting.release, trust=True).state.value(setting) == "none"


def _is_writable(setting: dynconf.catalogue.catalogue.Setting, value: object) -> bool:
    try:
        setting.type.to_data(setting.type.check(value))
    except dynconf.catalogue.flags.types.Mismatch:
        return False
    return True


def test_the_defaults_of_every_release_are_saved_and_read_again() -> None:
    """On their own release, every one of them; on the oldest and the newest, what it has and accepts."""
    for release in AT:
        state = dynconf.default_state(release.version)
        dynconf.save("defaults.json", state, ignore=NOTHING)
        reading = read_state("defaults.json", release, trust=True)
        assert reading.warnings == ()
        assert dynconf.diff(state, reading.state) == []
        idle = {setting for setting in state.state if setting.inert}
        assert reading.state.keys() == state.state.keys() - idle
        for other in (AT[0], AT[-1]):
            assert_read(state, read_state("defaults.json", other, "warn", trust=True), other)


def assert_read(defaults: Snapshot, reading: Reading, release: Release) -> None:
    """Make sure that the reading has each value that the release accepts, and names the others."""
    assert reading.errors == ()
    named = {each.flag for each in reading.warnings}
    for setting, (value, _) in defaults.state.items():
        there = find(setting.newest, release)
        if there is None or not accepts(there.type, value):
            assert setting.newest in named
        elif there in reading.state:
            assert is_same_value(reading.state.value(there), there.type.check(value))
        else:
            assert there.inert


def test_the_defaults_of_another_release_can_be_patched() -> None:
    """Flags of the live torch get them; those that it lacks or no longer accepts are named."""
    here = Release.at_hand()
    for release in AT:
        state = dynconf.default_state(release.version)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            with state.patch():
                seen = {each.message.flag for each in caught if isinstance(each.message, DynconfWarning)}
                now = dynconf.snapshot()
        for setting, (value, _) in state.state.items():
            there = find(setting.newest, here)
            if there in now.state and setting.newest not in seen and setting.public and not there.inert:
                assert is_same_value(now[setting.newest], there.type.check(value)), setting
            if there is None and setting.public:
                assert setting.newest in seen
    assert list(dynconf.snapshot().only_set()) == []
