"""Numbers within bounds."""

import math
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

from dynconf.flags.types.value_type import LARGEST, Mismatch, ValueType


@dataclass(frozen=True, slots=True)
class Int(ValueType):
    """A whole number within bounds, both inclusive; integers of numpy and enum count, a bool does not."""

    minimum: int | None = None
    maximum: int | None = None

    @property
    def expected(self) -> str:
        if self.maximum is not None:
            return f"a whole number from {self.minimum} to {self.maximum}"
        return "a whole number" if self.minimum is None else f"a whole number, {self.minimum} or more"

    @property
    def annotation(self) -> str:
        return "int"

    def check(self, value: object) -> int:
        if type(value) is not int:
            if isinstance(value, bool) or not isinstance(value, Integral):
                raise Mismatch
            value = int(value)
        if not -LARGEST <= value <= LARGEST:
            raise Mismatch("it has more than 64 bits")
        if self.minimum is not None and value < self.minimum:
            raise Mismatch
        if self.maximum is not None and value > self.maximum:
            raise Mismatch
        return value

    def schema(self) -> dict[str, Any]:
        bounds = {"minimum": self.minimum, "maximum": self.maximum}
        return {"type": "integer"} | {key: value for key, value in bounds.items() if value is not None}

    def parse_word(self, text: str) -> int:
        return int(_number(text, int))


@dataclass(frozen=True, slots=True)
class Float(ValueType):
    """A finite number within bounds, both inclusive; an int is accepted too."""

    minimum: float | None = None
    maximum: float | None = None

    @property
    def expected(self) -> str:
        if self.maximum is not None:
            return f"a number from {self.minimum:g} to {self.maximum:g}"
        return "a number" if self.minimum is None else f"a finite number, {self.minimum:g} or more"

    @property
    def annotation(self) -> str:
        return "float"

    def check(self, value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, Real):
            raise Mismatch
        if isinstance(value, Integral) and abs(value) > LARGEST:
            raise Mismatch("it has more than 64 bits")
        number = float(value)
        if not math.isfinite(number):
            raise Mismatch
        if self.minimum is not None and number < self.minimum:
            raise Mismatch
        if self.maximum is not None and number > self.maximum:
            raise Mismatch
        return number

    def schema(self) -> dict[str, Any]:
        bounds = {"minimum": self.minimum, "maximum": self.maximum}
        return {"type": "number"} | {key: value for key, value in bounds.items() if value is not None}

    def parse_word(self, text: str) -> float:
        return _number(text, float)


def _number(text: str, kind: type[int] | type[float]) -> float:
    if "_" in text or not text.isascii():  # Python's own numbers allow both, and nothing else does
        raise Mismatch
    try:
        return kind(text)
    except ValueError:
        raise Mismatch from None
