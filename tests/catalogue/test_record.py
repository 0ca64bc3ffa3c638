"""The form of a record: facts that change with the release."""

import pytest

from dynconf.catalogue.record import ByRelease, Flag, Variable, by_release, fact_in
from dynconf.catalogue.value_types import Bool, ListOf, Mapping, SetOf, Text


def test_a_fact_holds_from_its_release_on():
    """The first fact counts before every change, the last one after."""
    fact = by_release("a", v2_6="b", v2_10="c")
    assert fact == ByRelease("a", (("2.6", "b"), ("2.10", "c")))
    found = [fact.at(release) for release in [(2, 4), (2, 5), (2, 6), (2, 9), (2, 10), (3, 0)]]
    assert found == ["a", "a", "b", "b", "c", "c"]


def test_a_fact_that_never_changed_is_itself():
    """`fact_in` takes plain facts too."""
    assert fact_in(8, (2, 4)) == 8


def test_a_variable_is_read_within_its_span():
    """Both ends count."""
    variable = Variable("X", "text", since="2.5", until="2.7")
    assert [variable.read_by((2, number)) for number in range(4, 9)] == [False, True, True, True, False]


@pytest.mark.parametrize(
    ("type_", "declared", "default"),
    [
        (SetOf(Text()), ("a", "b"), {"a", "b"}),
        (ListOf(Text()), ("b", "a"), ["b", "a"]),
        (Mapping(), (), {}),
        (Bool(), True, True),
    ],
)
def test_containers_are_declared_as_tuples(type_, declared, default):
    """The default that comes out has the type that torch uses."""
    flag = Flag(name="x", type=type_, default=declared, summary="X.")
    assert flag.default_in((2, 4)) == default
    assert type(flag.default_in((2, 4))) is type(default)


def test_a_flag_with_an_alias_is_a_flag_of_its_own_before_that():
    """Up to the release before, the old name holds the value itself."""
    flag = Flag(name="x", type=Bool(), default=True, summary="X.", renamed="y", alias_since="2.7")
    assert [flag.is_alias_in((2, number)) for number in (6, 7, 8)] == [False, True, True]
