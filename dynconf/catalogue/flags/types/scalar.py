"""True and False, numbers, and texts: any, a path, one of a few words, several, or rules for graphs."""

import re
import sys
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from dynconf.catalogue.flags.types.any_value import short_repr
from dynconf.catalogue.flags.types.exact import exact_float, exact_int, exact_path, exact_text
from dynconf.catalogue.flags.types.value_type import (
    LARGEST,
    WORDS,
    AtLeast,
    Mismatch,
    Schema,
    ValueType,
    in_json,
)
from dynconf.text import nearest


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


def at_least(number: int) -> int:
    """Return a value that can only raise a limit: if a higher one is in force already, that one stays.

    Raises:
        InvalidValueError: It is not a whole number.

    Example:
        >>> import dynconf
        >>> with dynconf.patch(recompile_limit=128), dynconf.patch(recompile_limit=dynconf.at_least(64)):
        ...     dynconf.snapshot()["recompile_limit"]
        128
    """
    return AtLeast(Int().check_argument("at_least", number))


class _Number(ValueType):
    """A number within bounds, both inclusive."""

    __slots__ = ()

    NOUN: ClassVar[str]
    KIND: ClassVar[type[int] | type[float]]
    LIMIT: ClassVar[float]

    minimum: Any
    maximum: Any

    @property
    def expected(self) -> str:
        match self.value_schema():
            case {"ge": minimum, "le": maximum}:
                return f"{self.NOUN} from {minimum} to {maximum}"
            case {"ge": minimum}:
                return f"{self.NOUN}, {minimum} or more"
            case {"le": maximum}:
                return f"{self.NOUN}, {maximum} or less"
        return self.NOUN

    def value_schema(self) -> Schema:
        schema: Schema = {"type": self.KIND.__name__}
        if self.minimum > -self.LIMIT:  # another bound would only say which numbers can be written
            schema["ge"] = self.minimum
        if self.maximum < self.LIMIT:
            schema["le"] = self.maximum
        return schema

    def parse_word(self, text: str) -> float:
        if "_" in text or not text.isascii():  # Python allows both in numbers; nothing else does
            raise Mismatch
        try:
            return self.KIND(text)
        except ValueError:
            raise Mismatch from None


@dataclass(frozen=True, slots=True)
class Int(_Number):
    """A whole number within bounds, both inclusive; integers of numpy and enum count, a bool does not."""

    NOUN = "a whole number"
    ANNOTATION = "int"
    KIND = int
    LIMIT = LARGEST

    minimum: int = -LARGEST
    maximum: int = LARGEST

    def check(self, value: object) -> int:
        number = value if type(value) is int or type(value) is AtLeast else exact_int(value)
        if self.minimum <= number <= self.maximum:
            return number
        exact_int(number)  # says so if it does not fit in 64 bits
        raise Mismatch


@dataclass(frozen=True, slots=True)
class Float(_Number):
    """A finite number within bounds, both inclusive; integers and numpy's numbers count, a bool does not."""

    NOUN = "a finite number"
    ANNOTATION = "float"
    KIND = float
    LIMIT = sys.float_info.max

    minimum: float = -LIMIT
    maximum: float = LIMIT

    def check(self, value: object) -> float:
        number = value if type(value) is float else exact_float(value)
        if self.minimum <= number <= self.maximum:  # nan and infinities are not
            return number
        raise Mismatch

    def value_schema(self) -> Schema:
        return {**_Number.value_schema(self), "allow_inf_nan": False}


class Text(ValueType):
    """Any text."""

    PLURAL = "strings"
    ANNOTATION = "str"
    EXPECTED = "a string"

    def check(self, value: object) -> str:
        return exact_text(value)

    def value_schema(self) -> Schema:
        return {"type": "str"}


class PathText(ValueType):
    """A path of the file system, kept as text; ``os.PathLike`` is accepted too."""

    EXPECTED = "a path"
    ANNOTATION = "str | os.PathLike[str]"

    def check(self, value: object) -> str:
        path = exact_path(value)
        if not path:
            raise Mismatch
        return path

    def value_schema(self) -> Schema:
        return {"type": "str", "min_length": 1}


@dataclass(frozen=True, slots=True)
class Choice(ValueType):
    """One of a few words."""

    options: tuple[str, ...]

    @property
    def expected(self) -> str:
        return "one of " + ", ".join(map(repr, self.options))

    @property
    def annotation(self) -> str:
        return f"Literal[{', '.join(map(repr, self.options))}]"

    @property
    def choices(self) -> tuple[str, ...]:
        return self.options

    def check(self, value: object) -> str:
        word = exact_text(value)
        if word in self.options:
            return word
        near = nearest(word, self.options)
        raise Mismatch(f"did you mean {near!r}?" if near else "")

    def value_schema(self) -> Schema:
        return {"type": "literal", "expected": list(self.options)}


@dataclass(frozen=True, slots=True)
class Words(Text):
    """One or more of a few words, separated by commas, in any case; the text stays as it is."""

    options: tuple[str, ...]

    @property
    def expected(self) -> str:
        return f"any of {', '.join(self.options)}, separated by commas"

    @property
    def choices(self) -> tuple[str, ...]:
        return self.options

    def check(self, value: object) -> str:
        text = exact_text(value)
        for part in text.split(","):
            word = part.strip().upper()
            if word not in self.options:
                near = nearest(word, self.options)
                raise Mismatch(f"did you mean {near!r}?" if near else f"there is no {part.strip()!r}")
        return text

    def value_schema(self) -> Schema:
        word = "|".join("".join(f"[{each}{each.lower()}]" for each in option) for option in self.options)
        word = rf"\s*({word})\s*"  # the regular expressions of JSON Schema cannot ignore case
        return {"type": "str", **in_json({"type": "string", "pattern": f"^{word}(,{word})*$"})}


_GRAPHS = r"\s*(?:(?:>=|<=|>|<)?\d+|\d+-\d+)\s*"
_PAIR = r"\s*[\w.]+\s*=[^,\n]*"
_RULES = {
    "inductor": re.compile(rf"{_GRAPHS}(?:,{_GRAPHS})*:\s*\S.*", re.DOTALL),
    "key=value": re.compile(rf"{_GRAPHS}(?:,{_GRAPHS})*:{_PAIR}(?:,{_PAIR})*"),
}
"""The form of a rule, by an example of its value."""


@dataclass(frozen=True, slots=True)
class GraphRules(Text):
    """Values for chosen graphs: ``FILTER:VALUE;...``.

    A filter is a comma-separated list of graph numbers, ranges (``10-20``) and comparisons (``>10``); a
    value is the name of a backend, or settings (``key=value,...``), as the example *of* it says.
    """

    EXPECTED = "rules such as '0-5,>=10:{0.of};<3:{0.of}'"

    of: Literal["inductor", "key=value"]

    def check(self, value: object) -> str:
        text = exact_text(value)
        for rule in text.split(";"):
            if rule.strip() and not _RULES[self.of].fullmatch(rule):
                raise Mismatch(f"{short_repr(rule.strip())} is not such a rule")
        return text
