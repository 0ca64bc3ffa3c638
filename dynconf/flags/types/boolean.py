"""True and False, alone or beside something else."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dynconf.flags.types.alternative import Alternative
from dynconf.flags.types.value_type import WORDS, Mismatch, ValueType

if TYPE_CHECKING:
    from pydantic_core import CoreSchema


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

    def value_schema(self) -> "CoreSchema":
        return {"type": "bool"}

    def parse_word(self, text: str) -> bool:
        found = WORDS.get(text.lower(), True if self.any_text else None)
        if found is None:
            raise Mismatch
        return found

    def spell(self, value: Any) -> str:
        return "1" if value else "0"

    def truth(self, value: Any) -> Any:
        return bool(value) if isinstance(value, str) else value


BOOL = Bool()


@dataclass(frozen=True, slots=True)
class BoolOr(Alternative):
    """True, False, or what *of* accepts; in text, the words for true and false come first."""

    EXPECTED = "True, False, or {}"
    ANNOTATION = "bool | {}"
    words = WORDS

    def type_of(self, value: object) -> ValueType:
        return BOOL if value is True or value is False else self.of

    def check(self, value: object) -> Any:
        return _with_hint(self.type_of(value).check, value)

    def from_data(self, data: object) -> Any:
        return _with_hint(self.type_of(data).from_data, data)

    def value_schema(self) -> "CoreSchema":
        return self.either(BOOL, self.of)


def _with_hint(read: Callable[[object], Any], value: Any) -> Any:
    """Read a value that is not a bool; suggest True or False if it was probably meant as one."""
    try:
        return read(value)
    except Mismatch as problem:
        meant = None
        if issubclass(type(value), str):
            meant = WORDS.get(str.__str__(value).lower())
        elif type(value) is int and 0 <= value <= 1:
            meant = bool(value)
        if meant is None or str(problem):
            raise
        raise Mismatch(f"did you mean {meant}?") from None
