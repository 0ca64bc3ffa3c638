"""Types that add values to another type: True and False, a few words, None, or several values."""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, cast

from dynconf.catalogue.flags.types.container import Items, Opaque
from dynconf.catalogue.flags.types.scalar import Bool, Choice
from dynconf.catalogue.flags.types.value_type import WORDS, Mismatch, Schema, ValueType

_BOOL = Bool()


@dataclass(frozen=True, slots=True)
class Alternative(ValueType):
    """A value that *own* accepts, or one that *of* accepts; everything about either is left to that type."""

    of: ValueType

    words: ClassVar[Mapping[str, Any]] = {}
    """Values that it adds, by the words that mean them in text.

    A choice of *of* with the same spelling comes first: otherwise no text would mean it.
    """

    EXPECTED = "{0.own.expected}, or {0.of.expected}"
    ANNOTATION = "{0.own.annotation} | {0.of.annotation}"

    OWN: ClassVar[ValueType]

    @property
    def own(self) -> ValueType:
        """The type of the values that are added; `OWN`, where it is the same for all instances."""
        return self.OWN

    @abstractmethod
    def type_of(self, value: object) -> ValueType:
        """Return the one of the two types that does everything with *value*."""

    @property
    def mutable(self) -> bool:
        return self.own.mutable or self.of.mutable

    @property
    def choices(self) -> tuple[str, ...]:
        return self.own.choices or self.of.choices

    @property
    def names_objects(self) -> bool:
        return self.of.names_objects

    def value_schema(self) -> Schema:
        return {
            "type": "union",
            "choices": [self.own.value_schema(), self.of.value_schema()],
            # One error with our words says more than one for each of the two.
            "custom_error_type": "flag_value",
            "custom_error_message": "Input should be {expected}",
            "custom_error_context": {"expected": self.expected},
        }

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


class BoolOr(Alternative):
    """True, False, or a value that *of* accepts; in text, the words for true and false come first."""

    EXPECTED = "True, False, or {0.of.expected}"
    words = WORDS
    OWN = _BOOL

    def type_of(self, value: object) -> ValueType:
        meant: bool | None = None
        if type(value) is int and 0 <= value <= 1:
            meant = bool(value)
        elif issubclass(type(value), str):
            meant = WORDS.get(str.__str__(cast("str", value)).lower())
        if meant is not None:
            try:
                self.of.check(value)
            except Mismatch as problem:
                if not str(problem):
                    raise Mismatch(f"did you mean {meant}?") from None
        return self.own if value is True or value is False else self.of


class FalseOr(Alternative):
    """False for off, or a value that *of* accepts; True is not a value."""

    EXPECTED = "False, or {0.of.expected}"
    ANNOTATION = "Literal[False] | {0.of.annotation}"
    words = MappingProxyType({word: value for word, value in WORDS.items() if not value})
    OWN = _BOOL

    def type_of(self, value: object) -> ValueType:
        return self.own if value is False else self.of

    def value_schema(self) -> Schema:
        off: Schema = {"type": "literal", "expected": [False]}
        return Alternative.value_schema(self) | {"choices": [off, self.of.value_schema()]}


class OrNone(Alternative):
    """A value that *of* accepts, or None."""

    EXPECTED = "{0.of.expected}, or None"
    ANNOTATION = "{0.of.annotation} | None"
    words = MappingProxyType({"none": None})
    OWN = Opaque()  # it leaves None as it is

    def type_of(self, value: object) -> ValueType:
        return self.own if value is None else self.of

    def value_schema(self) -> Schema:
        return {"type": "nullable", "schema": self.of.value_schema()}

    def truth(self, value: Any) -> Any:
        return self.of.truth(value)


@dataclass(frozen=True, slots=True)
class ChoiceOr(Alternative):
    """One of a few words, or a value that *of* accepts; in text and data, the words come first."""

    options: tuple[str, ...]

    @property
    def own(self) -> Choice:
        return Choice(self.options)

    def type_of(self, value: object) -> ValueType:
        try:
            self.own.check(value)
        except Mismatch as problem:
            if str(problem):  # it is almost one of the words
                raise
            return self.of
        return self.own

    def parse(self, text: str) -> Any:
        word = text.strip()
        try:
            return (self.own if word in self.options else self.of).parse(text)
        except Mismatch:
            if word.lower() != "none":
                self.type_of(word)  # which raises if it is a misspelt word
            raise


@dataclass(frozen=True, slots=True)
class OneOrMore(Alternative):
    """A value that *of* accepts, or a list or tuple of such; a single value stays as it is."""

    EXPECTED = "{0.of.expected}, or {0.own.expected}"
    ANNOTATION = "{0.of.annotation} | {0.own.annotation}"

    as_tuple: bool = False

    @property
    def own(self) -> Items:
        return Items(self.of, self.as_tuple)

    def type_of(self, value: object) -> ValueType:
        return self.own if issubclass(type(value), (list, tuple)) else self.of

    def parse(self, text: str) -> Any:
        return (self.own if "," in text else self.of).parse(text)
