"""Escaping: text from outside has no effect on a terminal and stays on one line."""

import json
import sys

from hypothesis import given
from hypothesis import strategies as st

from dynconf.errors import DynconfError, EnvironmentWarning, InvalidValueError, combined
from dynconf.text import escaped, json_text, printable

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

import tomli_w

HOSTILE = "a\x1b[2J\x07\u202eb\nc\r\x9b31m\u2028\U000e0041\x7fé"
"""An escape sequence, a bell, a direction mark, line breaks of three kinds, a tag, and a letter."""


@given(text=st.text())
def test_what_is_printable_stays_and_nothing_else(text: str) -> None:
    """The result can be printed on one line; a text that already could be is left as it is."""
    assert printable(text).isprintable()
    if text.isprintable():
        assert printable(text) == text


@given(text=st.text(st.characters(codec="utf-8")))
def test_escaped_documents_mean_the_same(text: str) -> None:
    """Nothing but line breaks is left that a terminal would not print, in JSON and in TOML."""
    data = {text: [text]}
    for syntax, read, written in (
        ("json", json.loads, json.dumps(data, ensure_ascii=False, indent=1)),
        ("toml", tomllib.loads, tomli_w.dumps(data)),
    ):
        safe = escaped(written, syntax)
        assert read(safe) == data
        assert all(line.isprintable() for line in safe.split("\n"))


def test_lone_surrogates_are_escaped_in_json() -> None:
    """The text of a path that is not UTF-8 has them, and no encoding can write them."""
    assert json.loads(escaped(json.dumps("a\udcff", ensure_ascii=False), "json")) == "a\udcff"


def test_messages_stay_on_one_line() -> None:
    """Whatever an error or a warning quotes; an error that tells of several mistakes has a line for each."""
    assert str(InvalidValueError(HOSTILE)).isprintable()
    assert str(EnvironmentWarning(HOSTILE)).isprintable()
    both = combined([DynconfError(HOSTILE), DynconfError("second")])
    assert [line.isprintable() for line in str(both).split("\n")] == [True, True]


def strictly(text: str) -> object:
    """Read JSON as other languages do: Python alone takes NaN for a number."""

    def refuse(word: str) -> None:
        raise AssertionError(word)

    return json.loads(text, parse_constant=refuse)


@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats(allow_nan=False, allow_infinity=False)
        | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_data_is_the_same_as_json(data: object) -> None:
    """Whatever JSON can hold is read again as it was."""
    assert strictly(json_text(data)) == strictly(json_text(data, indent=2, ensure_ascii=False)) == data


def test_numbers_that_json_does_not_have() -> None:
    """They are texts, however deep they are."""
    data = {"a": [float("nan"), (float("inf"),)], "b": float("-inf")}
    assert strictly(json_text(data)) == {"a": ["nan", ["inf"]], "b": "-inf"}
