"""Where a value came from, and which line of a program called dynconf."""

import sys
from dataclasses import dataclass
from types import FrameType
from typing import TYPE_CHECKING, Literal

from dynconf.escaping import MOST_SHOWN, printable

if TYPE_CHECKING:
    from typing_extensions import Self

    from dynconf.errors import DynconfWarning, Place

Kind = Literal[
    "default",  # torch's own default in the release at hand
    "env",  # an environment variable
    "forced",  # an environment variable that torch ranks above every assignment
    "file",  # dynconf.toml, pyproject.toml, a saved state
    "class",  # a default of a subclass of a settings model
    "source",  # a settings source of pydantic-settings that is not dynconf's
    "keyword",  # an argument of a call
    "option",  # --set on the command line
    "install",  # dynconf.install, DynamoSettings.install
    "patch",  # dynconf.patch, in force
    "assignment",  # written to torch's config module by something other than dynconf
    "implication",  # another flag implies it (torch 2.15)
    "alias",  # an old name that torch forwards to the newer one
]


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a value came from.

    Attributes:
        kind: What sort of place it is.
        name: The variable, the key with its table, the option, the class, or the flag that an alias points
            to.
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
        """Describe it in a few words, as messages and tables show it."""
        where = f"{self.file}:{self.line}" if self.line else self.file or ""
        raw = self.raw
        if raw is not None:
            raw = raw if len(raw) <= MOST_SHOWN else f"{raw[:MOST_SHOWN]}..."
            raw = raw if raw.isprintable() else repr(raw)
        return printable(self._words(where, raw))

    def _words(self, where: str, raw: str | None) -> str:
        match self.kind:
            case "env":
                return f"environment {self.name}={raw}" + (f" ({where})" if where else "")
            case "class":
                return f"default of {self.name} at {where}"
            case "source":
                return f"{self.name}"
            case "forced":
                return f"forced by {self.name}={raw}"
            case "file":
                return f"{where} ({self.name})" if self.name else where
            case "option":
                is_whole = (self.name or "").startswith("--")  # of another program's command line
                return f"option {self.name} {raw}" if is_whole else f"option --set {self.name}={raw}"
            case "install" | "patch" | "keyword" | "assignment":
                return f"{self.kind} at {where}" if where else self.kind
            case "implication" | "alias":
                return f"{self.kind} of {self.name}"
            case _:
                return self.kind

    @property
    def place(self) -> "Place | None":
        """The file and line, if it was a file that was read."""
        return (self.file, self.line) if self.kind == "file" and self.file else None

    def as_json(self) -> dict[str, object]:
        """Return the attributes that are set, as a JSON object."""
        pairs = {"kind": self.kind, "name": self.name, "raw": self.raw, "file": self.file, "line": self.line}
        return {key: value for key, value in pairs.items() if value is not None}


DEFAULT = Origin("default")


class _Text(str):
    """A text that equals any other on the same topic; without a topic, it is compared as usual."""

    __slots__ = ("topic",)

    topic: str

    def __new__(cls, text: str, topic: str | None) -> "Self":
        made = super().__new__(cls, text)
        made.topic = text if topic is None else topic
        return made

    def __eq__(self, other: object) -> bool:
        return self.topic == other.topic if isinstance(other, _Text) else super().__eq__(other)

    def __hash__(self) -> int:
        return hash(self.topic)


_OWN_PACKAGES = frozenset({"dynconf", "pydantic", "pydantic_settings", "hydra", "jsonargparse"})
"""The packages through which a program calls dynconf; the program's own line is the one that counts."""


class Caller:
    """A line of a program that calls dynconf, captured once by the public function.

    Origins name it, and warnings point to it. The frame itself is not kept: it would keep the caller's
    variables alive.
    """

    __slots__ = ("_globals", "file", "line")

    def __init__(self, frame: FrameType) -> None:
        self._globals = frame.f_globals
        self.file = frame.f_code.co_filename
        self.line = frame.f_lineno

    @classmethod
    def at(cls, file: str, line: int) -> "Caller":
        """Return a line by file and number, as another process reports it."""
        made = cls.__new__(cls)
        made._globals, made.file, made.line = {}, file, line
        return made

    def origin(self, kind: Kind, name: str | None = None, raw: str | None = None) -> Origin:
        """Return an origin of that kind at this line."""
        return Origin(kind, name, raw, self.file, self.line)

    def warn(self, warning: "DynconfWarning") -> None:
        """Issue *warning* as `warnings.warn` would on this line."""
        import warnings

        module = self._globals.get("__name__") or "<unknown>"
        registry = self._globals.setdefault("__warningregistry__", {})
        # Python's registry compares texts, so a line that sets 500 different values would warn 500 times.
        with warning.with_text(_Text(str(warning), warning.topic)):
            warnings.warn_explicit(warning, type(warning), self.file, self.line, str(module), registry)


def caller() -> Caller:
    """Return the nearest line outside dynconf and the packages through which it is called."""
    frame = sys._getframe(1)
    while frame.f_back is not None:
        if str(frame.f_globals.get("__name__")).partition(".")[0] not in _OWN_PACKAGES:
            break
        frame = frame.f_back
    return Caller(frame)
