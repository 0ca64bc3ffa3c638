"""Values of flags: check one, read one from text or JSON, write one, say what was expected.

One function for each, dispatched on the flag's type. They raise `Mismatch`, which knows nothing of where
the value came from; `checked` and the sources turn it into an error that does.
"""

import functools
import json
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
from dynconf.errors import InvalidValueError
from dynconf.provenance import Origin
from dynconf.references import Named, Unresolvable, name_of, resolve

WORDS = {
    **dict.fromkeys(("1", "true", "yes", "on", "t", "y"), True),
    **dict.fromkeys(("0", "false", "no", "off", "f", "n"), False),
}
"""How true and false may be written in variables and options, in any case."""

_FILTER = re.compile(r"(?:>=|<=|>|<)?\d+|\d+-\d+")
_SHOWN = 120
_LARGEST = 2**63 - 1
_DEEPEST = 100
_NO_TEXT = re.compile("[\0\ud800-\udfff]")
"""What no file holds: a NUL, and halves of characters, which stand for bytes that are no UTF-8."""


class Mismatch(Exception):
    """The value does not suit the type; the text, if any, says more than that."""


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


@functools.singledispatch
def _read(_: ValueType, text: str) -> Any:
    """Read trimmed text that is neither empty nor ``none``."""
    return text


@_read.register
def _(_: Bool, text: str) -> Any:
    try:
        return WORDS[text.lower()]
    except KeyError:
        raise Mismatch from None


@_read.register(Int)
@_read.register(Float)
def _(type_: Int | Float, text: str) -> Any:
    if "_" in text or not text.isascii():  # both are fine in Python's own numbers, and nowhere else
        raise Mismatch
    try:
        return int(text) if isinstance(type_, Int) else float(text)
    except ValueError:
        raise Mismatch from None


@_read.register
def _(_: Reference, text: str) -> Any:
    try:
        return Named.parse(text)
    except Unresolvable as problem:
        raise Mismatch(str(problem)) from None


@_read.register(SetOf)
@_read.register(ListOf)
def _(type_: SetOf | ListOf, text: str) -> Any:
    items = [_read(type_.item, item.strip()) for item in text.split(",") if item.strip()]
    return set(items) if isinstance(type_, SetOf) else items


@_read.register
def _(_: Mapping, text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise Mismatch("it is no JSON object") from None


@_read.register
def _(type_: Optional, text: str) -> Any:
    return _read(type_.of, text)


@_read.register
def _(type_: BoolOr, text: str) -> Any:
    word = WORDS.get(text.lower())
    return _read(type_.of, text) if word is None else word


@_read.register
def _(_: Opaque, __: str) -> Any:
    raise Mismatch("it has no form that could be written down")


def decode(type_: ValueType, text: str) -> Any:
    """Return the value that *text* means, from a variable or an option; there is one reading for all.

    Raises:
        Mismatch: The text means no value of that type.
    """
    trimmed = text.strip()
    if trimmed.lower() == "none":
        if isinstance(type_, Optional):
            return None
        raise Mismatch("None is no value of this flag")
    return _settled(type_, _read(type_, trimmed))


def from_json(type_: ValueType, data: object) -> Any:
    """Return the value that *data*, read from a file, stands for; sets are lists there.

    Raises:
        Mismatch: It stands for no value of that type.
    """
    if data is None and isinstance(type_, Optional):
        return None
    inner = type_.of if isinstance(type_, Optional) else type_
    if isinstance(inner, (SetOf, ListOf)):
        if not isinstance(data, list) or not all(isinstance(item, str) for item in data):
            raise Mismatch
        items = [_read(inner.item, item) for item in data]
        return _settled(type_, set(items) if isinstance(inner, SetOf) else items)
    return _settled(type_, data)


def _settled(type_: ValueType, value: object) -> Any:
    """Check a value that was read, but leave names of objects unresolved: reading runs nothing."""
    names_objects = isinstance(type_, SetOf) and isinstance(type_.item, Reference)
    return value if names_objects else checker(type_)(value)


def as_json(type_: ValueType, value: object) -> Any:
    """Return *value* in the form that files hold: sets as sorted lists, objects as ``module:qualname``.

    Raises:
        Mismatch: Some object in it has no name by which it could be found again.
    """
    if isinstance(type_, SetOf):
        return sorted(_item_as_json(item) for item in value)  # type: ignore[attr-defined]
    if isinstance(type_, ListOf):
        return list(value)  # type: ignore[call-overload]
    if isinstance(type_, Opaque) and value is not None:
        raise Mismatch(f"{shown(value)} has no form that could be written down")
    return value


def _item_as_json(item: object) -> str:
    if isinstance(item, str):
        return item
    try:
        return str(item) if isinstance(item, Named) else name_of(item)
    except Unresolvable as problem:
        raise Mismatch(str(problem)) from None


def as_text(type_: ValueType, value: object) -> str:
    """Return the text that `decode` reads as *value*.

    Raises:
        Mismatch: No text means that value: an empty one, or one that reads as something else.
    """
    data = as_json(type_, value)
    match data:
        case None:
            text = "none"
        case bool():
            text = "1" if data else "0"
        case dict():
            text = json.dumps(data, sort_keys=True)
        case list():
            text = ",".join(data)
        case _:
            text = str(data)
    if not text.strip() or decode(type_, text) != _comparable(type_, value):
        raise Mismatch(f"no text means {shown(value)}")
    return text


def _comparable(type_: ValueType, value: object) -> object:
    """Return *value* with objects replaced by their names, as `decode` gives it."""
    if isinstance(type_, SetOf) and isinstance(type_.item, Reference):
        return {item if isinstance(item, Named) else Named.parse(name_of(item)) for item in value}  # type: ignore[attr-defined]
    return value


def same(left: object, right: object) -> bool:
    """Tell whether two values are the same to torch; True and 1 are not."""
    return type(left) is type(right) and left == right


@functools.singledispatch
def expected(type_: ValueType) -> str:
    """Say what values the type takes, as a clause that follows 'expected'."""
    raise TypeError(type_)


@expected.register
def _(_: Bool) -> str:
    return "True or False"


@expected.register
def _(type_: Int) -> str:
    if type_.maximum is not None:
        return f"a whole number from {type_.minimum} to {type_.maximum}"
    return "a whole number" if type_.minimum is None else f"a whole number, {type_.minimum} or more"


@expected.register
def _(type_: Float) -> str:
    return "a number" if type_.minimum is None else f"a finite number, {type_.minimum:g} or more"


@expected.register
def _(_: Text) -> str:
    return "a text"


@expected.register
def _(_: Path) -> str:
    return "a path"


@expected.register
def _(type_: Choice) -> str:
    return "one of " + ", ".join(map(repr, type_.options))


@expected.register
def _(type_: Overrides) -> str:
    value = "inductor" if type_.of == "backend" else "key=value"
    return f"rules such as '0-5,>=10:{value};<3:{value}'"


@expected.register
def _(type_: Reference) -> str:
    return f"the 'module:qualname' of a {type_.to}"


@expected.register
def _(type_: SetOf) -> str:
    return f"a set of {_plural(type_.item)}"


@expected.register
def _(type_: ListOf) -> str:
    return f"a list of {_plural(type_.item)}"


def _plural(item: Text | Reference) -> str:
    if isinstance(item, Text):
        return "texts"
    return "classes" if item.to == "class" else "callables"


@expected.register
def _(_: Mapping) -> str:
    return "a dict with text keys and JSON values"


@expected.register
def _(type_: Optional) -> str:
    return f"{expected(type_.of)}, or None"


@expected.register
def _(type_: BoolOr) -> str:
    return f"True, False, or {expected(type_.of)}"


@expected.register
def _(_: Opaque) -> str:
    return "what torch itself puts there"


def shown(value: object) -> str:
    """Return a short text of *value* for messages, whatever it is."""
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001  a broken __repr__ must not hide the message it would stand in
        text = object.__repr__(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def invalid(flag: Flag, value: object, problem: Mismatch, origin: Origin | None = None) -> InvalidValueError:
    """Return the error for *value*: flag, value and its source, what was expected, and the problem."""
    raw = None if origin is None or origin.kind == "file" else origin.raw
    given = shown(value if raw is None else raw)
    place = "" if origin is None else f" (from {origin})"
    more = f"; {problem}" if str(problem) else ""
    return InvalidValueError(
        f"{flag.name}: {given}{place} is not valid: expected {expected(flag.type)}{more}", flag=flag.name
    )


def checked(flag: Flag, value: object, origin: Origin | None = None) -> Any:
    """Return *value* as the flag takes it, names of objects resolved.

    Raises:
        InvalidValueError: It does not suit the flag.
    """
    try:
        return checker(flag.type)(value)
    except Mismatch as problem:
        raise invalid(flag, value, problem, origin) from None
