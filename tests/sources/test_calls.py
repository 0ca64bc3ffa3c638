"""Keywords and options: flags that a call or the command line passes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from states import origins_of, values_of

from dynconf.errors import DynconfError, InvalidValueError, UnknownFlagError
from dynconf.origin import Origin
from dynconf.release import Release
from dynconf.sources.calls import read_keywords, read_options

AT = Release.named("2.13.0")
HERE = Origin("keyword", file="a.py", line=7)


def named(table):
    """Return values or origins by the names of their settings."""
    return {setting.qualified: entry for setting, entry in table.items()}


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
    assert reading.state.bare_values() == {}


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


@pytest.mark.parametrize("option", ["verbose", "=1", "", " =1"])
def test_an_option_without_name_or_value_is_refused(option):
    """The message gives the expected form."""
    (error,) = read_options([option], AT).errors
    assert isinstance(error, InvalidValueError)
    assert str(error) == f"--set {option!r}: expected FLAG=VALUE"


def test_an_option_with_an_empty_value_is_refused_where_empty_is_no_value():
    """Unlike a variable, an empty option was meant."""
    (error,) = read_options(["verbose="], AT).errors
    assert str(error) == ("verbose: '' (from option --set verbose=) is not valid: expected True or False")


def test_an_unknown_option_is_refused():
    """With a suggestion, as everywhere."""
    (error,) = read_options(["verbos=1"], AT).errors
    assert isinstance(error, UnknownFlagError)
    assert "did you mean 'verbose'?" in str(error)


def test_an_option_given_twice_with_two_values_is_a_conflict():
    """If the last one won, as in a shell, it would hide a mistake."""
    assert len(read_options(["verbose=1", "verbose=0"], AT).errors) == 1
    assert values_of(read_options(["verbose=1", "verbose=yes"], AT)) == {"verbose": True}


@given(st.lists(st.text()))
def test_any_options_are_read_or_refused(options):
    """Reading raises nothing."""
    reading = read_options(options, AT)
    assert all(isinstance(error, DynconfError) for error in reading.errors)
