"""One value, or several."""

import pytest

from dynconf.flags.types import Int, Items, Mismatch, OneOrMore, Text

SIZES = Items(OneOrMore(Int(0), as_tuple=True), as_tuple=True)
LIBRARIES = OneOrMore(Text())


def test_a_single_value_stays_single() -> None:
    """Several become a list or a tuple, as the flag has them."""
    assert LIBRARIES.check("one") == "one"
    assert LIBRARIES.check(("one", "two")) == ["one", "two"]
    assert SIZES.check([8, [16, 4], (1,)]) == (8, (16, 4), (1,))
    for value in (3, None, ["one", 3]):
        with pytest.raises(Mismatch):
            LIBRARIES.check(value)
    for value in (8, "8", [True], [-1], [[8, "x"]], [[[8]]]):
        with pytest.raises(Mismatch):
            SIZES.check(value)


def test_commas_separate_several_in_text() -> None:
    """What would read as something else has no text."""
    assert LIBRARIES.parse("one") == LIBRARIES.to_text("one") == "one"
    assert LIBRARIES.parse("one,two") == ["one", "two"]
    assert LIBRARIES.to_text(["one", "two"]) == "one,two"
    assert SIZES.parse("8,16") == (8, 16)
    for kind, value in ((LIBRARIES, ["one"]), (LIBRARIES, "a,b"), (SIZES, ((8, 16),))):
        with pytest.raises(Mismatch, match="no text means"):
            kind.to_text(value)


def test_data_has_lists_for_tuples() -> None:
    """As JSON and TOML do."""
    assert SIZES.to_data((8, (16, 4))) == [8, [16, 4]]
    assert SIZES.from_data([8, [16, 4]]) == (8, (16, 4))
    assert LIBRARIES.annotation == "str | list[str]"
    assert LIBRARIES.expected == "a string, or a list, each item of which is a string"
