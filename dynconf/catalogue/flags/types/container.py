"""Sets, lists and tuples of items of one type."""

import json
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from dynconf.catalogue.flags.types.exact import items_of
from dynconf.catalogue.flags.types.reference import Reference
from dynconf.catalogue.flags.types.text import Text
from dynconf.catalogue.flags.types.value_type import Mismatch, Schema, ValueType


@dataclass(frozen=True, slots=True)
class Items(ValueType):
    """A list or tuple of items of any one type, kept as the one or the other."""

    item: ValueType
    as_tuple: bool = False

    @property
    def expected(self) -> str:
        return f"a {self._kind.__name__}, each item of which is {self.item.expected}"

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
        if text.startswith("["):  # a list in JSON, as command lines of pydantic-settings write one
            with suppress(ValueError, RecursionError):
                return self.from_data(json.loads(text))
        return self._kind(map(self._parse_item, filter(None, map(str.strip, text.split(",")))))

    def _parse_item(self, text: str) -> Any:
        return self.item.parse(text)

    def from_data(self, data: object) -> Any:
        if type(data) is not list:
            raise Mismatch
        return self._kind(map(self.item.from_data, data))

    def to_data(self, value: Iterable[Any]) -> list[Any]:
        return list(map(self.item.to_data, value))


@dataclass(frozen=True, slots=True)
class ListOf(Items):
    """A list of texts or objects; in text, no item is a word with a meaning of its own."""

    item: Text | Reference

    @property
    def expected(self) -> str:
        return f"a {self._kind.__name__} of {self.item.plural}"

    def _parse_item(self, text: str) -> Any:
        return self.item.parse_word(text)


@dataclass(frozen=True, slots=True)
class SetOf(ListOf):
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
