"""False, or a value of another type."""

from dataclasses import dataclass
from typing import Any

from dynconf.flags.types.alternative import Alternative
from dynconf.flags.types.boolean import Bool
from dynconf.flags.types.value_type import WORDS


@dataclass(frozen=True, slots=True)
class FalseOr(Alternative):
    """False for off, or what *of* accepts; True is not a value."""

    @property
    def expected(self) -> str:
        return f"False, or {self.of.expected}"

    @property
    def annotation(self) -> str:
        return f"Literal[False] | {self.of.annotation}"

    def is_own(self, value: object) -> bool:
        return value is False

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [{"const": False}, self.of.schema()]}

    def parse(self, text: str) -> Any:
        return False if WORDS.get(text.strip().lower()) is False else self.of.parse(text)

    def spell(self, value: Any) -> str:
        return Bool().spell(value) if self.is_own(value) else self.of.spell(value)
