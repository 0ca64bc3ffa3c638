"""Types that add values to another type: True and False, a few words, None, or several values."""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

from dynconf.flags.types.boolean import BOOL
from dynconf.flags.types.container import Items
from dynconf.flags.types.opaque import Opaque
from dynconf.flags.types.text import Choice
from dynconf.flags.types.value_type import WORDS, Mismatch, Schema, ValueType

if TYPE_CHECKING:
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

    @property
    def mutable(self) -> bool:
        return self.of.mutable

    @property
    def choices(self) -> tuple[str, ...]:
        return self.of.choices

    @property
    def names_objects(self) -> bool:
        return self.of.names_objects

    def either(self, *choices: Schema) -> Schema:
        """Return the schema of a union, with one error in our words in place of one for each choice."""
        return {
            "type": "union",
            "choices": list(choices),
            "custom_error_type": "flag_value",
            "custom_error_message": "Input should be {expected}",
            "custom_error_context": {"expected": self.expected},
        }

    def refine(self, value: Any, handler: "ValidatorFunctionWrapHandler") -> Any:
        return self.type_of(value).refine(value, handler)

    def check(self, value: object) -> Any:
        return self.type_of(value).check(value)

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

    def fresh(self, value: Any) -> Any:
        return self.type_of(value).fresh(value)


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

    def value_schema(self) -> Schema:
        return self.either(BOOL.value_schema(), self.of.value_schema())


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


@dataclass(frozen=True, slots=True)
class FalseOr(Alternative):
    """False for off, or what *of* accepts; True is not a value."""

    EXPECTED = "False, or {}"
    ANNOTATION = "Literal[False] | {}"
    words = MappingProxyType({word: value for word, value in WORDS.items() if not value})

    def type_of(self, value: object) -> ValueType:
        return BOOL if value is False else self.of

    def value_schema(self) -> Schema:
        return self.either({"type": "literal", "expected": [False]}, self.of.value_schema())


_AS_IT_IS = Opaque()


@dataclass(frozen=True, slots=True)
class OrNone(Alternative):
    """A value that *of* accepts, or None."""

    EXPECTED = "{}, or None"
    ANNOTATION = "{} | None"
    words = MappingProxyType({"none": None})

    def type_of(self, value: object) -> ValueType:
        return _AS_IT_IS if value is None else self.of

    def value_schema(self) -> Schema:
        return {"type": "nullable", "schema": self.of.value_schema()}

    def truth(self, value: Any) -> Any:
        return self.of.truth(value)


@dataclass(frozen=True, slots=True)
class ChoiceOr(Alternative):
    """One of a few words, or a value that *of* accepts; in text and data, the words come first."""

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

    def value_schema(self) -> Schema:
        return self.either(self._choice.value_schema(), self.of.value_schema())

    def parse(self, text: str) -> Any:
        word = text.strip()
        is_none = word.lower() == "none" and word not in self.options  # it is not a misspelt word
        return (self.of if is_none else self.type_of(word)).parse(text)

    @property
    def _choice(self) -> Choice:
        return Choice(self.options)


@dataclass(frozen=True, slots=True)
class OneOrMore(Alternative):
    """A value that *of* accepts, or a list or tuple of such; a single value stays as it is."""

    as_tuple: bool = False

    @property
    def several(self) -> Items:
        """The type of several values."""
        return Items(self.of, self.as_tuple)

    @property
    def expected(self) -> str:
        return f"{self.of.expected}, or {self.several.expected}"

    @property
    def annotation(self) -> str:
        return f"{self.of.annotation} | {self.several.annotation}"

    @property
    def mutable(self) -> bool:
        return self.several.mutable

    def type_of(self, value: object) -> ValueType:
        return self.several if issubclass(type(value), (list, tuple)) else self.of

    def value_schema(self) -> Schema:
        return self.either(self.of.value_schema(), self.several.value_schema())

    def parse(self, text: str) -> Any:
        return self.several.parse(text) if "," in text else self.of.parse(text)
