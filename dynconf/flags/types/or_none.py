"""A value or None."""

from dataclasses import dataclass
from typing import Any

from dynconf.flags.types.value_type import ValueType


@dataclass(frozen=True, slots=True)
class OrNone(ValueType):
    """What *of* accepts, or None."""

    of: ValueType

    @property
    def expected(self) -> str:
        return f"{self.of.expected}, or None"

    @property
    def annotation(self) -> str:
        return f"{self.of.annotation} | None"

    @property
    def choices(self) -> tuple[str, ...]:
        return self.of.choices

    @property
    def names_objects(self) -> bool:
        return self.of.names_objects

    def check(self, value: object) -> Any:
        return None if value is None else self.of.check(value)

    def schema(self) -> dict[str, Any]:
        # TOML has no null; there the word "none" stands for it.
        return {"anyOf": [self.of.schema(), {"type": "null"}, {"const": "none"}]}

    def parse(self, text: str) -> Any:
        return None if text.strip().lower() == "none" else self.of.parse(text)

    def parse_word(self, text: str) -> Any:
        return self.of.parse_word(text)

    def from_data(self, data: object) -> Any:
        return None if data is None else self.of.from_data(data)

    def to_data(self, value: Any) -> Any:
        return None if value is None else self.of.to_data(value)

    def spell(self, value: Any) -> str:
        return "none" if value is None else self.of.spell(value)

    def by_name(self, value: Any) -> Any:
        return None if value is None else self.of.by_name(value)

    def truth(self, value: Any) -> Any:
        return self.of.truth(value)
