"""Dicts with text keys and values that JSON can hold, and lists of such dicts."""

import json
import math
from collections.abc import Mapping, MutableSequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

from dynconf.catalogue.flags.types.any_value import copy_containers, short_repr
from dynconf.catalogue.flags.types.exact import exact_float, exact_int, exact_text, items_of
from dynconf.catalogue.flags.types.opaque import Opaque
from dynconf.catalogue.flags.types.value_type import Mismatch, Schema, ValueType

_DEEPEST = 100


@dataclass(frozen=True, slots=True)
class JsonDict(ValueType):
    """A dict with text keys and JSON values."""

    EXPECTED = "a dict with string keys and JSON values"
    ANNOTATION = "dict[str, Any]"

    def check(self, value: object) -> Any:
        return _plain_dict(value, 0)

    def value_schema(self) -> Schema:
        return {"type": "dict", "keys_schema": {"type": "str"}, "values_schema": {"type": "any"}}

    def parse_word(self, text: str) -> Any:
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            raise Mismatch("it is not JSON") from None


@dataclass(frozen=True, slots=True)
class JsonDicts(JsonDict):
    """A list of dicts with text keys and JSON values."""

    EXPECTED = "a list of dicts with string keys and JSON values"
    ANNOTATION = "list[dict[str, Any]]"

    def check(self, value: object) -> Any:
        return [_plain_dict(each, 0) for each in items_of(value, (list, tuple))]

    def value_schema(self) -> Schema:
        return {"type": "list", "items_schema": JsonDict().value_schema()}


@dataclass(frozen=True, slots=True)
class PlainData(Opaque):
    """Anything, with a written form if JSON can represent it: a flag that is newer than the catalogue."""

    @property
    def mutable(self) -> bool:
        return True  # it may be a container

    def check(self, value: object) -> Any:
        try:
            return copy_containers(value)
        except RecursionError:
            raise Mismatch("it is nested too deeply") from None

    def value_schema(self) -> Schema:
        return {"type": "any"}

    def to_data(self, value: Any) -> Any:
        return to_plain_data(value)


def to_plain_data(value: object, depth: int = 0) -> Any:
    """Return a copy of *value* made of objects that JSON can represent; raise `Mismatch` if there is none."""
    if depth > _DEEPEST:
        raise Mismatch("it is nested too deeply")
    kind = type(value)
    if value is None or kind is bool:
        return value
    if issubclass(kind, Mapping):
        return _plain_dict(value, depth)
    if issubclass(kind, (tuple, MutableSequence)) and not issubclass(kind, bytearray):
        return [to_plain_data(item, depth + 1) for item in items_of(value, (tuple, MutableSequence))]
    try:
        if issubclass(kind, str):
            return exact_text(value)
        number = exact_int(value) if issubclass(kind, Integral) else exact_float(value)
    except Mismatch:
        number = math.nan
    if math.isfinite(number):
        return number
    raise Mismatch(f"{short_repr(value)} cannot be written to a file")


def _plain_dict(value: object, depth: int) -> dict[str, Any]:
    copied = {}
    for key, item in items_of(value, Mapping):
        try:
            text = exact_text(key)
        except Mismatch:
            raise Mismatch(f"the key {short_repr(key)} is not text") from None
        copied[text] = to_plain_data(item, depth + 1)
    return copied
