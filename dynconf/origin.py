"""The origin of a value, and the line of a program that called dynconf."""

import sys
from dataclasses import dataclass
from types import FrameType
from typing import TYPE_CHECKING, Literal

from dynconf.escaping import MOST_SHOWN, printable

if TYPE_CHECKING:
    from dynconf.errors import DynconfWarning, Place

Kind = Literal[
    "default",  # torch's own default in the release at hand
    "release",  # torch's default in a release that was asked for, wherever that is put in force
    "env",  # an environment variable
    "forced",  # an environment variable that torch ranks above every assignment
    "file",  # dynconf.toml, pyproject.toml, a saved state
    "class",  # a default of a subclass of a settings model
    "source",  # a settings source of pydantic-settings that is not dynconf's
    "keyword",  # an argument of a call
    "option",  # --set on the command line
    "install",  # dynconf.install, DynamoSettings.install
    "patch",  # dynconf.patch, in force
    "defaults",  # dynconf.defaults, by a library
    "hold",  # dynconf.hold
    "assignment",  # written to torch's config module by something other than dynconf
    "implication",  # another flag implies it (torch 2.15)
    "alias",  # an old name that torch forwards to the newer one
]


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a value came from.

    Attributes:
        name: The variable, the key with its table, the option, the class, or the flag that decides the value.
        raw: The text that was read.
        file: The file that was read, or the one with the call.
        line: The line in that file, counted from 1.
        held: Whether the value is held: see `dynconf.hold`.
    """

    kind: Kind
    name: str | None = None
    raw: str | None = None
    file: str | None = None
    line: int | None = None
    held: bool = False

    def __str__(self) -> str:
        """Describe it in a few words, as messages and tables show it."""
        place = f"{self.file}:{self.line}" if self.line else self.file or ""
        text = self.raw
        if text is not None:
            text = text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}..."
            text = text if text.isprintable() else repr(text)
        held = ", held" if self.held and self.kind != "hold" else ""
        return printable(self._describe(place, text) + held)

    def _describe(self, place: str, text: str | None) -> str:
        match self.kind:
            case "env":
                return f"environment {self.name}={text}" + (f" ({place})" if place else "")
            case "class" | "release":
                return f"default of {self.name}" + (f" at {place}" if place else "")
            case "source":
                return f"{self.name}"
            case "forced":
                return f"forced by {self.name}={text}"
            case "file":
                return f"{place} ({self.name})" if self.name else place
            case "option":
                # An option of another program's command line has its dashes: --trainer.compile 1.
                is_foreign = (self.name or "").startswith("--")
                return f"option {self.name} {text}" if is_foreign else f"option --set {self.name}={text}"
            case "install" | "patch" | "keyword" | "assignment" | "defaults" | "hold":
                return f"{self.kind} at {place}" if place else self.kind
            case "implication" | "alias":
                return f"{self.kind} of {self.name}"
            case _:
                return self.kind

    @property
    def place(self) -> "Place | None":
        """The file and line, if the value was read from a file."""
        return (self.file, self.line) if self.kind == "file" and self.file else None

    def as_json(self) -> dict[str, object]:
        """Return the attributes that are not None as a JSON object."""
        pairs = {"kind": self.kind, "name": self.name, "raw": self.raw, "file": self.file, "line": self.line}
        pairs["held"] = self.held or None
        return {key: value for key, value in pairs.items() if value is not None}


DEFAULT = Origin("default")


_OWN_PACKAGES = frozenset(
    {"abc", "contextlib", "dynconf", "pydantic", "pydantic_settings", "hydra", "jsonargparse"}
)
"""Packages whose frames lie between a program and dynconf; the program's own line is the one to name."""


class Caller:
    """The line of a program that calls dynconf: origins name it, and warnings point to it.

    Each public function captures it once and passes it down. The frame itself is not kept, because it would
    keep the caller's local variables alive.
    """

    __slots__ = ("_globals", "file", "line")

    def __init__(self, frame: FrameType) -> None:
        self._globals = frame.f_globals
        self.file = frame.f_code.co_filename
        self.line = frame.f_lineno

    @classmethod
    def at(cls, file: str, line: int) -> "Caller":
        """Return the caller at a line that is known by other means than a frame."""
        self = cls.__new__(cls)
        self._globals, self.file, self.line = {}, file, line
        return self

    def origin(self, kind: Kind, name: str | None = None, raw: str | None = None) -> Origin:
        """Return an origin of this kind at this line."""
        return Origin(kind, name, raw, self.file, self.line)

    def warn(self, warning: "DynconfWarning") -> None:
        """Issue *warning* as `warnings.warn` would on this line."""
        import warnings

        module = self._globals.get("__name__") or "<unknown>"
        registry = self._globals.setdefault("__warningregistry__", {})
        # Python shows a warning once for each text and line, and notes that in the registry of the module. A
        # loop that sets 500 different values would warn 500 times. So the topic is noted beside the text, and
        # the next text on that topic counts as shown.
        text, topic = ((key, type(warning), self.line) for key in (str(warning), warning.topic))
        if topic in registry:
            registry[text] = 1
        warnings.warn_explicit(warning, type(warning), self.file, self.line, str(module), registry)
        if warning.topic and text in registry:  # Python clears it when filters change
            registry[topic] = 1


def caller() -> Caller:
    """Return the nearest line outside dynconf and the packages that call it for a program."""
    frame = sys._getframe(1)
    while frame.f_back is not None:
        if str(frame.f_globals.get("__name__")).partition(".")[0] not in _OWN_PACKAGES:
            break
        frame = frame.f_back
    return Caller(frame)
