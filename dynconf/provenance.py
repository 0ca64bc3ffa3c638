"""The origin of a value, the line of a program that called dynconf, and the environment at the start.

A user exports ``TORCHINDUCTOR_COMPILE_THREADS=8``, and a library writes ``os.environ[...] = "1"`` before
torch reads it. Only the operating system still has the 8.
"""

import functools
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from dynconf.text import MOST_SHOWN, place_text, printable

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
    "inherited",  # a line of the process that started this one, or of pytest-xdist's controller
]


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a value came from.

    Attributes:
        kind: What set it: ``default``, ``env``, ``file``, ``option``, ``install``, ``patch``, ``hold``,
            ``assignment`` or another of `Kind`.
        name: The variable, the key with its table, the option, the class, or the flag that decides the value.
        raw: The text that was read.
        file: The file that was read, or the one with the call.
        line: The line in that file, counted from 1.
        at_start: The different text that the variable had when the process started, which the program, or a
            library in it, has replaced since.
        held: Whether the value is held: see `dynconf.hold`.
    """

    kind: Kind
    name: str | None = None
    raw: str | None = None
    file: str | None = None
    line: int | None = None
    at_start: str | None = None
    held: bool = False

    @classmethod
    def of_variable(cls, kind: Kind, name: str, raw: str, file: str | None = None) -> "Origin":
        """Return the origin of a value that was read from a variable, of the process or of a file."""
        before = "" if file else environment_at_start().get(name, "")
        # A text that is not the process's own is compared with nothing.
        is_replaced = before.strip() and before != raw and os.environ.get(name) == raw
        return cls(kind, name, raw, file, at_start=before if is_replaced else None)

    def __str__(self) -> str:
        """Describe it in a few words, as messages and tables show it."""
        place = place_text(self.file, self.line) if self.file else ""
        before = "" if self.at_start is None else f" ({_short(self.at_start)} when the process started)"
        held = ", held" if self.held and self.kind != "hold" else ""
        return printable(
            self._describe(place, None if self.raw is None else _short(self.raw)) + before + held
        )

    def _describe(self, place: str, text: str | None) -> str:
        equals = "" if text is None else f"={text}"
        match self.kind:
            case "env":
                return f"environment {self.name}{equals}" + (f" ({place})" if place else "")
            case "class" | "release":
                return f"default of {self.name}" + (f" at {place}" if place else "")
            case "source" | "inherited":
                return f"{self.name}"
            case "forced":
                return f"forced by {self.name}{equals}"
            case "file":
                return f"{place} ({self.name})" if self.name else place
            case "option":
                # An option of another program's command line has its dashes: --trainer.compile=1.
                name = self.name if (self.name or "").startswith("--") else f"--set {self.name}"
                return f"option {name}{equals}"
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
        pairs = ((name, getattr(self, name)) for name in self.__slots__)
        return {name: value for name, value in pairs if value is not None and value is not False}

    @classmethod
    def from_json(cls, data: object) -> "Origin | None":
        """Return the origin of which `as_json` made *data*; None if it was something else."""
        pairs: dict[str, Any] = data if isinstance(data, dict) else {}
        kinds = {"line": int, "held": bool}
        is_sound = all(key in cls.__slots__ for key in pairs) and all(
            type(value) is kinds.get(key, str) for key, value in pairs.items()
        )
        return cls(**pairs) if is_sound and pairs.get("kind") in get_args(Kind) else None


def _short(text: str) -> str:
    start = text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}..."
    return start if start.isprintable() else repr(start)


def relative_path(file: str) -> str:
    """Return a path, relative to the working directory or a folder on ``sys.path``, as short as can be."""
    with suppress(OSError):  # the working directory may have been removed
        # Some programs add a `Path`, which Python passes over.
        folders = [each for each in (*sys.path, os.getcwd()) if isinstance(each, str) and each]
        prefixes = (f"{folder.rstrip(os.sep)}{os.sep}" for folder in folders)
        return min((file.removeprefix(each) for each in prefixes), key=len)
    return file


def path_from_here(file: str) -> str:
    """Return a path as it is seen from the working directory, if it lies there."""
    with suppress(OSError):  # the working directory may have been removed
        return file.removeprefix(f"{os.getcwd()}{os.sep}")
    return file


DEFAULT = Origin("default")


_OWN_PACKAGES = frozenset(
    {"abc", "contextlib", "dynconf", "pydantic", "pydantic_settings", "hydra", "jsonargparse", "IPython"}
)
"""Packages whose frames lie between a program and dynconf; the program's own line is the one to name."""


_ONE_LINE = (lambda: None).__code__


Instruction = tuple[CodeType, dict[str, Any], int]
"""An instruction of a program: its code, its global variables, and the offset in the code.

Not the line itself: to find it, Python reads a table from the beginning of the function, which may take
longer than all else that a patch does.
"""


class Caller(NamedTuple):
    """The line of a program that calls dynconf: origins name it, and warnings point to it.

    Each public function captures it once and passes it down. The frame itself is not kept, because it would
    keep the caller's local variables alive.
    """

    code: CodeType
    namespace: dict[str, Any]
    offset: int

    @classmethod
    def of(cls, frame: FrameType) -> "Caller":
        """Return the line that a frame is at."""
        return cls(frame.f_code, frame.f_globals, frame.f_lasti)

    @classmethod
    def at(cls, file: str, line: int) -> "Caller":
        """Return the caller at a line that is known by other means than a frame."""
        return cls(_ONE_LINE.replace(co_filename=file, co_firstlineno=line), {}, 0)

    @property
    def package(self) -> str:
        """The top-level package that the line is in; empty if that is not known."""
        return str(self.namespace.get("__name__", "")).partition(".")[0]

    @property
    def file(self) -> str:
        """The file with the call."""
        return self.code.co_filename

    @property
    def line(self) -> int:
        """The line in that file, counted from 1; 0 if Python knows of none, as in generated code."""
        lines = self.code.co_lines()
        return next(line for _, end, line in lines if self.offset < end) or 0

    def origin(self, kind: Kind, name: str | None = None, raw: str | None = None) -> Origin:
        """Return an origin of this kind at this line."""
        return Origin(kind, name, raw, self.code.co_filename, self.line)

    def warn(self, warning: "DynconfWarning") -> None:
        """Issue *warning* as `warnings.warn` would on this line."""
        import warnings

        module = self.namespace.get("__name__") or "<unknown>"
        registry = self.namespace.setdefault("__warningregistry__", {})
        # Python shows a warning once for each text and line, and notes that in the registry of the module. A
        # loop that sets 500 different values would warn 500 times. So the topic is noted in place of the
        # text, and the next text on that topic counts as shown.
        text, topic = ((key, type(warning), self.line) for key in (str(warning), warning.topic))
        if topic in registry:
            registry[text] = 1
        warnings.warn_explicit(warning, type(warning), self.file, self.line, str(module), registry)
        if warning.topic and registry.pop(text, None):  # Python clears it when filters change
            registry[topic] = 1


def caller() -> Caller:
    """Return the nearest line outside dynconf and the packages that call it for a program."""
    frame = sys._getframe(1)
    while frame.f_back is not None:
        if str(frame.f_globals.get("__name__")).partition(".")[0] not in _OWN_PACKAGES:
            break
        frame = frame.f_back
    return Caller.of(frame)


@functools.cache
def environment_at_start() -> Mapping[str, str]:
    """Return the variables with which the process was started, or the current ones where those are lost.

    Linux keeps them in the memory of the process. Programs that change their title, such as those that use
    setproctitle, overwrite that memory, so the absence of a variable means nothing.
    """
    try:
        content = Path("/proc/self/environ").read_bytes()
    except OSError:
        return dict(os.environ)
    pairs = (entry.partition(b"=") for entry in content.split(b"\0") if b"=" in entry)
    return {os.fsdecode(name): os.fsdecode(text) for name, _, text in pairs}


_RANK_VARIABLES = ("RANK", "SLURM_PROCID", "OMPI_COMM_WORLD_RANK", "PMI_RANK")
"""The variables in which torchrun, srun and the launchers of MPI pass the rank, innermost first."""


def launched_rank() -> str | None:
    """Return the rank that a launcher has given this process, as digits; None if none has."""
    texts = (os.environ.get(name, "") for name in _RANK_VARIABLES)
    return next((text for text in texts if text.isdecimal()), None)
