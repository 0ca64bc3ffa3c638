"""What messages say of values: what was expected, and a value in short."""

import functools

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

WORDS = {
    **dict.fromkeys(("1", "true", "yes", "on", "t", "y"), True),
    **dict.fromkeys(("0", "false", "no", "off", "f", "n"), False),
}
"""How true and false may be written in variables and options, in any case."""

_SHOWN = 120


class Mismatch(Exception):
    """The value does not suit the type; the text, if any, says more than that."""


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
