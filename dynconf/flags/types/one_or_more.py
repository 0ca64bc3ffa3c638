"""One value, or a list or tuple of such values."""

from dataclasses import dataclass
from typing import Any

from dynconf.flags.types.alternative import Alternative
from dynconf.flags.types.container import Items


@dataclass(frozen=True, slots=True)
class OneOrMore(Alternative):
    """What *of* accepts, or a list or tuple of it; a single value stays as it is."""

    as_tuple: bool = False

    @property
    def several(self) -> Items:
        """The type of several values."""
        return Items(self.of, self.as_tuple)

    @property
    def expected(self) -> str:
        return f"{self.of.expected}, or {self.several.expected}"

    @property
    def annotation(self) -> str:
        return f"{self.of.annotation} | {self.several.annotation}"

    @property
    def mutable(self) -> bool:
        return self.several.mutable

    def is_own(self, value: object) -> bool:
        return issubclass(type(value), (list, tuple))

    def check(self, value: object) -> Any:
        return self.several.check(value) if self.is_own(value) else self.of.check(value)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [self.of.schema(), self.several.schema()]}

    def parse(self, text: str) -> Any:
        return self.several.parse(text) if "," in text else self.of.parse(text)

    def from_data(self, data: object) -> Any:
        return self.several.from_data(data) if self.is_own(data) else self.of.from_data(data)

    def to_data(self, value: Any) -> Any:
        return self.several.to_data(value) if self.is_own(value) else self.of.to_data(value)

    def spell(self, value: Any) -> str:
        return self.several.spell(value) if self.is_own(value) else self.of.spell(value)

    def by_name(self, value: Any) -> Any:
        return self.several.by_name(value) if self.is_own(value) else self.of.by_name(value)

    def fresh(self, value: Any) -> Any:
        return self.several.fresh(value) if self.is_own(value) else self.of.fresh(value)
