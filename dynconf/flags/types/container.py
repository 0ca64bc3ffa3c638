"""Checking a Python value by the type of its flag."""

import functools
import math
import re
from collections.abc import Callable
from typing import Any

from dynconf.catalogue.names import nearest
from dynconf.catalogue.record import Flag
from dynconf.catalogue.value_types import (
    Bool,
    BoolOr,
    Choice,
    Float,
    Int,
    ListOf,
    Mapping,
    Opaque,
    Optional,
    Overrides,
    Path,
    Reference,
    SetOf,
    Text,
    ValueType,
)
from dynconf.provenance import Origin
from dynconf.references import Named, Unresolvable, resolve
from dynconf.values.wording import WORDS, Mismatch, invalid, shown

_FILTER = re.compile(r"(?:>=|<=|>|<)?\d+|\d+-\d+")
_LARGEST = 2**63 - 1
_DEEPEST = 100
_NO_TEXT = re.compile("[\0\ud800-\udfff]")

Check = Callable[[object], Any]


@functools.singledispatch
def checker(type_: ValueType) -> Check:
    """Return the function that takes a Python value and returns it, or raises `Mismatch`.

    Values are strict: a bool is no int, and text is never read as anything else.
    """
    raise TypeError(type_)


@checker.register
def _(_: Bool) -> Check:
    def check(value: object) -> bool:
        if value is True or value is False:
            return value
        raise Mismatch

    return check


@checker.register
def _(type_: Int) -> Check:
    low = -_LARGEST if type_.minimum is None else type_.minimum
    high = _LARGEST if type_.maximum is None else type_.maximum

    def check(value: object) -> int:
        if type(value) is int:
            if low <= value <= high:
                return value
            if abs(value) > _LARGEST:
                raise Mismatch("it has more than 64 bits")
        raise Mismatch

    return check


@checker.register
def _(type_: Float) -> Check:
    low = -math.inf if type_.minimum is None else type_.minimum

    def check(value: object) -> float:
        if type(value) is float or (type(value) is int and abs(value) <= _LARGEST):
            number = float(value)
            if math.isfinite(number) and low <= number:
                return number
        raise Mismatch

    return check


@checker.register(Text)
@checker.register(Path)
def _(type_: Text | Path) -> Check:
    may_be_empty = isinstance(type_, Text)

    def check(value: object) -> str:
        if isinstance(value, str) and (value or may_be_empty) and not _NO_TEXT.search(value):
            return value
        raise Mismatch

    return check


@checker.register
def _(type_: Choice) -> Check:
    options = frozenset(type_.options)

    def check(value: object) -> str:
        if isinstance(value, str):
            if value in options:
                return str(value)
            near = nearest(value, type_.options)
            if near:
                raise Mismatch(f"did you mean {near!r}?")
        raise Mismatch

    return check


@checker.register
def _(type_: Overrides) -> Check:
    def check(value: object) -> str:
        if not isinstance(value, str) or _NO_TEXT.search(value):
            raise Mismatch
        for rule in filter(None, (part.strip() for part in value.split(";"))):
            filters, colon, assigned = (part.strip() for part in rule.partition(":"))
            if not colon or not assigned:
                raise Mismatch(f"{rule!r} has no value")
            for each in (part.strip() for part in filters.split(",")):
                if not _FILTER.fullmatch(each):
                    raise Mismatch(f"{each!r} selects no graph")
            if type_.of == "settings":
                for pair in assigned.split(","):
                    if not re.fullmatch(r"\s*[\w.]+\s*=.*", pair):
                        raise Mismatch(f"{pair.strip()!r} is no key=value")
        return value

    return check


@checker.register
def _(type_: Reference) -> Check:
    # isinstance would ask the value for its class, which wakes lazy proxies.
    suits = callable if type_.to == "callable" else lambda value: issubclass(type(value), type)

    def check(value: object) -> object:
        if isinstance(value, Named):
            value = _resolved(value)
        if suits(value):
            return value
        raise Mismatch

    return check


@checker.register
def _(type_: SetOf) -> Check:
    check_item = checker(type_.item)

    def check(value: object) -> set[Any]:
        if isinstance(value, (set, frozenset)):
            return {check_item(item) for item in value}
        raise Mismatch

    return check


@checker.register
def _(type_: ListOf) -> Check:
    check_item = checker(type_.item)

    def check(value: object) -> list[Any]:
        if isinstance(value, (list, tuple)):
            return [check_item(item) for item in value]
        raise Mismatch

    return check


@checker.register
def _(_: Mapping) -> Check:
    def check(value: object) -> dict[str, Any]:
        if isinstance(value, dict):
            return plain(value)  # type: ignore[no-any-return]
        raise Mismatch

    return check


@checker.register
def _(type_: Optional) -> Check:
    check_inner = checker(type_.of)

    def check(value: object) -> Any:
        return None if value is None else check_inner(value)

    return check


@checker.register
def _(type_: BoolOr) -> Check:
    check_inner = checker(type_.of)

    def check(value: object) -> Any:
        if value is True or value is False:
            return value
        try:
            return check_inner(value)
        except Mismatch as problem:
            word = WORDS.get(str(value).lower()) if isinstance(value, (int, str)) else None
            if word is None or str(problem):
                raise
            raise Mismatch(f"did you mean {word}?") from None

    return check


@checker.register
def _(_: Opaque) -> Check:
    return lambda value: value


def plain(value: object, depth: int = 0) -> Any:
    """Return a copy of *value*, which is made of what JSON can hold.

    Raises:
        Mismatch: JSON cannot hold it.
    """
    if depth > _DEEPEST:
        raise Mismatch("it is nested too deeply")
    if isinstance(value, dict):
        odd = [key for key in value if not isinstance(key, str) or _NO_TEXT.search(key)]
        if odd:
            raise Mismatch(f"the key {shown(odd[0])} is no text")
        return {key: plain(item, depth + 1) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item, depth + 1) for item in value]
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str) and not _NO_TEXT.search(value):
        return value
    if isinstance(value, int) and abs(value) <= _LARGEST:
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    raise Mismatch(f"{shown(value)} cannot be written to a file")


def _resolved(named: Named) -> object:
    try:
        return resolve(named)
    except Unresolvable as problem:
        raise Mismatch(str(problem)) from None


def same(left: object, right: object) -> bool:
    """Tell whether two values are the same to torch; True and 1 are not."""
    return type(left) is type(right) and left == right


def checked(flag: Flag, value: object, origin: Origin | None = None) -> Any:
    """Return *value* as the flag takes it, names of objects resolved.

    Raises:
        InvalidValueError: It does not suit the flag.
    """
    try:
        return checker(flag.type)(value)
    except Mismatch as problem:
        raise invalid(flag, value, problem, origin) from None
