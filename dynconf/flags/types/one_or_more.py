"""One value, or a list or tuple of such values."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dynconf.flags.types.alternative import Alternative
from dynconf.flags.types.container import Items
from dynconf.flags.types.value_type import ValueType

if TYPE_CHECKING:
    from pydantic_core import CoreSchema


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

    def type_of(self, value: object) -> ValueType:
        return self.several if issubclass(type(value), (list, tuple)) else self.of

    def value_schema(self) -> "CoreSchema":
        return self.either(self.of, self.several)

    def parse(self, text: str) -> Any:
        return self.several.parse(text) if "," in text else self.of.parse(text)
