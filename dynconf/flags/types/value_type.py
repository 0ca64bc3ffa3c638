"""What values a flag takes, as data.

A type is a small frozen record; the types nest (``Optional(Choice(...))``). What to do with one, that is
checking, reading from text and writing, is `dynconf.values`.
"""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Bool:
    """True or False; never a number."""


@dataclass(frozen=True, slots=True)
class Int:
    """A whole number within bounds, both inclusive; never a bool."""

    minimum: int | None = None
    maximum: int | None = None


@dataclass(frozen=True, slots=True)
class Float:
    """A finite number, above *minimum* or equal to it; an int is taken too."""

    minimum: float | None = None


@dataclass(frozen=True, slots=True)
class Text:
    """Any text."""


@dataclass(frozen=True, slots=True)
class Path:
    """A path of the file system, as text."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One of a few words."""

    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Overrides:
    """Values for chosen graphs: ``FILTER:VALUE;...``, torch's ``graph_id_filter`` grammar.

    A filter is a comma-separated list of graph numbers, ranges (``10-20``) and comparisons (``>10``); a
    value is the name of a backend, or settings (``key=value,...``).
    """

    of: Literal["backend", "settings"]


@dataclass(frozen=True, slots=True)
class Reference:
    """A Python object that files and variables name as ``module:qualname``."""

    to: Literal["callable", "class"]


@dataclass(frozen=True, slots=True)
class SetOf:
    """A set of items of one type."""

    item: "Text | Reference"


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list of items of one type."""

    item: Text


@dataclass(frozen=True, slots=True)
class Mapping:
    """A dict with text keys and JSON values."""


@dataclass(frozen=True, slots=True)
class Optional:
    """What *of* takes, or None."""

    of: "ValueType"


@dataclass(frozen=True, slots=True)
class BoolOr:
    """True, False, or what *of* takes; the words for true and false come first when text is read."""

    of: "Path | Choice"


@dataclass(frozen=True, slots=True)
class Opaque:
    """Anything: a slot that torch fills itself, with no form that a user could write."""


ValueType = (
    Bool
    | Int
    | Float
    | Text
    | Path
    | Choice
    | Overrides
    | Reference
    | SetOf
    | ListOf
    | Mapping
    | Optional
    | BoolOr
    | Opaque
)
