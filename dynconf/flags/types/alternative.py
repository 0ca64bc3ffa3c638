"""What the types have in common that add values to another type."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from dynconf.flags.types.value_type import Mismatch, ValueType, shown


@dataclass(frozen=True, slots=True)
class Alternative(ValueType):
    """A few values of its own, or what *of* accepts; everything about the latter is left to *of*."""

    of: ValueType

    words: ClassVar[Mapping[str, Any]] = {}
    """Its own values by the words that mean them in text; the first word for a value is the one written."""

    @abstractmethod
    def is_own(self, value: object) -> bool:
        """Tell whether *value* is one of the values that the type adds."""

    @property
    def mutable(self) -> bool:
        return self.of.mutable

    @property
    def choices(self) -> tuple[str, ...]:
        return self.of.choices

    @property
    def names_objects(self) -> bool:
        return self.of.names_objects

    def check(self, value: object) -> Any:
        return value if self.is_own(value) else self.of.check(value)

    def parse(self, text: str) -> Any:
        word = text.strip().lower()
        return self.words[word] if word in self.words else self.of.parse(text)

    def from_data(self, data: object) -> Any:
        return data if self.is_own(data) else self.of.from_data(data)

    def to_data(self, value: Any) -> Any:
        return value if self.is_own(value) else self.of.to_data(value)

    def spell(self, value: Any) -> str:
        if self.is_own(value):
            return next(word for word, own in self.words.items() if own is value)
        text = self.of.spell(value)
        if text.strip().lower() in self.words:
            raise Mismatch(f"no text means {shown(value)}")
        return text

    def by_name(self, value: Any) -> Any:
        return value if self.is_own(value) else self.of.by_name(value)

    def fresh(self, value: Any) -> Any:
        return value if self.is_own(value) else self.of.fresh(value)
