"""Numbers within bounds."""

import sys
from dataclasses import dataclass
from typing import Any, ClassVar

from dynconf.catalogue.flags.types.at_least import AtLeast
from dynconf.catalogue.flags.types.exact import exact_float, exact_int
from dynconf.catalogue.flags.types.value_type import LARGEST, Mismatch, Schema, ValueType


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
