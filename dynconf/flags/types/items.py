"""Lists and tuples whose items have a type of their own: numbers, words, callables."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from dynconf.flags.types.exact import items_of_list
from dynconf.flags.types.value_type import Mismatch, ValueType


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
        return f"tuple[{self.item.annotation}, ...]" if self.as_tuple else f"list[{self.item.annotation}]"

    @property
    def mutable(self) -> bool:
        return not self.as_tuple

    @property
    def names_objects(self) -> bool:
        return self.item.names_objects

    @property
    def _kind(self) -> type[list[Any]] | type[tuple[Any, ...]]:
        return tuple if self.as_tuple else list

    def check(self, value: object) -> Any:
        return self._kind(map(self.item.check, items_of_list(value)))

    def schema(self) -> dict[str, Any]:
        return {"type": "array", "items": self.item.schema()}

    def parse_word(self, text: str) -> Any:
        return self._kind(self.item.parse(part) for part in text.split(",") if part.strip())

    def from_data(self, data: object) -> Any:
        if type(data) is not list:
            raise Mismatch
        return self._kind(map(self.item.from_data, data))

    def to_data(self, value: Iterable[Any]) -> list[Any]:
        return list(map(self.item.to_data, value))

    def spell(self, value: Any) -> str:
        return ",".join(map(self.item.spell, value))

    def by_name(self, value: Any) -> Any:
        return self._kind(map(self.item.by_name, value))

    def fresh(self, value: Any) -> Any:
        return self._kind(value)
