"""Values are judged by their type; what is inside them can neither run away nor mislead."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from functools import partial
from unittest import mock

import pytest
from strategies import AWKWARD, Bomb, broken

from dynconf.catalogue.flags.types import Mismatch, is_same_value
from dynconf.catalogue.flags.types.exact import (
    exact_float,
    exact_int,
    exact_path,
    exact_text,
    items_of,
)

CONTAINERS = (AbstractSet, (list, tuple), Mapping)
ALL = (exact_int, exact_float, exact_text, exact_path, *(partial(items_of, kind=each) for each in CONTAINERS))


@pytest.mark.parametrize("read", ALL)
def test_nothing_but_a_mismatch_is_raised(read):
    """Whatever the methods of a value do."""
    for value in AWKWARD:
        try:
            read(value)
        except Mismatch:
            continue


@pytest.mark.parametrize("read", ALL)
def test_a_proxy_is_not_woken_and_a_mock_is_not_believed(read):
    """`isinstance` would ask each for its class."""
    for value in (Bomb(), mock.Mock(spec=int), mock.Mock(spec=str), mock.Mock(spec=dict)):
        with pytest.raises(Mismatch):
            read(value)


def test_subclasses_become_plain():
    """By their value, not by their methods."""
    assert is_same_value(exact_int(broken(7)), 7)
    assert is_same_value(exact_float(broken(0.5)), 0.5)
    assert is_same_value(exact_text(broken("x")), "x")


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit])
def test_an_interruption_passes(stop):
    """Only what is wrong with the value is a mismatch."""

    class Interrupted(list):  # type: ignore[type-arg]
        def __iter__(self):
            raise stop

    with pytest.raises(stop):
        items_of(Interrupted(), list)
