"""The schema that a value type gives pydantic: a law for each mode, and the ordinary uses of a field."""

import json
import sys
from collections import UserDict, UserList
from collections.abc import Callable
from typing import Annotated, Any, get_args

import jsonschema
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError
from pydantic.json_schema import GenerateJsonSchema
from strategies import AWKWARD, JSON, TYPES, accepts, values

from dynconf.catalogue.flags.types import (
    AtLeast,
    BoolOr,
    Choice,
    Float,
    Int,
    Items,
    JsonDict,
    Mismatch,
    Opaque,
    OrNone,
    PathText,
    PlainData,
    Reference,
    SetOf,
    Text,
    ValueType,
    is_same_value,
    short_repr,
)
from dynconf.catalogue.modules import MODULES, catalogue
from dynconf.release import RELEASES

FLAGS = [flag for module in MODULES for flag in catalogue(module).flags.values()]
TEXTS = (
    *("", "0", "1", " true ", "OFF", "yes", "none", "None", " NONE ", "null", "5", "-3", "0.5", "nan", "3.0"),
    *("1_000", "9" * 30, "١٢", "a,b", "1, none", "builtins:print", "os:system", "logging:Logger", "/x/y"),
    *(" Grüße ", '{"a": 1}', "[{}]", "ATEN,triton", "0-5:inductor", "\0", "eager"),
)


class Typed:
    """The annotation of a field with the schema of a value type."""

    def __init__(self, type_: ValueType) -> None:
        self.type_ = type_

    def __get_pydantic_core_schema__(self, *_: object) -> Any:
        return self.type_.core_schema()


def adapter_of(type_: ValueType) -> TypeAdapter[Any]:
    """Return pydantic's adapter for the values of a type."""
    return TypeAdapter(Annotated[Any, Typed(type_)])


ADAPTERS = {type_: adapter_of(type_) for type_ in TYPES}
REFUSED = object()


def outcome(read: Callable[..., Any], *arguments: object, **options: Any) -> Any:
    """Return the value that is read, or that it is refused, in one of the two ways of refusing."""
    try:
        return read(*arguments, **options)
    except (Mismatch, ValidationError):
        return REFUSED


def refusals(adapter: TypeAdapter[Any], value: object, **options: Any) -> list[tuple[Any, ...]]:
    """Return type, place and message of each error."""
    with pytest.raises(ValidationError) as caught:
        adapter.validate_python(value, **options)
    return [(each["type"], each["loc"], each["msg"]) for each in caught.value.errors()]


def test_strict_python_is_the_check(monkeypatch):
    """Whatever the value and its methods; lax mode accepts nothing that does not suit the type."""
    # pydantic asks any object whether it is a container, and reports what its `__class__` raises.
    monkeypatch.setattr(sys, "unraisablehook", lambda _: None)
    wrong = []
    for type_, adapter in ADAPTERS.items():
        for value in AWKWARD:
            strict = outcome(adapter.validate_python, value, strict=True)
            if not is_same_value(strict, outcome(type_.check, value)):
                wrong.append((type_, short_repr(value), short_repr(strict)))
            lax = outcome(adapter.validate_python, value)
            if lax is not REFUSED and not accepts(type_, lax):
                wrong.append((type_, short_repr(value), short_repr(lax)))
    assert wrong == []


@settings(max_examples=300)
@given(st.sampled_from(TYPES), JSON)
def test_any_python_value_is_checked_or_refused(type_, value):
    """The same law for ordinary values of the wrong type."""
    strict = outcome(ADAPTERS[type_].validate_python, value, strict=True)
    assert is_same_value(strict, outcome(type_.check, value))


@settings(max_examples=300)
@given(st.sampled_from(TYPES), JSON)
def test_strict_json_is_the_reading_of_data(type_, data):
    """A list stands for a set, and a name for an object."""
    read = outcome(ADAPTERS[type_].validate_json, json.dumps(data), strict=True)
    assert is_same_value(read, outcome(lambda: type_.check(type_.from_data(data))))


def means_in_a_model(type_: ValueType, text: str) -> Any:
    """Return the value that a text has in a model: as in a variable, with the two exceptions of a model."""
    read = outcome(lambda: type_.check(type_.parse(text)))
    if type(read) is str and read == text.strip() and accepts(type_, text):
        return text  # a text that is no word keeps its blanks
    if read is REFUSED and not isinstance(type_, Opaque):  # pydantic has more spellings of numbers
        number = outcome(TypeAdapter(int | float).validate_python, text)
        return outcome(type_.check, number) if number is not REFUSED else REFUSED
    return read


def assert_text_is_read_alike(type_: ValueType, text: str) -> None:
    """Make sure that the text means the same in a variable, and on each way into a model."""
    adapter, expected = ADAPTERS[type_], means_in_a_model(type_, text)
    found = [
        outcome(adapter.validate_python, text),
        outcome(adapter.validate_strings, text),
        outcome(adapter.validate_json, json.dumps(text)),
    ]
    assert [each for each in found if not is_same_value(each, expected)] == [], (type_, text)


def test_each_flag_reads_each_text_as_a_variable_does():
    """All flags of all modules, in every release; the choice `none` and the word for None included."""
    types = {type_ for flag in FLAGS for type_ in (flag.type, *changed_types(flag))}
    assert len(FLAGS) > 800
    for type_ in types:
        ADAPTERS.setdefault(type_, adapter_of(type_))
        for text in (*TEXTS, *type_.choices):
            assert_text_is_read_alike(type_, text)


def changed_types(flag: Any) -> list[ValueType]:
    """Return the types that the flag has in single releases."""
    changing = flag.type_by_release
    return [changing.first, *(type_ for _, type_ in changing.changes)] if changing else []


@settings(max_examples=300)
@given(st.sampled_from(TYPES), st.text(st.characters(exclude_categories=("Cs",))))
def test_any_text_is_read_as_a_variable_is(type_, text):
    """The same law for texts of every sort."""
    if text.isascii() or not text.strip().isnumeric():  # Rust and Python know other digits
        assert_text_is_read_alike(type_, text)


a_type_and_value = st.sampled_from(TYPES).flatmap(lambda type_: st.tuples(st.just(type_), values(type_)))


@settings(max_examples=300)
@given(a_type_and_value)
def test_a_value_survives_a_dump(case):
    """A dump to JSON is the data that files contain; a dump to Python is the value itself."""
    type_, value = case
    adapter = ADAPTERS[type_]
    document = adapter.dump_json(value)
    assert json.loads(document) == json.loads(json.dumps(type_.to_data(value)))
    assert is_same_value(adapter.validate_json(document, strict=True), value)
    assert is_same_value(adapter.validate_python(adapter.dump_python(value), strict=True), value)
    if not isinstance(value, str) or is_same_value(means_in_a_model(type_, value), value):
        assert is_same_value(adapter.validate_json(document), value)


@pytest.mark.parametrize("release", RELEASES)
def test_each_flag_takes_its_own_default(release):
    """So a model takes what it gives: its values, and its dump."""
    for flag in FLAGS:
        if flag.exists_in(release):
            adapter, default = ADAPTERS[flag.type], flag.default_in(release)
            assert is_same_value(adapter.validate_python(default), flag.type.check(default))
            assert is_same_value(adapter.validate_json(adapter.dump_json(default)), flag.type.check(default))


@settings(max_examples=100)
@given(a_type_and_value, st.sampled_from(["validation", "serialization"]))
@example((PlainData(), False), "validation")
@example((PlainData(), False), "serialization")
def test_the_json_schema_describes_the_data(case, mode):
    """In either mode, and by the standard."""
    type_, value = case
    schema = ADAPTERS[type_].json_schema(mode=mode)
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(type_.to_data(value), schema)
    assert schema == GenerateJsonSchema().generate(type_.core_schema(), mode)


@pytest.mark.parametrize(
    ("type_", "value", "read"),
    [
        (Int(), 3.0, 3),
        (Int(), True, 1),
        (Int(), "3.0", 3),
        (Float(), "1_000", 1000.0),
        (Text(), b"x", "x"),
        (BoolOr(PathText()), "0", False),
        (BoolOr(PathText()), 1, True),
        (OrNone(PathText()), "none", None),
        (Items(Int(), as_tuple=True), ["1", 2.0], (1, 2)),
        (SetOf(Reference("callable")), "builtins:print", {print}),
        (SetOf(Reference("callable")), ["builtins:print"], {print}),
        (SetOf(Text()), ["none", "a"], {"none", "a"}),
        (Items(Text()), UserList(["none", "a"]), ["none", "a"]),
        (Items(JsonDict()), UserList([UserDict(a=UserList([1]))]), [{"a": [1]}]),
    ],
)
def test_lax_mode_is_that_of_pydantic_and_more(type_, value, read):
    """What pydantic converts, it converts; the words of a flag come first, and items mean themselves."""
    assert is_same_value(adapter_of(type_).validate_python(value), read)
    assert not is_same_value(outcome(adapter_of(type_).validate_python, value, strict=True), read)


@pytest.mark.parametrize(
    ("type_", "value", "error", "words"),
    [
        (Int(0), "x", "int_parsing", "valid integer"),
        (Int(0), -1, "greater_than_equal", "greater than or equal to 0"),
        (Int(), 2**70, "flag_value", "Input should be a whole number; it has more than 64 bits"),
        (Float(), float("nan"), "finite_number", "finite"),
        (OrNone(Choice(("aot", "dynamo"))), "dynam", "literal_error", "; did you mean 'dynamo'?"),
        (BoolOr(PathText()), "", "flag_value", "Input should be True, False, or a path"),
        (PathText(), "none", "flag_value", "Input should be a path; the flag does not accept None"),
        (SetOf(Text()), 3, "set_type", "valid set"),
        (Reference("class"), "os:system", "flag_value", "may not be named in a file"),
        (Reference("class"), print, "flag_value", "Input should be the 'module:qualname' of a class"),
    ],
)
def test_errors_are_those_of_pydantic(type_, value, error, words):
    """Where its own say less, ours is said in its voice; a hint is added to either."""
    ((kind, place, message),) = refusals(adapter_of(type_), value)
    assert (kind, place) == (error, ())
    assert words in message


def test_errors_of_items_have_their_place():
    """And one entry each."""
    adapter = adapter_of(OrNone(SetOf(Reference("callable"))))
    assert [place for _, place, _ in refusals(adapter, ["builtins:print", "x", 3])] == [(1,), (2,)]


def test_a_strict_model_is_strict():
    """Its JSON has lists for sets and names for objects still."""

    class Strict(BaseModel):
        model_config = ConfigDict(strict=True)
        number: Annotated[int, Typed(Int(0))] = 3
        objects: Annotated[Any, Typed(SetOf(Reference("callable")))] = set()

    assert Strict.model_validate_json('{"objects": ["builtins:print"]}').objects == {print}
    for flags in ({"number": "3"}, {"number": 3.0}, {"objects": ["builtins:print"]}):
        assert outcome(Strict, **flags) is REFUSED


def test_a_number_that_yields_to_a_higher_one_stays_one():
    """It keeps its class, of which pydantic would make an ordinary number."""
    for type_ in (Int(0), OrNone(Int(0))):
        assert type(adapter_of(type_).validate_python(AtLeast(64))) is AtLeast


def test_an_annotation_is_not_taken_for_a_class():
    """`isinstance(dict[str, int], type)` is true in Python 3.10."""
    adapter = TypeAdapter(Annotated[dict[str, Any], Typed(JsonDict())])
    assert adapter.validate_python('{"a": 1}') == {"a": 1}
    assert not accepts(Reference("class"), get_args(Annotated[dict[str, int], 1])[0])
