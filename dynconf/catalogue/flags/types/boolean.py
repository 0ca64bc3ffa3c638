"""True and False."""

from dataclasses import dataclass
from typing import Any

from dynconf.catalogue.flags.types.value_type import WORDS, Mismatch, Schema, ValueType


@dataclass(frozen=True, slots=True)
class Bool(ValueType):
    """True or False; never a number.

    Attributes:
        any_text: Whether text that is not a word for either counts as True: it says more than that elsewhere.
    """

    EXPECTED = "True or False"
    ANNOTATION = "bool"

    any_text: bool = False

    def check(self, value: object) -> bool:
        if value is True or value is False:
            return value
        raise Mismatch

    def value_schema(self) -> Schema:
        return {"type": "bool"}

    def parse_word(self, text: str) -> bool:
        found = WORDS.get(text.lower(), True if self.any_text else None)
        if found is None:
            raise Mismatch
        return found

    def truth(self, value: Any) -> Any:
        return bool(value) if isinstance(value, str) else value
