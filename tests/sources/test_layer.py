"""Layers: collecting the settings of a source with all its mistakes, and merging sources."""

import warnings

import pytest

from dynconf.catalogue import FLAGS
from dynconf.errors import (
    ConflictError,
    ForcedFlagWarning,
    InertFlagWarning,
    InvalidValueError,
    UnknownFlagError,
)
from dynconf.provenance import Origin
from dynconf.sources.layer import Layer, LayerBuilder, inert_message, merged
from dynconf.values import Mismatch
from dynconf.versions import asked

AT = asked("2.13.0")
HERE, THERE = Origin("keyword", file="a.py", line=1), Origin("env", "X", "1")


def builder(*settings, at=AT, missing="error"):
    """Return a layer of settings that all have one origin."""
    made = LayerBuilder(at, missing)
    for name, value in settings:
        made.add(name, HERE, lambda _, value=value: value, value)
    return made.done()


def refuse(_):
    """Read nothing."""
    raise Mismatch("for a reason")


def test_settings_are_kept_under_their_newest_name():
    """In a release that knows the old name only, too."""
    for release in ("2.6", "2.13.0"):
        layer = builder(("cache_size_limit", 9), at=asked(release))
        assert layer == Layer({"recompile_limit": 9}, {"recompile_limit": HERE})


def test_mistakes_do_not_stop_the_reading():
    """The good settings are there as well, and each mistake has its own error."""
    made = LayerBuilder(AT)
    made.add("verbose", HERE, refuse, "x")
    made.add("nonsense", HERE, refuse, "x")
    made.add("disable", HERE, lambda _: True, "x")
    layer = made.done()
    assert layer.values == {"disable": True}
    assert [type(error) for error in layer.errors] == [InvalidValueError, UnknownFlagError]
    assert str(layer.errors[0]).endswith("for a reason")


def test_the_first_of_two_conflicting_names_stays():
    """Both are told; equal values are no conflict, and True is not 1."""
    layer = builder(("cache_size_limit", 1), ("recompile_limit", True))
    (error,) = layer.errors
    assert isinstance(error, ConflictError)
    assert str(error) == (
        "recompile_limit is set twice: 1 (from keyword at a.py:1) and"
        " True (from keyword at a.py:1, as 'recompile_limit'); keep one of them"
    )
    assert builder(("cache_size_limit", 1), ("recompile_limit", 1)).errors == ()


@pytest.mark.parametrize(("missing", "errors", "notes"), [("error", 1, 0), ("warn", 0, 1), ("skip", 0, 0)])
def test_what_the_release_lacks_is_told_as_asked(missing, errors, notes):
    """As an error, as a warning, or not at all; the value is never kept."""
    layer = builder(("generate_pycode", True), at=asked("2.6"), missing=missing)
    assert (len(layer.errors), len(layer.notes), layer.values) == (errors, notes, {})


def test_a_no_op_flag_is_noted_by_release():
    """It was active once."""
    assert builder(("capture_func_transforms", True), at=asked("2.5")).notes == ()
    (note,) = builder(("capture_func_transforms", True)).notes
    assert isinstance(note, InertFlagWarning)
    assert str(note) == inert_message(FLAGS["capture_func_transforms"], "2.13.0", HERE)


def test_a_later_layer_beats_the_earlier_ones():
    """Value and origin go together; flags that only one sets all stay."""
    low = Layer({"verbose": False, "disable": True}, {"verbose": HERE, "disable": HERE})
    high = Layer({"verbose": True}, {"verbose": THERE})
    assert merged((low, high)) == Layer(
        {"verbose": True, "disable": True}, {"verbose": THERE, "disable": HERE}
    )
    assert low.values == {"verbose": False, "disable": True}


def test_merging_keeps_all_mistakes_and_notes_in_order():
    """None of any layer is lost."""
    first = Layer(errors=(UnknownFlagError("1"),), notes=(InertFlagWarning("a"),))
    second = Layer(errors=(UnknownFlagError("2"),), notes=(InertFlagWarning("b"),))
    whole = merged((first, second))
    assert list(map(str, whole.errors)) == ["1", "2"]
    assert list(map(str, whole.notes)) == ["a", "b"]


def test_a_forced_value_that_beats_another_is_noted():
    """Only where the two differ."""
    forced = Layer({"verbose": True}, {"verbose": Origin("forced", "X", "1")})
    for value, said in ((False, 1), (True, 0)):
        whole = merged((Layer({"verbose": value}, {"verbose": HERE}), forced))
        assert whole.values == {"verbose": True}
        assert len(whole.notes) == said
    (note,) = merged((Layer({"verbose": False}, {"verbose": HERE}), forced)).notes
    assert isinstance(note, ForcedFlagWarning)
    assert str(note) == (
        "verbose: False (from keyword at a.py:1) has no effect: forced by X=1 beats every other setting"
    )


def test_layers_share_nothing():
    """The defaults of the record are made anew for each."""
    with warnings.catch_warnings():
        Layer().values["verbose"] = True
    assert Layer().values == {}
