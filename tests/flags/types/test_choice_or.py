"""One of a few words, or a value of another type."""

import pytest

from dynconf.flags.types import ChoiceOr, JsonDicts, Mismatch, Reference

SOLVER = ChoiceOr(Reference("callable"), ("dp", "greedy"))
AUTOCAST = ChoiceOr(JsonDicts(), ("off", "same_as_forward"))


def test_words_come_first() -> None:
    """A word is itself, everywhere; what is not a word is read as the other type reads it."""
    assert SOLVER.check("dp") == SOLVER.parse(" dp ") == SOLVER.from_data("dp") == "dp"
    assert SOLVER.to_data("dp") == SOLVER.to_text("dp") == "dp"
    assert str(SOLVER.parse("package:solve")) == "package:solve"
    assert SOLVER.check(print) is print
    assert SOLVER.to_data(print) == "builtins:print"
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
    assert SOLVER.choices == ("dp", "greedy")
    assert [sorted(each) for each in SOLVER.schema()["anyOf"]] == [["enum"], ["pattern", "type"]]


def test_a_copy_is_made_of_what_can_be_changed() -> None:
    """Words cannot."""
    value = [{"device_type": "cuda"}]
    assert AUTOCAST.fresh(value) == value
    assert AUTOCAST.fresh(value)[0] is not value[0]
    assert AUTOCAST.fresh("off") == "off"
