"""Numbers within bounds."""

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from dynconf.flags.types.exact import exact_float, exact_int
from dynconf.flags.types.value_type import LARGEST, Mismatch, ValueType

if TYPE_CHECKING:
    from pydantic_core import CoreSchema
    from pydantic_core.core_schema import ValidatorFunctionWrapHandler


class AtLeast(int):
    """A whole number that yields to a higher one; made by `at_least`."""

    def __repr__(self) -> str:
        return f"at_least({int(self)})"

    def over(self, below: object) -> "AtLeast":
        """Return what to set where *below* is in force: the higher of the two."""
        return AtLeast(below) if type(below) in (int, AtLeast) and below > self else self  # type: ignore[operator, call-overload]


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


@dataclass(frozen=True, slots=True)
class Int(ValueType):
    """A whole number within bounds, both inclusive; integers of numpy and enum count, a bool does not."""

    ANNOTATION = "int"

    minimum: int = -LARGEST
    maximum: int = LARGEST

    @property
    def expected(self) -> str:
        return _expected("a whole number", self.value_schema())

    def check(self, value: object) -> int:
        number = value if type(value) is int or type(value) is AtLeast else exact_int(value)
        if self.minimum <= number <= self.maximum:
            return number
        exact_int(number)  # says so if it does not fit in 64 bits
        raise Mismatch

    def value_schema(self) -> "CoreSchema":
        return cast("CoreSchema", {"type": "int", **_bounds(self.minimum, self.maximum, LARGEST)})

    def refine(self, value: Any, handler: "ValidatorFunctionWrapHandler") -> Any:
        refined = handler(value)  # pydantic makes a plain number of it
        return AtLeast(refined) if type(value) is AtLeast else refined

    def parse_word(self, text: str) -> int:
        return int(_number(text, int))


@dataclass(frozen=True, slots=True)
class Float(ValueType):
    """A finite number within bounds, both inclusive; integers and numpy's numbers count, a bool does not."""

    ANNOTATION = "float"

    minimum: float = -sys.float_info.max
    maximum: float = sys.float_info.max

    @property
    def expected(self) -> str:
        return _expected("a finite number", self.value_schema())

    def check(self, value: object) -> float:
        number = value if type(value) is float else exact_float(value)
        if self.minimum <= number <= self.maximum:  # nan and infinities are not
            return number
        raise Mismatch

    def value_schema(self) -> "CoreSchema":
        bounds = _bounds(self.minimum, self.maximum, sys.float_info.max)
        return cast("CoreSchema", {"type": "float", "allow_inf_nan": False, **bounds})

    def parse_word(self, text: str) -> float:
        return _number(text, float)


def _bounds(minimum: float, maximum: float, limit: float) -> dict[str, float]:
    """Return the bounds for a schema, without those that only say what can be written."""
    bounds = {}
    if minimum > -limit:
        bounds["ge"] = minimum
    if maximum < limit:
        bounds["le"] = maximum
    return bounds


def _expected(noun: str, schema: Any) -> str:
    match schema:
        case {"ge": minimum, "le": maximum}:
            return f"{noun} from {minimum} to {maximum}"
        case {"ge": minimum}:
            return f"{noun}, {minimum} or more"
        case {"le": maximum}:
            return f"{noun}, {maximum} or less"
    return noun


def _number(text: str, kind: type[int] | type[float]) -> float:
    if "_" in text or not text.isascii():  # Python allows both in numbers; nothing else does
        raise Mismatch
    try:
        return kind(text)
    except ValueError:
        raise Mismatch from None
