"""Types that add values to another type: a few words, None, False, or several values."""

import pytest

from dynconf.catalogue.flags.types import (
    ChoiceOr,
    Int,
    Items,
    JsonDict,
    Mismatch,
    OneOrMore,
    OrNone,
    Reference,
    Text,
)
from dynconf.tools.show.schema import json_schema

SOLVER = ChoiceOr(Reference("callable"), ("dp", "greedy"))
AUTOCAST = ChoiceOr(Items(JsonDict()), ("off", "same_as_forward"))


def test_words_come_first() -> None:
    """A word is itself, everywhere; what is not a word is read as the other type reads it."""
    assert SOLVER.check("dp") == SOLVER.parse(" dp ") == SOLVER.from_data("dp") == "dp"
    assert SOLVER.to_data("dp") == SOLVER.to_text("dp") == "dp"
    assert str(SOLVER.parse("package:solve")) == "package:solve"
    assert SOLVER.check(print) is print
    assert SOLVER.to_data(print) == SOLVER.to_text(print) == "builtins:print"
    assert AUTOCAST.parse('[{"device_type": "cuda"}]') == [{"device_type": "cuda"}]
    assert AUTOCAST.from_data([]) == []


def test_a_word_that_is_almost_right_is_suggested() -> None:
    """It is not taken for the name of an object."""
    for read in (SOLVER.check, SOLVER.parse, SOLVER.from_data):
        with pytest.raises(Mismatch, match="did you mean 'greedy'"):
            read("greedi")


def test_what_is_expected_names_both() -> None:
    """In messages, annotations and schemas."""
    assert SOLVER.expected == "one of 'dp', 'greedy', or the 'module:qualname' of a callable"
    assert SOLVER.annotation == "Literal['dp', 'greedy'] | Callable[..., Any]"
    assert SOLVER.choices == OrNone(SOLVER).choices == ("dp", "greedy")
    choices = json_schema(SOLVER)["anyOf"]
    assert [sorted(each) for each in choices] == [["enum", "type"], ["pattern", "type"]]


SIZES = Items(OneOrMore(Int(0), as_tuple=True), as_tuple=True)
LIBRARIES = OneOrMore(Text())


def test_a_single_value_stays_single() -> None:
    """Several become a list or a tuple, as the flag has them."""
    assert LIBRARIES.check("one") == "one"
    assert LIBRARIES.check(("one", "two")) == ["one", "two"]
    assert SIZES.check([8, [16, 4], (1,)]) == (8, (16, 4), (1,))
    for value in (3, None, ["one", 3]):
        with pytest.raises(Mismatch):
            LIBRARIES.check(value)
    for value in (8, "8", [True], [-1], [[8, "x"]], [[[8]]]):
        with pytest.raises(Mismatch):
            SIZES.check(value)


def test_commas_separate_several_in_text() -> None:
    """A single value has none."""
    assert LIBRARIES.parse("one") == LIBRARIES.to_text("one") == "one"
    assert LIBRARIES.parse("one,two") == ["one", "two"]
    assert LIBRARIES.to_text(["one", "two"]) == "one,two"
    assert SIZES.parse("8,16") == (8, 16)


def test_data_has_lists_for_tuples() -> None:
    """As JSON and TOML do."""
    assert SIZES.to_data((8, (16, 4))) == [8, [16, 4]]
    assert SIZES.from_data([8, [16, 4]]) == (8, (16, 4))
    assert LIBRARIES.annotation == "str | list[str]"
    assert LIBRARIES.expected == "a string, or a list of strings"
