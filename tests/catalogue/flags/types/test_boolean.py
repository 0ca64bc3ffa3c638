"""True and False, and the types that accept them beside something else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import WORDS, accepts, broken

from dynconf.catalogue.flags.types import Bool, BoolOr, Choice, Int, Mismatch, OrNone, PathText, SetOf, Text


@pytest.mark.parametrize("value", [0, 1, "true", None, 1.0])
def test_only_a_bool_is_a_bool(value):
    """Neither numbers nor texts are."""
    assert not accepts(Bool(), value)


@pytest.mark.parametrize("word", WORDS)
@given(st.data())
def test_there_are_twelve_words_for_true_and_false(word, data):
    """Each may be written in any case and with space around it, for each type that accepts a bool."""
    written = "".join(data.draw(st.sampled_from([letter.lower(), letter.upper()])) for letter in word)
    space = data.draw(st.text(" \t\n"))
    for type_ in (Bool(), OrNone(Bool()), BoolOr(PathText()), BoolOr(Choice(("a", "b"))), BoolOr(Int())):
        assert type_.parse(f"{space}{written}{space}") is (word in {"1", "true", "yes", "on", "t", "y"})


@pytest.mark.parametrize("text", ["2", "", "tru", "ja", "nein", "1.0", "-1", "none", "enable"])
def test_no_other_word_is_a_bool(text):
    """Torch's habit of reading any text as True is not dynconf's."""
    with pytest.raises(Mismatch):
        Bool().parse(text)


def test_a_value_that_was_probably_meant_as_a_bool_is_told_so():
    """In Python and in files, where only True and False are bools."""
    meant = {1: True, 0: False, "True": True, "off": False, " 1": None, 2: None, 1.5: None, 10**5000: None}
    for value, word in meant.items():
        for read in (BoolOr(Choice(("a", "b"))).check, BoolOr(SetOf(Text())).from_data):
            with pytest.raises(Mismatch) as refused:
                read(value)
            assert str(refused.value) == ("" if word is None else f"did you mean {word}?")


def test_a_better_hint_comes_first():
    """A text that is close to one of the words of the other type gets that word."""
    with pytest.raises(Mismatch, match="did you mean 'one'"):
        BoolOr(Choice(("one", "two"))).check("on")
    with pytest.raises(Mismatch, match="did you mean True"):
        BoolOr(Choice(("ddp_optimizer",))).check(broken("true"))


def test_text_in_place_of_a_bool_is_true_unless_it_is_empty():
    """Torch leaves the text of some variables in a flag, where only its truth counts."""
    for type_ in (Bool(), OrNone(Bool())):
        assert [type_.truth(value) for value in ("", "0", "x", True, None, 3)] == [
            False,
            True,
            True,
            True,
            None,
            3,
        ]


def test_text_that_a_flag_may_hold_stays_text():
    """A path is a path, even where the flag may be a bool too."""
    assert BoolOr(PathText()).truth("x") == "x"
    assert OrNone(BoolOr(PathText())).truth("x") == "x"


def test_everything_else_is_left_to_the_other_type():
    """A bool beside a set of texts is read, written and copied as such a set is."""
    type_ = BoolOr(SetOf(Text()))
    assert type_.mutable
    assert not BoolOr(PathText()).mutable
    assert type_.parse("b,a") == type_.from_data(["a", "b"]) == {"a", "b"}
    assert type_.to_data({"b", "a"}) == ["a", "b"]
    assert type_.to_text(False) == "0"


def test_a_value_whose_text_is_a_word_for_a_bool_has_no_text():
    """Written down it would be read back as a bool."""
    for type_, value in ((BoolOr(PathText()), "yes"), (BoolOr(Int()), 1), (BoolOr(Int()), 0)):
        with pytest.raises(Mismatch, match="no text means"):
            type_.to_text(value)
