"""One of a few words, or a value of another type."""

from dataclasses import dataclass
from typing import Any

from dynconf.flags.types.alternative import Alternative
from dynconf.flags.types.text import Choice
from dynconf.flags.types.value_type import Mismatch


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

    def is_own(self, value: object) -> bool:
        """Tell whether *value* is one of the words.

        Raises:
            Mismatch: It is almost one of them.
        """
        try:
            self._choice.check(value)
        except Mismatch as problem:
            if str(problem):
                raise
            return False
        return True

    def check(self, value: object) -> Any:
        return self._choice.check(value) if self.is_own(value) else self.of.check(value)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [self._choice.schema(), self.of.schema()]}

    def parse(self, text: str) -> Any:
        word = text.strip()
        is_own = word.lower() != "none" and self.is_own(word)  # "none" is not a misspelt word
        return word if is_own else self.of.parse(text)

    def spell(self, value: Any) -> str:
        return str(value) if self.is_own(value) else self.of.spell(value)

    @property
    def _choice(self) -> Choice:
        return Choice(self.options)
