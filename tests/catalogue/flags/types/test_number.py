"""Whole numbers and real ones, within bounds."""

import enum
import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import Number, accepts, broken

from dynconf.catalogue.flags.types import Float, Int, Mismatch, is_same_value, short_repr
from dynconf.tools.show.schema import json_schema


@pytest.mark.parametrize(
    ("type_", "good", "bad"),
    [
        (
            Int(),
            [-5, 0, 7, 2**63 - 1, 1 - 2**63],
            [1.0, "1", None, 2**63, -(2**63), 10**5000, 1j, Decimal(1)],
        ),
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
def test_bounds_are_inclusive(type_, good, bad):
    """Nothing is rounded, cut off or infinite, and nothing has more than 64 bits."""
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


def test_an_array_or_bool_or_float_of_numpy_is_not_a_whole_number():
    """Whatever its value."""
    wrong = [np.bool_(1), np.array(1), np.array([1, 2]), np.float64(1), np.str_("1")]
    assert [value for value in wrong if accepts(Int(), value)] == []


@pytest.mark.real_torch
def test_a_tensor_is_not_a_number():
    """Reading its value would wait for the device."""
    import torch

    for tensor in (torch.tensor(1), torch.tensor(1.5), torch.tensor([1, 2])):
        assert not accepts(Int(), tensor)
        assert not accepts(Float(), tensor)


def test_a_float_flag_accepts_any_real_number_and_holds_a_float():
    """The live module then has the type that torch gave the flag."""
    ones = [
        1,
        np.int8(1),
        np.float32(1),
        np.float64(1),
        np.longdouble(1),
        Fraction(1),
        Number.ONE,
        broken(1.0),
    ]
    assert all(is_same_value(Float(0).check(one), 1.0) for one in ones)


@pytest.mark.parametrize(
    ("type_", "text", "value"),
    [(Int(), " 64 ", 64), (Int(), "-3", -3), (Int(), "+3", 3), (Float(), "1e-3", 0.001), (Float(), "7", 7.0)],
)
def test_what_texts_mean(type_, text, value):
    """Numbers as Python and C write them."""
    assert is_same_value(type_.parse(text), value)


@pytest.mark.parametrize(
    ("type_", "text"),
    [
        *(
            (Int(), text)
            for text in ("", "6.4", "0x40", "1_000", "١٢", "1e3", "9" * 5000, str(2**63), "true")
        ),
        *((Float(), text) for text in ("", "nan", "inf", "-Infinity", "1e999", "1_0.0", "٣")),
        (Int(0), "-1"),
        (Float(0, 1), "1.5"),
    ],
)
def test_what_no_text_means(type_, text):
    """Anything else is refused, never guessed."""
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
    ],
)
def test_bounds_are_told_where_there_are_any(type_, clause, bounds):
    """In words and in the JSON Schema."""
    assert type_.expected == clause
    schema = json_schema(type_)
    assert {key: schema[key] for key in schema if key != "type"} == bounds
