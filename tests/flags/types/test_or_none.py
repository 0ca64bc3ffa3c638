"""A value or None."""

import pytest

from dynconf.flags.types import Choice, Mismatch, Named, OrNone, Reference, SetOf, Text


def test_none_stays_none_in_every_form():
    """In Python, text and data."""
    type_ = OrNone(SetOf(Text()))
    assert type_.check(None) is type_.parse("None") is type_.from_data(None) is type_.to_data(None) is None
    assert type_.fresh(None) is type_.by_name(None) is None
    assert type_.to_text(None) == "none"


def test_everything_else_is_left_to_the_other_type():
    """Reading, writing, copying, and whether names have to be resolved."""
    type_ = OrNone(SetOf(Reference("callable")))
    assert type_.names_objects
    assert type_.mutable
    named = type_.parse("builtins:print")
    assert named == {Named("builtins", "print")}
    assert type_.check(named) == {print}
    assert type_.to_text({print}) == "builtins:print"
    assert OrNone(Choice(("a", "b"))).choices == ("a", "b")


def test_the_text_none_cannot_be_written():
    """It would be read back as None."""
    with pytest.raises(Mismatch, match="no text means 'none'"):
        OrNone(Text()).to_text("none")


def test_expectations_are_plain_words():
    """They follow the word "expected"."""
    assert OrNone(Choice(("a", "b"))).expected == "one of 'a', 'b', or None"
