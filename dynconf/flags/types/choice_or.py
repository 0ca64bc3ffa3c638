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
        return f"{self._words.expected}, or {self.of.expected}"

    @property
    def annotation(self) -> str:
        return f"{self._words.annotation} | {self.of.annotation}"

    @property
    def choices(self) -> tuple[str, ...]:
        return self.options

    def is_own(self, value: object) -> bool:
        """Tell whether *value* is one of the words.

        Raises:
            Mismatch: It is almost one of them.
        """
        try:
            self._words.check(value)
        except Mismatch as problem:
            if str(problem):
                raise
            return False
        return True

    def check(self, value: object) -> Any:
        return self._words.check(value) if self.is_own(value) else self.of.check(value)

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [self._words.schema(), self.of.schema()]}

    def parse_word(self, text: str) -> Any:
        return text if self.is_own(text) else self.of.parse_word(text)

    def spell(self, value: Any) -> str:
        return str(value) if self.is_own(value) else self.of.spell(value)

    @property
    def _words(self) -> Choice:
        return Choice(self.options)
