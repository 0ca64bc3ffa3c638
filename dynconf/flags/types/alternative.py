"""What the types have in common that add values to another type."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, cast

from dynconf.flags.types.value_type import ValueType

if TYPE_CHECKING:
    from pydantic_core import CoreSchema
    from pydantic_core.core_schema import ValidatorFunctionWrapHandler


@dataclass(frozen=True, slots=True)
class Alternative(ValueType):
    """A few values of its own, or what *of* accepts; everything about the latter is left to *of*.

    In `EXPECTED` and `ANNOTATION`, ``{}`` stands for what *of* says.
    """

    of: ValueType

    words: ClassVar[Mapping[str, Any]] = {}
    """Values that it adds, by the words that mean them in text; the first word for a value is written.

    A choice of *of* with the same spelling comes first: otherwise no text would mean it.
    """

    @abstractmethod
    def type_of(self, value: object) -> ValueType:
        """Return the type that does everything with *value*: *of*, or one for the values that are added."""

    @property
    def expected(self) -> str:
        return self.EXPECTED.format(self.of.expected)

    @property
    def annotation(self) -> str:
        return self.ANNOTATION.format(self.of.annotation)

    def either(self, *kinds: "ValueType | CoreSchema") -> "CoreSchema":
        """Return the schema of a value of any of these kinds, with one error for all of them."""
        choices = [kind.value_schema() if isinstance(kind, ValueType) else kind for kind in kinds]
        error: Any = {
            "custom_error_type": "flag_value",
            "custom_error_message": "Input should be {expected}",
            "custom_error_context": {"expected": self.expected},
        }
        return cast("CoreSchema", {"type": "union", "choices": choices, **error})

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
        return self.type_of(value).check(value)

    def refine(self, value: Any, handler: "ValidatorFunctionWrapHandler") -> Any:
        return self.type_of(value).refine(value, handler)

    def parse(self, text: str) -> Any:
        word = text.strip()
        is_own = word.lower() in self.words and word not in self.of.choices
        return self.words[word.lower()] if is_own else self.of.parse(text)

    def from_data(self, data: object) -> Any:
        return self.type_of(data).from_data(data)

    def to_data(self, value: Any) -> Any:
        return self.type_of(value).to_data(value)

    def spell(self, value: Any) -> str:
        words = [word for word, own in self.words.items() if own is value]
        return words[0] if words else self.type_of(value).spell(value)

    def by_name(self, value: Any) -> Any:
        return self.type_of(value).by_name(value)

    def fresh(self, value: Any) -> Any:
        return self.type_of(value).fresh(value)
