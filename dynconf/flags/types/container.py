"""Sets and lists of items of one type."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from dynconf.flags.types.exact import items_of_list, items_of_set
from dynconf.flags.types.reference import Reference
from dynconf.flags.types.text import Text
from dynconf.flags.types.value_type import Mismatch, ValueType


@dataclass(frozen=True, slots=True)
class SetOf(ValueType):
    """A set of items of one type."""

    item: Text | Reference

    @property
    def expected(self) -> str:
        return f"a set of {self.item.plural}"

    @property
    def annotation(self) -> str:
        return f"set[{self.item.annotation}]"

    @property
    def names_objects(self) -> bool:
        return self.item.names_objects

    @property
    def mutable(self) -> bool:
        return True

    def check(self, value: object) -> set[Any]:
        items = [self.item.check(item) for item in items_of_set(value)]
        try:
            return set(items)
        except Exception:  # noqa: BLE001  an object's own __hash__ or __eq__ may raise anything
            raise Mismatch("an item cannot be in a set") from None

    def schema(self) -> dict[str, Any]:
        return {"type": "array", "uniqueItems": True, "items": self.item.schema()}

    def parse_word(self, text: str) -> set[Any]:
        return set(_items(self.item, text))

    def from_data(self, data: object) -> Any:
        return self._read(set(_read_all(self.item, data)))

    def to_data(self, value: Iterable[Any]) -> list[Any]:
        return sorted(self.item.to_data(item) for item in value)

    def spell(self, value: Any) -> str:
        return ",".join(self.to_data(value))

    def by_name(self, value: Any) -> set[Any]:
        return {self.item.by_name(item) for item in value}

    def fresh(self, value: Any) -> Any:
        return set(value)


@dataclass(frozen=True, slots=True)
class ListOf(ValueType):
    """A list of items of one type."""

    item: Text

    @property
    def expected(self) -> str:
        return f"a list of {self.item.plural}"

    @property
    def annotation(self) -> str:
        return f"list[{self.item.annotation}]"

    @property
    def mutable(self) -> bool:
        return True

    def check(self, value: object) -> list[Any]:
        return [self.item.check(item) for item in items_of_list(value)]

    def schema(self) -> dict[str, Any]:
        return {"type": "array", "items": self.item.schema()}

    def parse_word(self, text: str) -> list[Any]:
        return _items(self.item, text)

    def from_data(self, data: object) -> Any:
        return self._read(_read_all(self.item, data))

    def to_data(self, value: Iterable[Any]) -> list[Any]:
        return list(value)

    def spell(self, value: Any) -> str:
        return ",".join(value)

    def fresh(self, value: Any) -> Any:
        return list(value)


def _items(item: ValueType, text: str) -> list[Any]:
    return [item.parse_word(part.strip()) for part in text.split(",") if part.strip()]


def _read_all(item: ValueType, data: object) -> list[Any]:
    if type(data) is not list or not all(type(each) is str for each in data):
        raise Mismatch
    return [item.parse_word(each) for each in data]
