"""Where a value came from, and which line of a program called dynconf."""

import sys
from dataclasses import dataclass
from types import FrameType
from typing import TYPE_CHECKING, Literal

from dynconf.escaping import printable

if TYPE_CHECKING:
    from dynconf.errors import DynconfWarning

Kind = Literal[
    "default",  # torch's own default in the release at hand
    "env",  # an environment variable
    "forced",  # an environment variable that torch ranks above every assignment
    "file",  # dynconf.toml, pyproject.toml, a saved state
    "keyword",  # an argument of a call
    "option",  # --set on the command line
    "install",  # dynconf.install, DynamoSettings.install
    "patch",  # dynconf.patch, in force
    "assignment",  # written to torch's config module by something other than dynconf
    "implication",  # another flag implies it (torch 2.15)
    "alias",  # an old name that torch forwards to the newer one
]

_SHOWN = 120  # characters of a text that messages quote


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a value came from.

    Attributes:
        kind: What sort of place it is.
        name: The variable, the key with its table, the option, or the flag that an alias stands for.
        raw: The text that was read, if there was one.
        file: The file that was read, or the one that contains the call.
        line: The line in that file, counted from 1.
    """

    kind: Kind
    name: str | None = None
    raw: str | None = None
    file: str | None = None
    line: int | None = None

    def __str__(self) -> str:
        """Say it in a few words, as messages and tables show it."""
        where = f"{self.file}:{self.line}" if self.line else self.file or ""
        raw = self.raw
        if raw is not None:
            raw = raw if len(raw) <= _SHOWN else f"{raw[:_SHOWN]}..."
            raw = raw if raw.isprintable() else repr(raw)
        return printable(self._words(where, raw))

    def _words(self, where: str, raw: str | None) -> str:
        match self.kind:
            case "env":
                return f"environment {self.name}={raw}"
            case "forced":
                return f"forced by {self.name}={raw}"
            case "file":
                return f"{where} ({self.name})" if self.name else where
            case "option":
                return f"option --set {self.name}={raw}"
            case "install" | "patch" | "keyword":
                return f"{self.kind} at {where}" if where else self.kind
            case "implication" | "alias":
                return f"{self.kind} of {self.name}"
            case _:
                return self.kind

    def as_json(self) -> dict[str, object]:
        """Return the attributes that are set, as a JSON object."""
        pairs = {"kind": self.kind, "name": self.name, "raw": self.raw, "file": self.file, "line": self.line}
        return {key: value for key, value in pairs.items() if value is not None}


DEFAULT = Origin("default")

_OWN_PACKAGES = frozenset({"dynconf", "pydantic", "pydantic_settings"})


class Caller:
    """A line of a program that calls dynconf, captured once at the public edge.

    It is what origins name and what warnings point to. The frame itself is not kept: it would keep the
    caller's variables alive.
    """

    __slots__ = ("_code", "_globals", "line")

    def __init__(self, frame: FrameType) -> None:
        self._code = frame.f_code
        self._globals = frame.f_globals
        self.line = frame.f_lineno

    @property
    def file(self) -> str:
        """The file that contains the line."""
        return self._code.co_filename

    def origin(self, kind: Kind, name: str | None = None, raw: str | None = None) -> Origin:
        """Return an origin of that kind at this line."""
        return Origin(kind, name, raw, self.file, self.line)

    def warn(self, warning: "DynconfWarning") -> None:
        """Issue *warning* as `warnings.warn` would if it stood on this line."""
        import warnings

        module = self._globals.get("__name__") or "<unknown>"
        registry = self._globals.setdefault("__warningregistry__", {})
        warnings.warn_explicit(warning, type(warning), self.file, self.line, str(module), registry)


def caller() -> Caller:
    """Return the nearest line outside dynconf and the packages through which it is called."""
    frame = sys._getframe(1)
    while frame.f_back is not None and _package(frame) in _OWN_PACKAGES:
        frame = frame.f_back
    return Caller(frame)


def _package(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__")).partition(".")[0]
