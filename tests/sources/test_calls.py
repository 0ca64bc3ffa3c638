"""Keywords and options: flags that a call or the command line passes."""

from types import SimpleNamespace
from unittest.mock import MagicMock

import pytest
from hypothesis import given
from hypothesis import strategies as st
from states import newer, origins_of, state_of, values_of

import dynconf
from dynconf.errors import DynconfError, InvalidValueError, UnknownFlagError
from dynconf.provenance import Origin, caller
from dynconf.release import Release
from dynconf.sources.calls import as_state, for_release, read_keywords, read_options
from dynconf.state import changes_of, flags_within, has_state
from dynconf.store.snapshot import Snapshot

AT = Release.named("2.13.0")
HERE = Origin("keyword", file="a.py", line=7)


def test_keywords_are_python_values():
    """They are checked strictly, and all have the call as their origin."""
    reading = read_keywords({"verbose": True, "repro_tolerance": 1}, AT, HERE)
    assert values_of(reading) == {"verbose": True, "repro_tolerance": 1.0}
    assert set(origins_of(reading).values()) == {HERE}


def test_all_mistakes_of_a_call_are_told():
    """Wrong types, values out of bounds and unknown names, each with the line of the call."""
    reading = read_keywords({"verbose": "yes", "repro_level": 9, "verbos": True}, AT, HERE)
    assert [str(error) for error in reading.errors] == [
        "verbose: 'yes' (from keyword at a.py:7) is not valid: expected True or False",
        "repro_level: 9 (from keyword at a.py:7) is not valid: expected a whole number from 1 to 4",
        "there is no flag 'verbos': did you mean 'verbose'? (from keyword at a.py:7)",
    ]
    assert not reading.state


def test_flags_of_several_modules_are_one_layer():
    """By the name of the module, or by the full name; mistakes in all of them are told together."""
    for flags in ({"functorch": {"donated_buffer": False}}, {"functorch.donated_buffer": False}):
        reading = read_keywords({"verbose": True, **flags}, AT, HERE)
        assert values_of(reading) == {"verbose": True, "functorch.donated_buffer": False}
    reading = read_keywords({"verbos": True, "functorch": {"donated_buffer": 1, "verbose": True}}, AT, HERE)
    unknown, wrong, elsewhere = map(str, reading.errors)
    assert "there is no flag 'verbos'" in unknown
    assert wrong.startswith("functorch.donated_buffer: 1 (from keyword at a.py:7) is not valid")
    assert "verbose is a dynamo flag" in elsewhere


def test_bare_names_can_be_those_of_another_module():
    """As in `dynconf.functorch.patch`; a name with a module in front says so itself."""
    reading = read_keywords({"donated_buffer": False, "dynamo.verbose": True}, AT, HERE, module="functorch")
    assert values_of(reading) == {"functorch.donated_buffer": False, "verbose": True}


@pytest.mark.parametrize("value", [False, None, "donated_buffer", [("donated_buffer", False)]])
def test_the_flags_of_a_module_are_a_mapping(value):
    """Anything else is an error that says so."""
    (error,) = read_keywords({"functorch": value}, AT, HERE).errors
    assert isinstance(error, InvalidValueError)
    assert str(error).startswith(
        f"functorch: {value!r} (from keyword at a.py:7) is not valid: expected a mapping"
    )


def test_options_are_text():
    """They are read as variables are; the origin is the option."""
    reading = read_options(["verbose=yes", "recompile_limit = 64", "debug_dir_root=a=b"], AT)
    assert values_of(reading) == {"verbose": True, "recompile_limit": 64, "debug_dir_root": "a=b"}
    assert origins_of(reading)["verbose"] == Origin("option", "verbose", "yes")


@pytest.mark.parametrize(
    ("option", "why"),
    [
        *((each, f"--set {each!r}: expected FLAG=VALUE") for each in ("verbose", "=1", "", " =1")),
        # Unlike a variable, an empty option was meant.
        ("verbose=", "verbose: '' (from option --set verbose=) is not valid: expected True or False"),
        ("verbos=1", "there is no flag 'verbos': did you mean 'verbose'? (from option --set verbos=1)"),
    ],
)
def test_a_wrong_option_is_refused(option, why):
    """The message gives the expected form, the values, or a suggestion."""
    (error,) = read_options([option], AT).errors
    assert str(error) == why


def test_an_option_given_twice_with_two_values_is_a_conflict():
    """If the last one won, as in a shell, it would hide a mistake."""
    assert len(read_options(["verbose=1", "verbose=0"], AT).errors) == 1
    assert values_of(read_options(["verbose=1", "verbose=yes"], AT)) == {"verbose": True}


@given(st.lists(st.text()))
def test_any_options_are_read_or_refused(options):
    """Reading raises nothing."""
    reading = read_options(options, AT)
    assert all(isinstance(error, DynconfError) for error in reading.errors)


SNAPSHOT = Snapshot({"verbose": True, "functorch.cse": False})
FLAGS = {"verbose": True}


@pytest.mark.parametrize(
    ("arguments", "flags", "changes"),
    [
        ((), FLAGS, FLAGS),
        ((), {}, {}),
        ((None, None), FLAGS, FLAGS),  # as torch's own code calls patch
        ((None,), FLAGS, FLAGS),
        (("verbose", True), {}, FLAGS),
        (("debug_dir_root", None), {}, {"debug_dir_root": None}),
        ((FLAGS,), {}, FLAGS),
        ((SNAPSHOT,), {}, SNAPSHOT),
    ],
)
def test_a_call_has_one_of_four_forms(arguments, flags, changes):
    """Keywords, one mapping, a name and a value, or something that has a state."""
    assert changes_of(arguments, flags, "f") == changes
    assert has_state(changes_of(arguments, flags, "f")) is (changes is SNAPSHOT)


@pytest.mark.parametrize(
    ("arguments", "flags", "reason"),
    [
        ((FLAGS,), FLAGS, "not several of these"),
        ((SNAPSHOT,), FLAGS, "not several of these"),
        (("verbose", True), FLAGS, "not several of these"),
        (("verbose", True, 1), {}, "not several of these"),
        (("verbose",), {}, "not 'verbose'"),
        ((None,), {}, "not None"),
        ((3,), {}, "not 3"),
        ((3, True), {}, "the name of a flag is a str, not 3"),
    ],
)
def test_any_other_call_is_refused(arguments, flags, reason):
    """With the name of the function."""
    with pytest.raises(TypeError, match=r"^f: ") as refused:
        changes_of(arguments, flags, "f")
    assert reason in str(refused.value)


def test_only_settings_and_snapshots_have_a_state():
    """A mock has every attribute, and a mapping may have any key."""
    for value in (MagicMock(), SimpleNamespace(as_state=1), {"as_state": 1}, None):
        assert not has_state(value)
    for value in (SNAPSHOT, dynconf.DynamoSettings()):
        assert has_state(value)


def test_the_flags_within_a_module_are_a_mapping():
    """Of a snapshot, those that are set; those of another module keep its name, so that they are refused."""
    assert flags_within("functorch", FLAGS) is FLAGS
    assert flags_within("functorch", 3) is None
    assert flags_within("functorch", SNAPSHOT) == {"cse": False, "verbose": True}
    assert flags_within("dynamo", SNAPSHOT) == {"functorch.cse": False, "verbose": True}
    nothing = Snapshot(state_of())
    assert flags_within("dynamo", nothing) == {}


def test_every_form_of_a_state_becomes_one():
    """A state is itself; a mapping is checked, with the line that gives it as its origin."""
    state = state_of(verbose=True)
    line = caller()
    assert as_state(state, line) is state
    assert as_state(Snapshot(state), line) == state
    made = as_state(FLAGS, line)
    assert values_of(made) == FLAGS
    assert origins_of(made)["verbose"] == line.origin("keyword")
    with pytest.raises(TypeError, match="expected a mapping of flags, settings or a snapshot, not 3"):
        as_state(3, line)


def test_a_state_is_read_for_another_release():
    """Its flags go by the names there; those that the release lacks are mistakes, and values are checked."""
    old = Release.named("2.6")
    state = state_of(recompile_limit=3, debug_backend_override="0:eager").only_set()
    reading = for_release(state, old)
    assert [setting.name for setting in reading.state] == ["cache_size_limit"]
    (error,) = reading.errors
    assert isinstance(error, UnknownFlagError)
    (error,) = for_release(state_of(recompile_limit=-1).only_set(), AT).errors
    assert isinstance(error, InvalidValueError)
    (setting,) = newer(1)
    assert values_of(for_release(newer(1), AT, {setting.newest: setting})) == {setting.newest: 1}
