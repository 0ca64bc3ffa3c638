"""True and False, alone or beside something else."""

from dataclasses import dataclass
from typing import Any

from dynconf.flags.types.value_type import WORDS, Mismatch, ValueType


@dataclass(frozen=True, slots=True)
class Bool(ValueType):
    """True or False; never a number."""

    @property
    def expected(self) -> str:
        return "True or False"

    @property
    def annotation(self) -> str:
        return "bool"

    def check(self, value: object) -> bool:
        if value is True or value is False:
            return value
        raise Mismatch

    def schema(self) -> dict[str, Any]:
        return {"type": "boolean"}

    def parse_word(self, text: str) -> bool:
        try:
            return WORDS[text.lower()]
        except KeyError:
            raise Mismatch from None

    def spell(self, value: Any) -> str:
        return "1" if value else "0"

    def truth(self, value: Any) -> Any:
        return bool(value) if isinstance(value, str) else value


@dataclass(frozen=True, slots=True)
class BoolOr(ValueType):
    """True, False, or what *of* accepts; in text, the words for true and false come first."""

    of: ValueType

    @property
    def expected(self) -> str:
        return f"True, False, or {self.of.expected}"

    @property
    def annotation(self) -> str:
        return f"bool | {self.of.annotation}"

    @property
    def choices(self) -> tuple[str, ...]:
        return self.of.choices

    def check(self, value: object) -> Any:
        if value is True or value is False:
            return value
        try:
            return self.of.check(value)
        except Mismatch as problem:
            word = WORDS.get(str(value).lower()) if isinstance(value, (int, str)) else None
            if word is None or str(problem):
                raise
            raise Mismatch(f"did you mean {word}?") from None

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [{"type": "boolean"}, self.of.schema()]}

    def parse_word(self, text: str) -> Any:
        word = WORDS.get(text.lower())
        return self.of.parse_word(text) if word is None else word

    def spell(self, value: Any) -> str:
        return Bool().spell(value) if isinstance(value, bool) else self.of.spell(value)
