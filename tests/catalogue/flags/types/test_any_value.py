"""Values of any sort: how one is shown, and when two are the same."""

import math

import numpy as np
import pytest
from hypothesis import given
from strategies import ANYTHING, AWKWARD, Bomb, Endless, Multiline

from dynconf.catalogue.flags.types import copy_containers, is_same_value, short_repr


@given(ANYTHING)
def test_anything_is_shown_in_one_short_line(value):
    """A message can be made of every value; no line break or escape sequence reaches the terminal."""
    text = short_repr(value)
    assert type(text) is str
    assert text.isprintable()
    assert 0 < len(text) <= 123


def test_awkward_values_are_shown():
    """Also those that have no text, or have too much."""
    for value in AWKWARD:
        assert short_repr(value).isprintable()
        assert len(short_repr(value)) <= 123
    assert short_repr(Bomb()).startswith("<strategies.Bomb object at")
    assert short_repr(Endless()).startswith("<strategies.Endless object at")
    assert short_repr(Multiline()).startswith(r"first\nsecond\x1b[31m\u2028\ud800\n\n")
    assert short_repr(Multiline()).endswith("...")


def test_simple_values_are_shown_as_python_writes_them():
    """Letters of any language stay as they are."""
    assert [short_repr(value) for value in (None, True, "Grüße", {"a": [1]})] == [
        "None",
        "True",
        "'Grüße'",
        "{'a': [1]}",
    ]


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (True, 1),
        (1, 1.0),
        (0, False),
        ("1", 1),
        (None, False),
        ({"a": True}, {"a": 1}),
        ([0], [False]),
        ({"a": [1]}, {"a": [1.0]}),
        ({"a": 1}, {"b": 1}),
        ([1], [1, 2]),
        ({1}, frozenset({1})),
    ],
)
def test_values_of_two_types_are_never_the_same(left, right):
    """To torch's hash and its users True and 1 differ, in a dict or list too."""
    assert not is_same_value(left, right)
    assert not is_same_value(right, left)
    assert is_same_value(left, left)


def test_any_two_values_can_be_compared():
    """Arrays, values with a broken ``__eq__`` and the like are the same only as one object."""
    for left in AWKWARD:
        assert is_same_value(left, left) is True
        for right in AWKWARD:
            assert type(is_same_value(left, right)) is bool
    assert not is_same_value(Bomb(), Bomb())
    assert not is_same_value(np.zeros(2), np.zeros(2))
    assert is_same_value(math.nan, math.nan)


def test_containers_are_copied_and_objects_in_them_are_not():
    """A pass in a list stays the same pass; words and tuples cannot change."""
    a_pass = object()
    value = [{"passes": [a_pass], "names": {"a"}}]
    copied = copy_containers(value)
    assert copied == value
    assert copied[0] is not value[0]
    assert copied[0]["names"] is not value[0]["names"]
    assert copied[0]["passes"][0] is a_pass
    assert copy_containers("off") == "off"
