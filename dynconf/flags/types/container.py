"""Sets and lists of items of one type."""

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any, ClassVar

from dynconf.flags.types.reference import Reference
from dynconf.flags.types.text import Text
from dynconf.flags.types.value_type import Mismatch, ValueType


@dataclass(frozen=True, slots=True)
class SetOf(ValueType):
    """A set of items of one type."""

    item: Text | Reference
    mutable: ClassVar[bool] = True

    @property
    def expected(self) -> str:
        return f"a set of {self.item.plural}"

    @property
    def annotation(self) -> str:
        return f"set[{self.item.annotation}]"

    @property
    def names_objects(self) -> bool:
        return self.item.names_objects

    def check(self, value: object) -> set[Any]:
        if isinstance(value, AbstractSet):
            return {self.item.check(item) for item in value}
        raise Mismatch

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
    mutable: ClassVar[bool] = True

    @property
    def expected(self) -> str:
        return f"a list of {self.item.plural}"

    @property
    def annotation(self) -> str:
        return f"list[{self.item.annotation}]"

    def check(self, value: object) -> list[Any]:
        if isinstance(value, (list, tuple)):
            return [self.item.check(item) for item in value]
        raise Mismatch

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
    if not isinstance(data, list) or not all(isinstance(each, str) for each in data):
        raise Mismatch
    return [item.parse_word(each) for each in data]
