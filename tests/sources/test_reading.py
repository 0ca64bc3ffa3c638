"""Readings: collecting the settings of a source with all its mistakes, and merging sources."""

import logging

import pytest
from states import assigned, values_of

from dynconf.catalogue import names
from dynconf.catalogue.flags.types import Mismatch, Named
from dynconf.errors import (
    ConflictError,
    ForcedFlagWarning,
    InertFlagWarning,
    InvalidValueError,
    UnknownFlagError,
)
from dynconf.provenance import Origin
from dynconf.release import Release
from dynconf.sources.reading import Reading, ReadingBuilder, merge
from dynconf.state import SettingValue, State

AT = Release.named("2.13.0")
VERBOSE, DISABLE, LIMIT = (names.setting(name, AT) for name in ("verbose", "disable", "recompile_limit"))
FUNCTIONS = names.setting("reorderable_logging_functions", AT)
HERE, THERE = Origin("keyword", file="a.py", line=1), Origin("env", "X", "1")


def read(*settings, at=AT):
    """Return a reading of settings that all have one origin."""
    made = ReadingBuilder(at)
    for name, value in settings:
        made.add(name, HERE, value, lambda _, value: value)
    return made.done()


def reading_of(values, origin=HERE, errors=(), warnings=()):
    """Return a reading of these values."""
    return Reading(assigned(values, origin), errors, warnings)


def refuse(*_):
    """Accept nothing."""
    raise Mismatch("for a reason")


def test_a_setting_is_the_same_under_all_of_its_names():
    """Even in a release that has only the old one, which is then the name in messages."""
    for release, name in (("2.6", "cache_size_limit"), ("2.13.0", "recompile_limit")):
        reading = read(("cache_size_limit", 9), at=Release.named(release))
        (setting,) = reading.state
        assert (setting.key, setting.name) == ("recompile_limit", name)
        assert reading == Reading(State(Release.named(release), {setting: SettingValue(9, HERE)}))


def test_mistakes_do_not_stop_the_reading():
    """The good settings are there as well, and each mistake is an error of its own."""
    made = ReadingBuilder(AT)
    made.add("verbose", HERE, "x", refuse)
    made.add("nonsense", HERE, "x", refuse)
    made.add("disable", HERE, True, lambda *_: True)
    reading = made.done()
    assert (DISABLE in reading.state, VERBOSE in reading.state) == (True, False)
    assert values_of(reading) == {"disable": True}
    assert [type(error) for error in reading.errors] == [InvalidValueError, UnknownFlagError]
    assert str(reading.errors[0]).endswith("for a reason")


def test_two_names_with_different_values_are_a_conflict():
    """The message has both; equal values do not conflict, and True is not 1."""
    reading = read(("cache_size_limit", 1), ("recompile_limit", True))
    (error,) = reading.errors
    assert isinstance(error, ConflictError)
    assert str(error) == (
        "recompile_limit is set twice: 1 (from keyword at a.py:1) and"
        " True (from keyword at a.py:1, as 'recompile_limit'); keep one of them"
    )
    assert read(("cache_size_limit", 1), ("recompile_limit", 1)).errors == ()


def test_a_no_op_flag_is_warned_of_by_release():
    """In releases in which the flag still did something, there is nothing to say."""
    assert read(("capture_func_transforms", True), at=Release.named("2.5")).warnings == ()
    (warning,) = read(("capture_func_transforms", True)).warnings
    assert isinstance(warning, InertFlagWarning)
    assert str(warning).startswith("capture_func_transforms does nothing in torch 2.13.0; ")
    assert str(warning).endswith(" (from keyword at a.py:1)")


def test_a_no_op_flag_at_its_default_can_be_left_out():
    """A state of all flags contains it, and nobody meant anything by that."""
    default = names.setting("capture_func_transforms", AT).default_value()
    idle = read(("capture_func_transforms", default), ("verbose", False)).without_idle()
    assert (values_of(idle), idle.warnings) == ({"verbose": False}, ())
    meant = read(("capture_func_transforms", not default)).without_idle()
    assert (len(meant.state), len(meant.warnings)) == (1, 1)


def test_a_later_reading_beats_the_earlier_ones():
    """Value and origin go together; flags that only one sets all stay; what lost is kept."""
    low = reading_of({VERBOSE: False, DISABLE: True})
    high = reading_of({VERBOSE: True}, THERE)
    both = {VERBOSE: SettingValue(True, THERE), DISABLE: SettingValue(True, HERE)}
    beaten = {VERBOSE: [SettingValue(False, HERE)]}
    assert merge((low, high)) == Reading(State(AT, both), beaten=beaten)
    assert low == reading_of({VERBOSE: False, DISABLE: True})


def test_all_that_lost_is_kept_the_last_one_first():
    """However the readings were merged before."""
    lost = [SettingValue(value, origin) for value, origin in ((1, THERE), (2, HERE), (3, THERE))]
    first, second, third = (reading_of({LIMIT: value}, origin) for value, origin in lost)
    top = reading_of({LIMIT: 4})
    for merged in (merge((third, second, first, top)), merge((third, second, merge((first, top))))):
        assert merged.beaten == {LIMIT: lost}


def test_merging_keeps_all_errors_and_warnings_in_order():
    """Nothing of any reading is lost."""
    first = reading_of({}, errors=(UnknownFlagError("1"),), warnings=(InertFlagWarning("a"),))
    second = reading_of({}, errors=(UnknownFlagError("2"),), warnings=(InertFlagWarning("b"),))
    whole = merge((first, second))
    assert list(map(str, whole.errors)) == ["1", "2"]
    assert list(map(str, whole.warnings)) == ["a", "b"]


def test_a_forced_value_that_beats_another_is_warned_of():
    """Only if the two differ."""
    forced = reading_of({VERBOSE: True}, Origin("forced", "X", "1"))
    for value, warnings in ((False, 1), (True, 0)):
        whole = merge((reading_of({VERBOSE: value}), forced))
        assert values_of(whole) == {"verbose": True}
        assert len(whole.warnings) == warnings
    (warning,) = merge((reading_of({VERBOSE: False}), forced)).warnings
    assert isinstance(warning, ForcedFlagWarning)
    assert str(warning) == (
        "verbose: False (from keyword at a.py:1) has no effect: the flag is forced by X=1, which beats every"
        " other setting"
    )


def test_a_flag_newer_than_the_catalogue_is_read_if_its_setting_is_given():
    """By its qualified name; the catalogue goes first."""
    newer = {"brand_new": VERBOSE, "functorch.brand_new": DISABLE, "recompile_limit": VERBOSE}
    made = ReadingBuilder(AT, newer=newer)
    made.add("brand_new", HERE, True, lambda *_: True)
    made.add("functorch.brand_new", HERE, True, lambda *_: True)
    made.add("recompile_limit", HERE, 9, lambda *_: 9)
    assert made.done() == reading_of({VERBOSE: True, DISABLE: True, LIMIT: 9})


def test_names_of_objects_become_the_objects():
    """The state that was read keeps the names, and one without names is returned as it is."""
    reading = reading_of({VERBOSE: True, FUNCTIONS: {Named("logging", "info")}})
    assert {each: value for each, (value, _) in reading.resolved().items()} == {
        VERBOSE: True,
        FUNCTIONS: {logging.info},
    }
    assert reading.state.value(FUNCTIONS) == {Named("logging", "info")}
    plain = reading_of({VERBOSE: True})
    assert plain.resolved() is plain.state


def test_names_that_cannot_be_resolved_are_reported_with_all_other_errors():
    """With flag, origin and name."""
    unknown = {Named("logging", "no_such_function")}
    reading = reading_of({FUNCTIONS: unknown}, errors=(InvalidValueError("another"),))
    with pytest.raises(InvalidValueError) as refused:
        reading.resolved()
    other, missing = map(str, refused.value.errors)
    assert other == "another"
    assert missing.startswith(
        "reorderable_logging_functions: ['logging:no_such_function'] (from keyword at a.py:1)"
    )
    assert missing.endswith("logging:no_such_function does not exist")
