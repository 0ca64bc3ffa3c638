"""A state in the languages that can set it: lines for a shell, a TOML file, a Python program."""

from collections.abc import Iterable
from dataclasses import dataclass

from dynconf.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Export:
    """A state as text, and what could not be written.

    Attributes:
        text: The text, with a line break at the end of each line.
        notes: One sentence for each flag that was left out, with the reason.
    """

    text: str
    notes: tuple[str, ...] = ()


def to_shell(snapshot: Snapshot, names: Iterable[str]) -> Export:
    """Return the lines with which a POSIX shell sets these flags.

    torch's own variable is preferred, so that bare torch sees the value too; a variable that would get in the
    way is unset.
    """
    raise NotImplementedError


def to_toml(snapshot: Snapshot, names: Iterable[str]) -> Export:
    """Return these flags as a ``dynconf.toml``."""
    raise NotImplementedError


def to_python(snapshot: Snapshot, names: Iterable[str]) -> Export:
    """Return a program that installs these flags."""
    raise NotImplementedError
