"""The plain Python object in anything that counts as a number, text or container.

Values come from anywhere: integers of numpy, enum members, lazy proxies, mocks, classes with broken methods.
So a value is judged by ``type(value)``: `isinstance` would ask for its ``__class__``, which makes a lazy
proxy load its object, and lets a mock pass for anything. Whatever goes wrong inside the value is a mismatch.
"""

import os
from collections.abc import Callable, Mapping
from functools import wraps
from numbers import Integral, Real
from typing import Any, TypeVar, cast

from dynconf.catalogue.flags.types.value_type import LARGEST, UNWRITABLE, Mismatch

Read = TypeVar("Read", bound=Callable[..., Any])


def _or_mismatch(read: Read) -> Read:
    """Make *read* raise nothing but `Mismatch`."""

    @wraps(read)
    def reading(*arguments: Any, **keywords: Any) -> Any:
        try:
            return read(*arguments, **keywords)
        except Mismatch:
            raise
        except Exception:  # noqa: BLE001  the methods of a value may raise anything
            raise Mismatch from None

    return cast("Read", reading)


@_or_mismatch
def exact_int(value: Any) -> int:
    """Return an integer that fits in 64 bits; a bool is not a number."""
    kind = type(value)
    if issubclass(kind, bool) or not issubclass(kind, Integral):
        raise Mismatch
    number = int.__index__(value) if issubclass(kind, int) else int(value)
    if not -LARGEST <= number <= LARGEST:
        raise Mismatch("it has more than 64 bits")
    return number


@_or_mismatch
def exact_float(value: Any) -> float:
    """Return a real number as a float; it may be infinite or not a number."""
    kind = type(value)
    if issubclass(kind, Integral):
        return float(exact_int(value))
    if not issubclass(kind, Real):
        raise Mismatch
    return float.__float__(value) if issubclass(kind, float) else float(value)


@_or_mismatch
def exact_text(value: Any) -> str:
    """Return text that files and variables can contain."""
    if not issubclass(type(value), str):
        raise Mismatch
    text = str.__str__(value)
    if UNWRITABLE.search(text):
        raise Mismatch
    return text


@_or_mismatch
def exact_path(value: Any) -> str:
    """Return a path as text that files and variables can contain."""
    is_path = issubclass(type(value), os.PathLike)  # pyright: ignore[reportGeneralTypeIssues]  a class
    return exact_text(os.fspath(value) if is_path else value)


@_or_mismatch
def items_of(value: Any, kind: type[Any] | tuple[type[Any], ...]) -> list[Any]:
    """Return the items of a container of that kind; of a mapping, pairs of key and value."""
    if not issubclass(type(value), kind):
        raise Mismatch
    return [(key, value[key]) for key in value] if kind is Mapping else list(value)
