"""Laws of every value type: one check, one reading of text and of data, and how they fit together."""

import collections.abc
import copy
import json
import os
import typing
from contextlib import suppress
from unittest import mock

import jsonschema
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from strategies import AWKWARD, JSON, TYPES, VALUES, Bomb, accepts, values

from dynconf.catalogue.flags import types
from dynconf.catalogue.flags.types import (
    Bool,
    BoolOr,
    Float,
    Int,
    Items,
    Mismatch,
    OneOrMore,
    Opaque,
    OrNone,
    PathText,
    PlainData,
    SetOf,
    Text,
    ValueType,
    copy_containers,
    is_same_value,
    short_repr,
)
from dynconf.tools.show.schema import json_schema

a_type = st.sampled_from(TYPES)
a_type_and_value = a_type.flatmap(lambda type_: st.tuples(st.just(type_), values(type_)))


def test_every_type_has_a_strategy():
    """A new type gets an entry in ``strategies.VALUES``; the laws then hold for it."""
    exported = {each for each in vars(types).values() if isinstance(each, type)}
    concrete = {each for each in exported if issubclass(each, ValueType)} - {ValueType}
    assert concrete == set(VALUES)
    assert {type(type_) for type_ in TYPES} == set(VALUES)


def passes_again(type_, value):
    """A check returns what it was given, and accepts what it returned."""
    once = type_.check(value)
    assert once == value
    assert is_same_value(type_.check(once), once)


def leaves_its_argument_alone(type_, value):
    """The argument stays as it is, and a container is copied, so that later changes do not reach the flag."""
    before = copy.deepcopy(value)
    stored = type_.check(value)
    assert is_same_value(value, before)
    if isinstance(value, (set, list, dict)):
        assert type_.mutable
        assert stored is not value


def is_copied_where_it_can_change(type_, value):
    """`copy_containers` returns an equal value, and copies exactly what could be changed in place."""
    stored = type_.check(value)
    copied = copy_containers(stored)
    assert is_same_value(copied, stored)
    if isinstance(stored, (set, list, dict)):
        assert copied is not stored
        copied.clear()
        assert is_same_value(stored, type_.check(value))


def is_read_back_from_text(type_, value):
    """``parse(to_text(value))`` is *value* wherever a text means it."""
    try:
        text = type_.to_text(value)
    except Mismatch:
        return
    assert text.strip()
    assert is_same_value(type_.check(type_.parse(text)), type_.check(value))


def is_read_back_from_data(type_, value):
    """``from_data(to_data(value))`` is *value*, by way of real JSON; the data follows the schema."""
    document = json.loads(json.dumps(type_.to_data(value), allow_nan=False))
    assert is_same_value(type_.check(type_.from_data(document)), type_.check(value))
    assert is_same_value(type_.show_data(value), type_.to_data(value))
    jsonschema.validate(document, json_schema(type_))


def means_itself(type_, value):
    """Only text that torch left in place of a bool is ever read as something else."""
    assert is_same_value(type_.truth(value), value)


LAWS = (
    passes_again,
    leaves_its_argument_alone,
    is_copied_where_it_can_change,
    is_read_back_from_text,
    is_read_back_from_data,
    means_itself,
)


@settings(max_examples=300)
@given(a_type_and_value)
@example((PlainData(), [[]]))
def test_a_value_keeps_the_laws(case):
    """Whatever the type, each value that it accepts keeps each law."""
    for law in LAWS:
        law(*case)


def test_any_value_is_accepted_or_refused():
    """A check raises nothing but `Mismatch`, in one printable line, and what it accepts can be displayed."""
    wrong = []
    for type_ in TYPES:
        for value in AWKWARD:
            try:
                stored = type_.check(value)
                json.dumps(type_.show_data(stored), allow_nan=False).encode()
                is_same_value(stored, value)
            except Mismatch as problem:
                if not str(problem).isprintable() or len(str(problem)) > 300:
                    wrong.append((type_, short_repr(value), str(problem)))
            except Exception as error:  # noqa: BLE001  whatever escapes is what the test is looking for
                wrong.append((type_, short_repr(value), type(error)))
    assert wrong == []


def test_a_proxy_is_not_woken_and_a_mock_is_not_believed():
    """`isinstance` would ask each for its class; only what takes any object takes them."""
    for value in (Bomb(), *map(mock.Mock, (int, float, str, set, list, dict))):
        takers = {type_ for type_ in TYPES if accepts(type_, value) and "callable" not in type_.expected}
        assert {type(type_) for type_ in takers} == {Opaque, PlainData}


def test_awkward_data_is_read_or_refused():
    """Data that no file could hold raises nothing but `Mismatch`, as that of files."""
    for type_ in TYPES:
        for data in AWKWARD:
            with suppress(Mismatch):
                value = type_.from_data(data)
                assert type_.names_objects or accepts(type_, value)


@settings(max_examples=600)
@given(a_type, JSON, st.text())
def test_any_data_and_any_text_is_read_or_refused(type_, data, text):
    """Data of a file and text of a variable raise nothing but `Mismatch`; what they give suits the type."""
    for read, given_ in ((type_.from_data, data), (type_.parse, text)):
        try:
            value = read(given_)
        except Mismatch:
            continue
        assert type_.names_objects or is_same_value(type_.check(value), value)


@pytest.mark.parametrize("text", ["none", "None", " NONE "])
def test_none_means_none_or_nothing(text):
    """A flag that may be None reads the word as None, and a choice of that spelling comes before it."""
    for type_ in TYPES:
        if text.strip() in type_.choices:
            assert type_.parse(text) == "none"
        elif type_.takes_none:
            assert type_.parse(text) is None
            assert type_.to_text(None) == "none"
        else:
            with pytest.raises(Mismatch, match=r"^the flag does not accept None$"):
                type_.parse(text)
        assert accepts(type_, None) is (type(type_) in (OrNone, Opaque, PlainData))


@pytest.mark.parametrize(
    ("type_", "value"),
    [
        *((Text(), text) for text in ("", " ", " x")),
        *((PathText(), text) for text in ("x ", "none")),
        *((BoolOr(PathText()), "yes"), (BoolOr(Int()), 1), (BoolOr(Int()), 0), (OrNone(Text()), "none")),
        *((SetOf(Text()), {"a,b"}), (Items(Text()), [""]), (Items(Text()), [" a"])),
        (Items(OrNone(Text()), as_tuple=True), ("a,b",)),
        *((OneOrMore(Text()), ["one"]), (OneOrMore(Text()), "a,b")),
        (Items(OneOrMore(Int(0), as_tuple=True), as_tuple=True), ((8, 16),)),
    ],
)
def test_some_values_have_no_text(type_, value):
    """Text that would be read as something else is not written."""
    with pytest.raises(Mismatch, match=r"no text means|does not accept None"):
        type_.to_text(value)


def test_a_bool_is_never_a_number():
    """Python's ``True == 1`` does not count, however deep a number type is nested."""
    numbers = [Int(), Int(0), Int(1, 4), Float(), Float(0), OrNone(Int()), OrNone(Float())]
    assert [type_ for type_ in numbers if accepts(type_, True) or accepts(type_, False)] == []
    assert is_same_value(BoolOr(Int()).check(True), True)
    assert is_same_value(BoolOr(Int()).check(1), 1)


def test_types_describe_themselves():
    """Each type has a clause that follows "expected", an annotation that Python can read, and a schema."""
    scope = {**vars(typing), **vars(collections.abc), "os": os}
    for type_ in TYPES:
        assert type_.expected.isprintable()
        assert ("None" in type_.expected) is isinstance(getattr(type_, "item", type_), OrNone)
        assert type_.expected == type_.expected.strip(" .;")
        eval(type_.annotation, scope)  # noqa: S307  our own text
        jsonschema.Draft202012Validator.check_schema(json_schema(type_))
        assert all(type_.parse(word) == word for word in type_.choices if word not in {"none", "1", "yes"})


def test_types_are_values():
    """Two types of the same class and parameters are one type, and none can be changed."""
    assert {Int(0), Int(0), Int(1)} == {Int(0), Int(1)}
    assert OrNone(Bool()) != BoolOr(Bool())
    with pytest.raises(AttributeError):
        Int(0).minimum = 1
