"""True and False, numbers, texts, paths, words, and rules for graphs."""

import enum
import math
import os
import pathlib
import re
from decimal import Decimal
from fractions import Fraction
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import WORDS, Number, accepts, broken, values

from dynconf.catalogue.flags.types import (
    Bool,
    BoolOr,
    Choice,
    Float,
    GraphRules,
    Int,
    Mismatch,
    OrNone,
    PathText,
    SetOf,
    Text,
    Words,
    is_same_value,
    short_repr,
)
from dynconf.catalogue.modules import catalogue
from dynconf.catalogue.modules.dynamo.ddp_mode import DdpMode
from dynconf.tools.show.schema import json_schema


@pytest.mark.parametrize("word", WORDS)
@given(st.data())
def test_there_are_twelve_words_for_true_and_false(word, data):
    """Each may be written in any case and with space around it, for each type that accepts a bool."""
    written = "".join(data.draw(st.sampled_from([letter.lower(), letter.upper()])) for letter in word)
    space = data.draw(st.text(" \t\n"))
    for type_ in (Bool(), OrNone(Bool()), BoolOr(PathText()), BoolOr(Choice(("a", "b"))), BoolOr(Int())):
        assert type_.parse(f"{space}{written}{space}") is (word in {"1", "true", "yes", "on", "t", "y"})


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
        truths = [type_.truth(value) for value in ("", "0", "x", True, None, 3)]
        assert truths == [False, True, True, True, None, 3]
    # A path is a path, even where the flag may be a bool too.
    assert BoolOr(PathText()).truth("x") == "x"
    assert OrNone(BoolOr(PathText())).truth("x") == "x"


@pytest.mark.parametrize(
    ("type_", "good", "bad"),
    [
        (Bool(), [True, False], [0, 1, "true", None, 1.0]),
        (
            Int(),
            [-5, 0, 7, 2**63 - 1, 1 - 2**63],
            [1.0, "1", None, 2**63, -(2**63), 10**5000, 1j, Decimal(1)],
        ),
        (Int(), [np.int8(1)], [np.bool_(1), np.array(1), np.array([1, 2]), np.float64(1), np.str_("1")]),
        (Int(0), [0, 1, 2**63 - 1], [-1, 2**63]),
        (Int(1, 4), [1, 4], [0, 5]),
        (Int(maximum=4), [-9, 4], [5]),
        (
            Float(),
            [-1.5, 5e-324, Fraction(1, 3)],
            [math.inf, -math.inf, math.nan, 10**400, Fraction(10**400)],
        ),
        (Float(0), [0, 0.0, 1e-300, 3], [-1e-9, math.nan, math.inf, 2**63, "0.1", 1j, Decimal(1), None]),
        (Float(0, 1), [0, 0.5, 1], [-0.001, 1.001]),
        (Float(maximum=1), [-1e300, 1.0], [1.001]),
    ],
)
def test_a_bool_is_one_and_bounds_are_inclusive(type_, good, bad):
    """No number or text is a bool; nothing is rounded, cut off or infinite, or has more than 64 bits."""
    assert [value for value in good if not accepts(type_, value)] == []
    assert [short_repr(value) for value in bad if accepts(type_, value)] == []


@given(st.integers(-(2**63) + 1, 2**63 - 1))
def test_integers_of_numpy_and_enum_become_plain(number):
    """The flag holds a plain int, which torch can hash and dynconf can write."""
    for value in (np.int64(number), enum.IntEnum("E", {"X": number}).X, broken(number)):
        assert is_same_value(Int().check(value), number)


def test_a_number_with_too_many_bits_is_told_so():
    """The reason is not the bound of the flag."""
    for value in (2**63, -(10**5000), Number.MANY, np.uint64(2**64 - 1)):
        for type_ in (Int(), Int(0), Float()):
            with pytest.raises(Mismatch, match="it has more than 64 bits"):
                type_.check(value)


@pytest.mark.real_torch
def test_a_tensor_is_not_a_number():
    """Reading its value would wait for the device."""
    import torch

    for tensor in (torch.tensor(1), torch.tensor(1.5), torch.tensor([1, 2])):
        assert not accepts(Int(), tensor)
        assert not accepts(Float(), tensor)


def test_a_float_flag_accepts_any_real_number_and_holds_a_float():
    """The live module then has the type that torch gave the flag."""
    ones = [kind(1) for kind in (int, np.int8, np.float32, np.float64, np.longdouble, Fraction)]
    assert all(is_same_value(Float(0).check(one), 1.0) for one in (*ones, Number.ONE, broken(1.0)))


@pytest.mark.parametrize(
    ("type_", "text", "value"),
    [
        *((Int(), " 64 ", 64), (Int(), "-3", -3), (Int(), "+3", 3)),
        *((Float(), "1e-3", 0.001), (Float(), "7", 7.0)),
        *((Choice(("a", "b")), "b", "b"), (Text(), " as it is ", "as it is")),
    ],
)
def test_what_texts_mean(type_, text, value):
    """Numbers as Python and C write them; the space around a text does not count."""
    assert is_same_value(type_.parse(text), value)


@pytest.mark.parametrize(
    ("type_", "text"),
    [
        *((Bool(), text) for text in ("2", "", "tru", "ja", "nein", "1.0", "-1", "none", "enable")),
        *((Choice(("a", "b")), text) for text in ("c", "A", "", "a b", "\ud800")),
        *((Int(), text) for text in ("", "6.4", "0x40", "1_000", "١٢", "1e3", "9" * 5000, "true")),
        (Int(), str(2**63)),
        *((Float(), text) for text in ("", "nan", "inf", "-Infinity", "1e999", "1_0.0", "٣")),
        (Int(0), "-1"),
        (Float(0, 1), "1.5"),
    ],
)
def test_what_no_text_means(type_, text):
    """Anything else is refused, never guessed; torch's habit of reading any text as True is not dynconf's."""
    with pytest.raises(Mismatch):
        type_.parse(text)


@pytest.mark.parametrize(
    ("type_", "clause", "bounds"),
    [
        (Int(), "a whole number", {}),
        (Int(0), "a whole number, 0 or more", {"minimum": 0}),
        (Int(maximum=9), "a whole number, 9 or less", {"maximum": 9}),
        (Int(1, 4), "a whole number from 1 to 4", {"minimum": 1, "maximum": 4}),
        (Float(), "a finite number", {}),
        (Float(0), "a finite number, 0 or more", {"minimum": 0}),
        (Float(maximum=0.5), "a finite number, 0.5 or less", {"maximum": 0.5}),
        (Float(0, 1), "a finite number from 0 to 1", {"minimum": 0, "maximum": 1}),
        (Text(), "a string", {}),
        (PathText(), "a path", {"minLength": 1}),
        (Choice(("a", "b")), "one of 'a', 'b'", {"enum": ["a", "b"]}),
    ],
)
def test_expectations_are_plain_words_and_a_schema(type_, clause, bounds):
    """The words follow "expected"; bounds are named where there are any."""
    assert type_.expected == clause
    schema = json_schema(type_)
    assert {key: schema[key] for key in schema if key != "type"} == bounds


class Folder(os.PathLike):  # type: ignore[type-arg]
    """A path that is not one of pathlib's."""

    def __init__(self, path: object) -> None:
        self.path = path

    def __fspath__(self) -> object:  # type: ignore[override]
        if isinstance(self.path, Exception):
            raise self.path
        return self.path


def test_text_is_what_a_file_and_a_variable_can_hold():
    """No NUL and no half of a character; a mock is not what it claims to be."""
    for type_ in (Text(), PathText()):
        for value in ("x\0y", "\udcff", b"x", 1, None, True, mock.Mock(spec=str), ["x"]):
            assert not accepts(type_, value)
        assert accepts(type_, "Grüße/x y")


def test_text_of_a_subclass_becomes_plain():
    """Members of an enum and strings of numpy are stored as the text that they are."""
    optimize_ddp = catalogue("dynamo").flags["optimize_ddp"].type
    for value in (DdpMode.python_reducer, np.str_("python_reducer"), broken("python_reducer")):
        for type_ in (Text(), PathText(), Choice(("python_reducer",)), optimize_ddp):
            assert is_same_value(type_.check(value), "python_reducer")


@pytest.mark.parametrize("value", [pathlib.PurePosixPath("a/b"), Folder("a/b"), "a/b"])
def test_a_path_may_be_an_object(value):
    """It is stored as text, and no other text may."""
    assert is_same_value(PathText().check(value), "a/b")
    assert accepts(Text(), value) is isinstance(value, str)


def test_what_is_not_a_path():
    """Neither an empty text, nor bytes, nor an object whose path cannot be had."""
    unfit = [Folder(path) for path in ("", b"x", 3, "\0", OSError("no"))]
    assert [value for value in ("", np.array(["a", "b"]), *unfit) if accepts(PathText(), value)] == []


def test_a_near_miss_of_a_choice_is_corrected():
    """The nearest word is suggested."""
    with pytest.raises(Mismatch, match="did you mean 'ddp_optimizer'"):
        catalogue("dynamo").flags["optimize_ddp"].type.check("ddp_optimiser")
    with pytest.raises(Mismatch, match="did you mean 'dynamo'"):
        Choice(("aot", "dynamo")).check(broken("dynam"))
    with pytest.raises(Mismatch, match="did you mean 'EXHAUSTIVE'"):
        Choice(("DEFAULT", "EXHAUSTIVE")).check("exhaustive")


BACKENDS = Words(("ATEN", "TRITON", "CPP"))


def test_words_count_in_any_case_and_order() -> None:
    """As torch reads them; the text is kept as it is, and an empty word is none of them."""
    for text in ("ATEN", "aten, Triton", "CPP,ATEN"):
        assert BACKENDS.check(text) == text
    assert [each for each in ("", "ATEN,", "CUDA", ["ATEN"], None) if accepts(BACKENDS, each)] == []
    # Torch itself would say nothing of a misspelt one, and use the others.
    with pytest.raises(Mismatch, match="did you mean 'TRITON'"):
        BACKENDS.check("ATEN,TRITTON")
    assert BACKENDS.expected == "any of ATEN, TRITON, CPP, separated by commas"
    assert BACKENDS.choices == ("ATEN", "TRITON", "CPP")


def test_rules_are_kept_as_they_are():
    """They are checked, not rewritten."""
    text = "0-5,>=10:eager; <3:inductor"
    assert GraphRules("inductor").parse(text) == GraphRules("inductor").check(text) == text


@pytest.mark.parametrize(
    ("of", "rule"),
    [
        *(("inductor", rule) for rule in ("eager", "0:", "x:eager", ":eager", "0,,1:eager", "-1:eager")),
        *(("inductor", ">1-2:eager"), ("key=value", "0:eager")),
        *(("key=value", "0:a=1,b"), ("key=value", "0:a=1\n2"), ("key=value", "0: ")),
    ],
)
def test_rules_follow_torchs_grammar(of, rule):
    """A rule that torch would drop with a line in its log is an error that quotes it."""
    with pytest.raises(Mismatch, match=re.escape(f"{short_repr(rule.strip())} is not such a rule")):
        GraphRules(of).check(f"0:{of}; {rule}")


def test_a_long_mistake_is_quoted_in_part():
    """The message stays short."""
    with pytest.raises(Mismatch) as refused:
        GraphRules("inductor").check("x" * 100_000)
    assert len(str(refused.value)) < 200


@pytest.mark.real_torch
@given(values(GraphRules("key=value")), st.integers(0, 60))
def test_torch_accepts_every_rule(text, graph):
    """Torch's own parser makes a rule of each rule, and complains of none."""
    graph_id_filter = pytest.importorskip("torch._dynamo.graph_id_filter")
    GraphRules("key=value").check(text)
    for rule in filter(None, text.split(";")):
        router = graph_id_filter.GraphConfigRouter(rule)
        assert len(router._rules) == 1
        filters, _, assigned = rule.partition(":")
        assert len(router._rules[0][1]) == len({pair.partition("=")[0] for pair in assigned.split(",")})
        assert (graph in graph_id_filter.GraphIdFilter(filters)) == (graph in router._rules[0][0])
