"""Keywords and options: flags that a call or the command line gives."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dynconf.errors import DynconfError, InvalidValueError, UnknownFlagError
from dynconf.provenance import Origin
from dynconf.sources.keywords import read_keywords, read_options
from dynconf.versions import asked

AT = asked("2.13.0")
HERE = Origin("keyword", file="a.py", line=7)


def test_keywords_are_python_values():
    """They are checked strictly, and all have the origin of the call."""
    layer = read_keywords({"verbose": True, "repro_tolerance": 1}, AT, HERE)
    assert layer.values == {"verbose": True, "repro_tolerance": 1.0}
    assert set(layer.origins.values()) == {HERE}


def test_all_mistakes_of_a_call_are_told():
    """Wrong types, values out of bounds and unknown names, each with the line of the call."""
    layer = read_keywords({"verbose": "yes", "repro_level": 9, "verbos": True}, AT, HERE)
    assert [str(error) for error in layer.errors] == [
        "verbose: 'yes' (from keyword at a.py:7) is not valid: expected True or False",
        "repro_level: 9 (from keyword at a.py:7) is not valid: expected a whole number from 1 to 4",
        "there is no flag 'verbos': did you mean 'verbose'? (from keyword at a.py:7)",
    ]
    assert layer.values == {}


def test_options_are_text():
    """They are read as variables are; the origin is the option."""
    layer = read_options(["verbose=yes", "recompile_limit = 64", "debug_dir_root=a=b"], AT)
    assert layer.values == {"verbose": True, "recompile_limit": 64, "debug_dir_root": "a=b"}
    assert layer.origins["verbose"] == Origin("option", "verbose", "yes")


@pytest.mark.parametrize("option", ["verbose", "=1", "", " =1"])
def test_an_option_without_name_or_value_is_refused(option):
    """The expected form is given."""
    (error,) = read_options([option], AT).errors
    assert isinstance(error, InvalidValueError)
    assert str(error) == f"--set {option!r}: expected FLAG=VALUE"


def test_an_option_with_an_empty_value_is_refused_where_empty_is_no_value():
    """Unlike a variable, an option that is given was meant."""
    (error,) = read_options(["verbose="], AT).errors
    assert str(error) == ("verbose: '' (from option --set verbose=) is not valid: expected True or False")


def test_an_unknown_option_is_refused():
    """With the suggestion that all names get."""
    (error,) = read_options(["verbos=1"], AT).errors
    assert isinstance(error, UnknownFlagError)
    assert "did you mean 'verbose'?" in str(error)


def test_an_option_given_twice_with_two_values_is_a_conflict():
    """The shell's 'last one wins' would hide a mistake."""
    assert len(read_options(["verbose=1", "verbose=0"], AT).errors) == 1
    assert read_options(["verbose=1", "verbose=yes"], AT).values == {"verbose": True}


@given(st.lists(st.text()))
def test_any_options_are_read_or_refused(options):
    """Reading raises nothing."""
    layer = read_options(options, AT)
    assert all(isinstance(error, DynconfError) for error in layer.errors)
