"""The form of a record: facts that change with the release."""

from typing import Any

import pytest

from dynconf.catalogue.flags.flag import ByRelease, Flag, by_release, fact_in, qualified
from dynconf.catalogue.flags.types import Bool, Items, JsonDict, SetOf, Text, ValueType
from dynconf.release import Release


def test_a_fact_is_true_from_its_release_on() -> None:
    """The first fact counts before every change, the last one after."""
    fact = by_release("a", v2_6="b", v2_10="c")
    assert fact == ByRelease("a", (("2.6", "b"), ("2.10", "c")))
    found = [fact.at(release) for release in [(2, 4), (2, 5), (2, 6), (2, 9), (2, 10), (3, 0)]]
    assert found == ["a", "a", "b", "b", "c", "c"]
    assert fact_in(8, (2, 4)) == 8


@pytest.mark.parametrize(
    ("type_", "data", "default"),
    [
        (SetOf(Text()), ["a", "b"], {"a", "b"}),
        (Items(Text()), ["b", "a"], ["b", "a"]),
        (JsonDict(), {"a": []}, {"a": []}),
    ],
)
def test_a_default_is_made_of_data_each_time(type_: ValueType, data: Any, default: Any) -> None:
    """It has the type that torch uses, and a caller may change it."""
    flag = Flag(name="x", type=type_, default=data, summary="X.")
    assert flag.default_in((2, 4)) == default
    flag.default_in((2, 4)).clear()
    assert flag.default_in((2, 4)) == default


def test_a_flag_with_an_alias_is_a_flag_of_its_own_before_that() -> None:
    """Up to the release before, the old name has a value of its own."""
    flag = Flag(name="x", type=Bool(), default=True, summary="X.", renamed_to="y", alias_since="2.7")
    assert [flag.is_alias_in((2, number)) for number in (6, 7, 8)] == [False, True, True]


def test_a_release_may_be_given_in_three_forms() -> None:
    """As text, as a pair of numbers, and as a `Release`."""
    flag = Flag(name="x", type=Bool(), default=by_release(False, v2_7=True), summary="X.", since="2.6")
    for early, late in [("2.5", "2.7.1"), ((2, 5), (2, 7)), (Release.named("2.5"), Release.named("2.7"))]:
        assert not flag.exists_in(early)
        assert flag.exists_in(late)
        assert flag.default_in(late) is True


def test_names_outside_dynamo_have_their_module_in_front() -> None:
    """Bare names are dynamo's."""
    assert qualified("dynamo", "x") == "x"
    assert qualified("functorch", "x") == "functorch.x"
    flag = Flag(name="x.y", type=Bool(), default=True, summary="X.", module="inductor")
    assert flag.qualified == "inductor.x.y"
    assert flag.uniform_variable == "TORCHINDUCTOR_X_Y"
