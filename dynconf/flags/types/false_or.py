"""False, or a value of another type."""

from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from dynconf.flags.types.alternative import Alternative
from dynconf.flags.types.boolean import BOOL
from dynconf.flags.types.value_type import WORDS, ValueType


@dataclass(frozen=True, slots=True)
class FalseOr(Alternative):
    """False for off, or what *of* accepts; True is not a value."""

    EXPECTED = "False, or {}"
    ANNOTATION = "Literal[False] | {}"
    words = MappingProxyType({word: value for word, value in WORDS.items() if not value})

    def type_of(self, value: object) -> ValueType:
        return BOOL if value is False else self.of

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [{"const": False}, self.of.schema()]}
