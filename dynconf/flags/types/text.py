"""Text: any, a path, or one of a few words."""

import os
from dataclasses import dataclass
from typing import Any

from dynconf.flags.types.value_type import UNWRITABLE, Mismatch, ValueType
from dynconf.spelling import nearest


@dataclass(frozen=True, slots=True)
class Text(ValueType):
    """Any text."""

    plural = "strings"

    @property
    def expected(self) -> str:
        return "a string"

    @property
    def annotation(self) -> str:
        return "str"

    def check(self, value: object) -> str:
        return writable(value)

    def schema(self) -> dict[str, Any]:
        return {"type": "string"}


@dataclass(frozen=True, slots=True)
class PathText(ValueType):
    """A path of the file system, kept as text; ``os.PathLike`` is accepted too."""

    @property
    def expected(self) -> str:
        return "a path"

    @property
    def annotation(self) -> str:
        return "str | os.PathLike[str]"

    def check(self, value: object) -> str:
        if isinstance(value, os.PathLike):
            value = os.fspath(value)
        return writable(value) if value else _refuse()

    def schema(self) -> dict[str, Any]:
        return {"type": "string", "minLength": 1}


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
        if isinstance(value, str):
            if value in self.options:
                return str.__str__(value)
            near = nearest(value, self.options)
            if near:
                raise Mismatch(f"did you mean {near!r}?")
        raise Mismatch

    def schema(self) -> dict[str, Any]:
        return {"enum": list(self.options)}


def writable(value: object) -> str:
    """Return a text that files and variables can hold; the plain text of a subclass such as an enum's.

    Raises:
        Mismatch: It is not text, or contains a character that cannot be written.
    """
    if isinstance(value, str) and not UNWRITABLE.search(value):
        return str.__str__(value)
    raise Mismatch


def _refuse() -> str:
    raise Mismatch
