"""Layers: collecting the settings of a source with all its mistakes, and merging sources."""

import logging

import pytest

from dynconf import names
from dynconf.errors import (
    ConflictError,
    ForcedFlagWarning,
    InertFlagWarning,
    InvalidValueError,
    UnknownFlagError,
)
from dynconf.flags.types import Mismatch, Named
from dynconf.origin import Origin
from dynconf.release import Release
from dynconf.sources.layer import Layer, LayerBuilder, merged, without_internal

AT = Release.named("2.13.0")
VERBOSE, DISABLE, LIMIT = (names.setting(name, AT) for name in ("verbose", "disable", "recompile_limit"))
FUNCTIONS = names.setting("reorderable_logging_functions", AT)
INTERNAL = names.setting("base_dir", AT)
HERE, THERE = Origin("keyword", file="a.py", line=1), Origin("env", "X", "1")


def builder(*settings, at=AT, missing="error"):
    """Return a layer of settings that all have one origin."""
    made = LayerBuilder(at, missing)
    for name, value in settings:
        made.add(name, HERE, value, lambda _, value: value)
    return made.done()


def refuse(*_):
    """Read nothing."""
    raise Mismatch("for a reason")


def test_a_setting_is_the_same_under_all_of_its_names():
    """Even in a release that has only the old one, which is then the name in messages."""
    for release, name in (("2.6", "cache_size_limit"), ("2.13.0", "recompile_limit")):
        layer = builder(("cache_size_limit", 9), at=Release.named(release))
        (setting,) = layer.values
        assert (setting.key, setting.name) == ("recompile_limit", name)
        assert layer == Layer({setting: 9}, {setting: HERE})


def test_mistakes_do_not_stop_the_reading():
    """The good settings are there as well, and each mistake is an error of its own."""
    made = LayerBuilder(AT)
    made.add("verbose", HERE, "x", refuse)
    made.add("nonsense", HERE, "x", refuse)
    made.add("disable", HERE, True, lambda *_: True)
    layer = made.done()
    assert layer.values == {DISABLE: True}
    assert [type(error) for error in layer.errors] == [InvalidValueError, UnknownFlagError]
    assert str(layer.errors[0]).endswith("for a reason")


def test_two_names_with_different_values_are_a_conflict():
    """The message has both; equal values do not conflict, and True is not 1."""
    layer = builder(("cache_size_limit", 1), ("recompile_limit", True))
    (error,) = layer.errors
    assert isinstance(error, ConflictError)
    assert str(error) == (
        "recompile_limit is set twice: 1 (from keyword at a.py:1) and"
        " True (from keyword at a.py:1, as 'recompile_limit'); keep one of them"
    )
    assert builder(("cache_size_limit", 1), ("recompile_limit", 1)).errors == ()


@pytest.mark.parametrize(("missing", "errors", "notes"), [("error", 1, 0), ("warn", 0, 1), ("skip", 0, 0)])
def test_what_the_release_lacks_is_reported_as_asked(missing, errors, notes):
    """As an error, as a warning, or not at all; the value is never kept."""
    layer = builder(("generate_pycode", True), at=Release.named("2.6"), missing=missing)
    assert (len(layer.errors), len(layer.notes), layer.values) == (errors, notes, {})


def test_a_no_op_flag_is_noted_by_release():
    """In releases in which the flag still did something, there is nothing to say."""
    assert builder(("capture_func_transforms", True), at=Release.named("2.5")).notes == ()
    (note,) = builder(("capture_func_transforms", True)).notes
    assert isinstance(note, InertFlagWarning)
    assert str(note).startswith("capture_func_transforms does nothing in torch 2.13.0; ")
    assert str(note).endswith(" (from keyword at a.py:1)")


def test_a_later_layer_beats_the_earlier_ones():
    """Value and origin go together; flags that only one sets all stay."""
    low = Layer({VERBOSE: False, DISABLE: True}, {VERBOSE: HERE, DISABLE: HERE})
    high = Layer({VERBOSE: True}, {VERBOSE: THERE})
    assert merged((low, high)) == Layer({VERBOSE: True, DISABLE: True}, {VERBOSE: THERE, DISABLE: HERE})
    assert low.values == {VERBOSE: False, DISABLE: True}


def test_merging_keeps_all_mistakes_and_notes_in_order():
    """Nothing of any layer is lost."""
    first = Layer(errors=(UnknownFlagError("1"),), notes=(InertFlagWarning("a"),))
    second = Layer(errors=(UnknownFlagError("2"),), notes=(InertFlagWarning("b"),))
    whole = merged((first, second))
    assert list(map(str, whole.errors)) == ["1", "2"]
    assert list(map(str, whole.notes)) == ["a", "b"]


def test_a_forced_value_that_beats_another_is_noted():
    """Only if the two differ."""
    forced = Layer({VERBOSE: True}, {VERBOSE: Origin("forced", "X", "1")})
    for value, said in ((False, 1), (True, 0)):
        whole = merged((Layer({VERBOSE: value}, {VERBOSE: HERE}), forced))
        assert whole.values == {VERBOSE: True}
        assert len(whole.notes) == said
    (note,) = merged((Layer({VERBOSE: False}, {VERBOSE: HERE}), forced)).notes
    assert isinstance(note, ForcedFlagWarning)
    assert str(note) == (
        "verbose: False (from keyword at a.py:1) has no effect: forced by X=1 beats every other setting"
    )


def test_layers_share_nothing():
    """The empty mappings of a layer are its own."""
    Layer().values[VERBOSE] = True
    assert Layer().values == {}


def test_a_flag_newer_than_the_catalogue_is_read_if_its_setting_is_given():
    """By its qualified name; the catalogue goes first."""
    newer = {"brand_new": VERBOSE, "functorch.brand_new": DISABLE, "recompile_limit": VERBOSE}
    made = LayerBuilder(AT, newer=newer)
    made.add("brand_new", HERE, True, lambda *_: True)
    made.add("brand_new", HERE, True, lambda *_: True, "functorch")
    made.add("recompile_limit", HERE, 9, lambda *_: 9)
    assert made.done() == Layer(
        {VERBOSE: True, DISABLE: True, LIMIT: 9}, dict.fromkeys((VERBOSE, DISABLE, LIMIT), HERE)
    )


def test_a_sound_layer_is_returned_and_any_other_raises_its_mistakes():
    """One mistake as it is, several as one error with a line each."""
    layer = Layer({VERBOSE: True}, {VERBOSE: HERE})
    assert layer.sound() is layer
    with pytest.raises(UnknownFlagError) as refused:
        Layer(errors=(UnknownFlagError("1"), UnknownFlagError("2"))).sound()
    assert str(refused.value) == "1\n2"


def test_names_of_objects_become_the_objects():
    """The layer that was read keeps the names, and one without names is returned as it is."""
    layer = Layer({VERBOSE: True, FUNCTIONS: {Named("logging", "info")}}, {VERBOSE: HERE, FUNCTIONS: HERE})
    assert layer.resolved().values == {VERBOSE: True, FUNCTIONS: {logging.info}}
    assert layer.values[FUNCTIONS] == {Named("logging", "info")}
    plain = Layer({VERBOSE: True}, {VERBOSE: HERE})
    assert plain.resolved() is plain


def test_names_that_cannot_be_resolved_are_told_with_all_other_mistakes():
    """With flag, origin and name."""
    unknown = {Named("logging", "no_such_function")}
    layer = Layer({FUNCTIONS: unknown}, {FUNCTIONS: HERE}, (InvalidValueError("another"),))
    with pytest.raises(InvalidValueError) as refused:
        layer.resolved()
    other, missing = map(str, refused.value.errors)
    assert other == "another"
    assert missing.startswith(
        "reorderable_logging_functions: ['logging:no_such_function'] (from keyword at a.py:1)"
    )
    assert missing.endswith("logging:no_such_function does not exist")


def test_internal_flags_are_not_settings():
    """They are an error, unless the source merely shows them; the other settings stay."""
    layer = Layer({VERBOSE: True, INTERNAL: "/x"}, {VERBOSE: HERE, INTERNAL: THERE})
    refused = without_internal(layer)
    assert (refused.values, refused.origins) == ({VERBOSE: True}, {VERBOSE: HERE})
    (error,) = refused.errors
    assert isinstance(error, InvalidValueError)
    assert str(error).startswith(f"{INTERNAL.name} (from environment X=1) is internal to torch")
    assert without_internal(layer, silently=True) == Layer({VERBOSE: True}, {VERBOSE: HERE})
    public = Layer({VERBOSE: True}, {VERBOSE: HERE})
    assert without_internal(public) is public
