"""False, or a value of another type."""

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from dynconf.flags.types.alternative import Alternative
from dynconf.flags.types.boolean import BOOL
from dynconf.flags.types.value_type import WORDS, ValueType

if TYPE_CHECKING:
    from pydantic_core import CoreSchema


@dataclass(frozen=True, slots=True)
class FalseOr(Alternative):
    """False for off, or what *of* accepts; True is not a value."""

    EXPECTED = "False, or {}"
    ANNOTATION = "Literal[False] | {}"
    words = MappingProxyType({word: value for word, value in WORDS.items() if not value})

    def type_of(self, value: object) -> ValueType:
        return BOOL if value is False else self.of

    def value_schema(self) -> "CoreSchema":
        return self.either({"type": "literal", "expected": [False]}, self.of)
