"""False, or a value of another type."""

import pytest

from dynconf.flags.types import Choice, FalseOr, Mismatch

CROSSREF = FalseOr(Choice(("all", "custom_ops")))


def test_false_is_off() -> None:
    """In Python, and as any word for false in text."""
    assert CROSSREF.check(False) is False
    assert all(CROSSREF.parse(text) is False for text in ("0", "false", "OFF", " no "))
    assert CROSSREF.from_data(False) is False
    assert (CROSSREF.to_data(False), CROSSREF.to_text(False)) == (False, "0")


def test_true_is_not_a_value() -> None:
    """Neither as an object nor as a word."""
    for value in (True, 1, 0, None):
        with pytest.raises(Mismatch):
            CROSSREF.check(value)
    with pytest.raises(Mismatch):
        CROSSREF.parse("1")


def test_other_values_are_those_of_the_other_type() -> None:
    """With its suggestions."""
    assert CROSSREF.check("all") == CROSSREF.parse("all") == CROSSREF.to_text("all") == "all"
    with pytest.raises(Mismatch, match="did you mean 'custom_ops'"):
        CROSSREF.check("custom_op")
    assert CROSSREF.expected == "False, or one of 'all', 'custom_ops'"
    assert CROSSREF.annotation == "Literal[False] | Literal['all', 'custom_ops']"
