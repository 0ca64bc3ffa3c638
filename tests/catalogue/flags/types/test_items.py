"""Lists and tuples of items of any type."""

import pytest
from strategies import accepts

from dynconf.catalogue.flags.types import Int, Items, Mismatch, Named, OrNone, Reference, Text, is_same_value

NUMBERS = Items(Int(0))
COMPILERS = Items(OrNone(Text()), as_tuple=True)


def test_a_tuple_stays_one_and_a_list_another() -> None:
    """Either may be given for either."""
    assert is_same_value(NUMBERS.check((1, 2)), [1, 2])
    assert is_same_value(COMPILERS.check([None, "g++"]), (None, "g++"))
    assert not accepts(NUMBERS, [1, -1])
    assert not accepts(NUMBERS, "12")
    assert not accepts(COMPILERS, "g++")


def test_text_separates_items_by_commas() -> None:
    """Each item is read as its type reads it."""
    assert NUMBERS.parse("2, 1,1") == [2, 1, 1]
    assert COMPILERS.parse("none,g++") == (None, "g++")
    assert COMPILERS.parse(COMPILERS.to_text((None, "g++"))) == (None, "g++")
    assert Items(Reference("callable")).parse("builtins:print") == [Named("builtins", "print")]
    with pytest.raises(Mismatch, match="no text means"):
        COMPILERS.to_text(("a,b",))


def test_data_is_a_list() -> None:
    """JSON has no tuples."""
    assert COMPILERS.from_data([None, "g++"]) == (None, "g++")
    assert COMPILERS.to_data((None, "g++")) == [None, "g++"]
    with pytest.raises(Mismatch):
        NUMBERS.from_data("1")


def test_only_a_list_can_be_changed_in_place() -> None:
    """So only values of that type are compared by content."""
    assert NUMBERS.mutable
    assert not COMPILERS.mutable


def test_what_it_expects() -> None:
    """As a clause and as an annotation."""
    assert NUMBERS.expected == "a list, each item of which is a whole number, 0 or more"
    assert NUMBERS.annotation == "list[int]"
    assert COMPILERS.annotation == "tuple[str | None, ...]"
