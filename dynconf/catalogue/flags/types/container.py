"""Sets, lists, tuples and dicts; and values that torch itself fills in, which may be any of these."""

import math
from collections.abc import Iterable, Mapping, MutableSequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from numbers import Integral
from typing import Any

from dynconf.catalogue.flags.types.any_value import copy_containers, short_repr
from dynconf.catalogue.flags.types.exact import exact_float, exact_int, exact_text, items_of
from dynconf.catalogue.flags.types.value_type import Mismatch, Schema, ValueType, in_json, parts_of


class Opaque(ValueType):
    """Anything: a flag that torch fills in by itself, with no form that a user could write."""

    EXPECTED = "a value that torch itself fills in"
    ANNOTATION = "Any"

    def check(self, value: object) -> Any:
        return value

    def value_schema(self) -> Schema:
        return {"type": "any", **in_json({"enum": [None, {}, []]})}

    def parse_word(self, text: str) -> Any:
        if text in ("{}", "[]"):  # how a command line writes the default, as `to_data` does
            return self.check([] if text == "[]" else {})
        raise Mismatch(f"{short_repr(text)} has no meaning: values of this flag have no written form")

    def from_data(self, data: object) -> Any:
        return self.check(self.to_data(data))

    def to_data(self, value: Any) -> Any:
        if value is None or (type(value) in (dict, list) and not value):
            return copy_containers(value)
        raise Mismatch(f"{short_repr(value)} has no written form")


@dataclass(frozen=True, slots=True)
class InstanceOf(Opaque):
    """An object of a class of torch, whose full name is *of*; checking imports nothing."""

    EXPECTED = "an instance of {0.of}"

    of: str

    def value_schema(self) -> Schema:
        return {"type": "any", **in_json({"not": {}})}  # no data means such an object

    def check(self, value: object) -> Any:
        classes = {f"{base.__module__}.{base.__qualname__}" for base in type(value).__mro__}
        if self.of in classes:
            return value
        is_class = issubclass(type(value), type)
        raise Mismatch("did you mean an instance of the class?" if is_class else "")


@dataclass(frozen=True, slots=True)
class Items(ValueType):
    """A list or tuple of items of any one type, kept as the one or the other.

    In text, an item of a type with a plural is no word with a meaning of its own.
    """

    item: ValueType
    as_tuple: bool = False

    @property
    def expected(self) -> str:
        kind = self._kind.__name__
        if items := self.item.plural:
            return f"a {kind} of {items}"
        return f"a {kind}, each item of which is {self.item.expected}"

    @property
    def annotation(self) -> str:
        return f"{self._kind.__name__}[{self.item.annotation}{', ...' if self.as_tuple else ''}]"

    @property
    def names_objects(self) -> bool:
        return self.item.names_objects

    @property
    def _kind(self) -> type[Any]:
        return tuple if self.as_tuple else list

    def check(self, value: object) -> Any:
        return self._kind(map(self.item.check, items_of(value, (list, tuple))))

    def value_schema(self) -> Schema:
        item = self.item.core_schema(is_item=True)
        if self.as_tuple:
            return {"type": "tuple", "items_schema": [item], "variadic_item_index": 0}
        return {"type": self._kind.__name__, "items_schema": item}

    def parse_word(self, text: str) -> Any:
        read = self.item.parse_word if self.item.plural else self.item.parse
        found: list[Any] = []
        for part in parts_of(text):
            found += [read(part)] if isinstance(part, str) else self.from_data(part)
        return self._kind(found)

    def from_data(self, data: object) -> Any:
        if type(data) is not list:
            raise Mismatch("JSON and TOML have a list there" if self.as_tuple else "")
        return self._kind(map(self.item.from_data, data))

    def to_data(self, value: Iterable[Any]) -> list[Any]:
        return list(map(self.item.to_data, value))


class SetOf(Items):
    """A set of texts or objects."""

    @property
    def _kind(self) -> type[Any]:
        return set

    def check(self, value: object) -> set[Any]:
        items = [self.item.check(item) for item in items_of(value, AbstractSet)]
        try:
            return set(items)
        except Exception:  # noqa: BLE001  an object's own __hash__ or __eq__ may raise anything
            raise Mismatch("an item cannot be in a set") from None

    def to_data(self, value: Iterable[Any]) -> list[Any]:
        return sorted(map(self.item.to_data, value))


_DEEPEST = 100


class JsonDict(ValueType):
    """A dict with text keys and JSON values."""

    EXPECTED = "a dict with string keys and JSON values"
    ANNOTATION = "dict[str, Any]"
    PLURAL = "dicts with string keys and JSON values"

    def check(self, value: object) -> Any:
        return _plain_dict(value, 0)

    def value_schema(self) -> Schema:
        return {"type": "dict", "keys_schema": {"type": "str"}, "values_schema": {"type": "any"}}

    def parse_word(self, text: str) -> Any:
        found: dict[str, Any] = {}
        for part in parts_of(text) if text else [text]:
            name, equals, word = part.partition("=") if isinstance(part, str) else ("", "", "")
            is_pair = bool(equals and name)
            if not is_pair and not isinstance(part, dict):
                raise Mismatch("it is not JSON")
            pairs: Any = {name: word} if is_pair else part
            found |= pairs
        return found


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
