"""One of a few words, or a value of another type."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dynconf.flags.types.alternative import Alternative
from dynconf.flags.types.text import Choice
from dynconf.flags.types.value_type import Mismatch, ValueType

if TYPE_CHECKING:
    from pydantic_core import CoreSchema


@dataclass(frozen=True, slots=True)
class ChoiceOr(Alternative):
    """What *of* accepts, or one of a few words; in text and data, the words come first."""

    options: tuple[str, ...]

    @property
    def expected(self) -> str:
        return f"{self._choice.expected}, or {self.of.expected}"

    @property
    def annotation(self) -> str:
        return f"{self._choice.annotation} | {self.of.annotation}"

    @property
    def choices(self) -> tuple[str, ...]:
        return self.options

    def type_of(self, value: object) -> ValueType:
        try:
            self._choice.check(value)
        except Mismatch as problem:
            if str(problem):  # it is almost one of the words
                raise
            return self.of
        return self._choice

    def value_schema(self) -> "CoreSchema":
        return self.either(self._choice, self.of)

    def parse(self, text: str) -> Any:
        word = text.strip()
        is_none = word.lower() == "none" and word not in self.options  # it is not a misspelt word
        return (self.of if is_none else self.type_of(word)).parse(text)

    @property
    def _choice(self) -> Choice:
        return Choice(self.options)
