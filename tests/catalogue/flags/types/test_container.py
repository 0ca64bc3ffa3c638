"""Sets and lists."""

import collections

import pytest
from strategies import MadeUpSet, accepts

from dynconf.catalogue.flags.types import ListOf, Mismatch, Named, Reference, SetOf, Text, is_same_value


@pytest.mark.parametrize("value", [{"a"}, frozenset("a"), {"a": 1}.keys(), MadeUpSet("a", "a")])
def test_any_set_becomes_a_set(value):
    """Python's own, views of a dict, and classes that follow the protocol."""
    assert is_same_value(SetOf(Text()).check(value), {"a"})


@pytest.mark.parametrize(
    "value", [["a"], ("a",), "a", {"a": 1}, None, MadeUpSet(1), {1}, collections.deque("a")]
)
def test_what_is_not_a_set_of_texts(value):
    """Neither other containers nor sets of other things are."""
    assert not accepts(SetOf(Text()), value)


def test_a_list_may_be_a_tuple():
    """It is stored as a list, in the order given."""
    assert is_same_value(ListOf(Text()).check(("b", "a", "b")), ["b", "a", "b"])
    assert not accepts(ListOf(Text()), {"a"})
    assert not accepts(ListOf(Text()), "ab")
    assert not accepts(ListOf(Text()), [1])


def test_an_object_that_cannot_be_hashed_cannot_be_in_a_set():
    """A set of one's own may hold it; the flag's cannot."""

    class Callable:
        __hash__ = None  # type: ignore[assignment]

        def __call__(self) -> None:
            """Do nothing."""

    with pytest.raises(Mismatch, match="an item cannot be in a set"):
        SetOf(Reference("callable")).check(MadeUpSet(Callable()))


@pytest.mark.parametrize(
    ("type_", "text", "value"),
    [
        (SetOf(Text()), "b, a,,b ", {"a", "b"}),
        (ListOf(Text()), "b, a,b", ["b", "a", "b"]),
        (SetOf(Reference("callable")), "builtins:print", {Named("builtins", "print")}),
        (SetOf(Text()), "", set()),
    ],
)
def test_text_separates_items_by_commas(type_, text, value):
    """Space around an item and empty items do not count; names of objects stay names."""
    assert is_same_value(type_.parse(text), value)


def test_data_is_a_list_of_strings():
    """A list of lists in a file is a mistake like any other."""
    for data in ([["a"]], [{}], [1], "a", {"a": 1}, [None], None):
        for type_ in (SetOf(Text()), ListOf(Text()), SetOf(Reference("callable"))):
            with pytest.raises(Mismatch):
                type_.from_data(data)


def test_sets_are_written_sorted():
    """The text and the data of a set are the same in every process."""
    assert SetOf(Text()).to_data({"b", "a", "c"}) == ["a", "b", "c"]
    assert SetOf(Text()).to_text({"b", "a", "c"}) == "a,b,c"
    assert SetOf(Text()).to_text(set()) == "[]"
    assert SetOf(Text()).parse("[]") == set()


@pytest.mark.parametrize(
    ("type_", "value"),
    [(SetOf(Text()), {"a,b"}), (ListOf(Text()), [""]), (ListOf(Text()), [" a"])],
)
def test_some_values_have_no_text(type_, value):
    """Text that would be read as something else is not written."""
    with pytest.raises(Mismatch, match="no text means"):
        type_.to_text(value)


def test_expectations_are_plain_words():
    """They follow the word "expected"."""
    assert SetOf(Reference("class")).expected == "a set of classes"
    assert SetOf(Reference("callable")).expected == "a set of callables"
    assert SetOf(Text()).expected == "a set of strings"
    assert ListOf(Text()).expected == "a list of strings"
