"""The forms of a value outside Python: the text of variables and options, and the JSON of files."""

import functools
import json
from typing import Any

from dynconf.catalogue.value_types import (
    Bool,
    BoolOr,
    Float,
    Int,
    ListOf,
    Mapping,
    Opaque,
    Optional,
    Reference,
    SetOf,
    ValueType,
)
from dynconf.references import Named, Unresolvable, name_of
from dynconf.values.checking import checker
from dynconf.values.wording import WORDS, Mismatch, shown


@functools.singledispatch
def _read(_: ValueType, text: str) -> Any:
    """Read trimmed text that is neither empty nor ``none``."""
    return text


@_read.register
def _(_: Bool, text: str) -> Any:
    try:
        return WORDS[text.lower()]
    except KeyError:
        raise Mismatch from None


@_read.register(Int)
@_read.register(Float)
def _(type_: Int | Float, text: str) -> Any:
    if "_" in text or not text.isascii():  # both are fine in Python's own numbers, and nowhere else
        raise Mismatch
    try:
        return int(text) if isinstance(type_, Int) else float(text)
    except ValueError:
        raise Mismatch from None


@_read.register
def _(_: Reference, text: str) -> Any:
    try:
        return Named.parse(text)
    except Unresolvable as problem:
        raise Mismatch(str(problem)) from None


@_read.register(SetOf)
@_read.register(ListOf)
def _(type_: SetOf | ListOf, text: str) -> Any:
    items = [_read(type_.item, item.strip()) for item in text.split(",") if item.strip()]
    return set(items) if isinstance(type_, SetOf) else items


@_read.register
def _(_: Mapping, text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise Mismatch("it is no JSON object") from None


@_read.register
def _(type_: Optional, text: str) -> Any:
    return _read(type_.of, text)


@_read.register
def _(type_: BoolOr, text: str) -> Any:
    word = WORDS.get(text.lower())
    return _read(type_.of, text) if word is None else word


@_read.register
def _(_: Opaque, __: str) -> Any:
    raise Mismatch("it has no form that could be written down")


def decode(type_: ValueType, text: str) -> Any:
    """Return the value that *text* means, from a variable or an option; there is one reading for all.

    Raises:
        Mismatch: The text means no value of that type.
    """
    trimmed = text.strip()
    if trimmed.lower() == "none":
        if isinstance(type_, Optional):
            return None
        raise Mismatch("None is no value of this flag")
    return _settled(type_, _read(type_, trimmed))


def from_json(type_: ValueType, data: object) -> Any:
    """Return the value that *data*, read from a file, stands for; sets are lists there.

    Raises:
        Mismatch: It stands for no value of that type.
    """
    if data is None and isinstance(type_, Optional):
        return None
    inner = type_.of if isinstance(type_, Optional) else type_
    if isinstance(inner, (SetOf, ListOf)):
        if not isinstance(data, list) or not all(isinstance(item, str) for item in data):
            raise Mismatch
        items = [_read(inner.item, item) for item in data]
        return _settled(type_, set(items) if isinstance(inner, SetOf) else items)
    return _settled(type_, data)


def _settled(type_: ValueType, value: object) -> Any:
    """Check a value that was read, but leave names of objects unresolved: reading runs nothing."""
    names_objects = isinstance(type_, SetOf) and isinstance(type_.item, Reference)
    return value if names_objects else checker(type_)(value)


def as_json(type_: ValueType, value: object) -> Any:
    """Return *value* in the form that files hold: sets as sorted lists, objects as ``module:qualname``.

    Raises:
        Mismatch: Some object in it has no name by which it could be found again.
    """
    if isinstance(type_, SetOf):
        return sorted(_item_as_json(item) for item in value)  # type: ignore[attr-defined]
    if isinstance(type_, ListOf):
        return list(value)  # type: ignore[call-overload]
    if isinstance(type_, Opaque) and value is not None:
        raise Mismatch(f"{shown(value)} has no form that could be written down")
    return value


def _item_as_json(item: object) -> str:
    if isinstance(item, str):
        return item
    try:
        return str(item) if isinstance(item, Named) else name_of(item)
    except Unresolvable as problem:
        raise Mismatch(str(problem)) from None


def as_text(type_: ValueType, value: object) -> str:
    """Return the text that `decode` reads as *value*.

    Raises:
        Mismatch: No text means that value: an empty one, or one that reads as something else.
    """
    data = as_json(type_, value)
    match data:
        case None:
            text = "none"
        case bool():
            text = "1" if data else "0"
        case dict():
            text = json.dumps(data, sort_keys=True)
        case list():
            text = ",".join(data)
        case _:
            text = str(data)
    if not text.strip() or decode(type_, text) != _comparable(type_, value):
        raise Mismatch(f"no text means {shown(value)}")
    return text


def _comparable(type_: ValueType, value: object) -> object:
    """Return *value* with objects replaced by their names, as `decode` gives it."""
    if isinstance(type_, SetOf) and isinstance(type_.item, Reference):
        return {item if isinstance(item, Named) else Named.parse(name_of(item)) for item in value}  # type: ignore[attr-defined]
    return value
