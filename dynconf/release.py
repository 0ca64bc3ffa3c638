"""The torch releases that the catalogue covers, and the release at hand."""

import functools
import importlib.util
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from dynconf.errors import InvalidValueError
from dynconf.text import MOST_SHOWN

RELEASES = (
    "2.4.1",
    "2.5.1",
    "2.6.0",
    "2.7.1",
    "2.8.0",
    "2.9.1",
    "2.10.0",
    "2.11.0",
    "2.12.1",
    "2.13.0",
    "2.14.1",
    "2.15.0",
)
"""The releases that the catalogue has been compared with, oldest first; one for each minor version."""

Minor = tuple[int, int]
"""A minor version, such as ``(2, 13)``: flags never change between its patch releases."""

Source = Literal["loaded", "installed", "newest", "named"]

_MINOR = re.compile(r"v?(\d{1,4})\.(\d{1,4})(?!\d)", re.ASCII)
_VERSION = re.compile(r"\d+\.\d+(\.\d+)?((a|b|rc)\d+)?(\.post\d+)?(\.dev\d+)?", re.ASCII)


@functools.lru_cache(maxsize=256)
def minor(version: str) -> Minor:
    """Return the major and minor number of a version such as ``2.14.0a0+git1``."""
    match = _MINOR.match(version.strip())
    if match is None:
        raise _not_a_release(version)
    return int(match[1]), int(match[2])


def within(release: Minor, since: str, until: str) -> bool:
    """Tell whether a release lies between two others, inclusive; an empty *until* is open-ended."""
    return minor(since) <= release and (not until or release <= minor(until))


OLDEST, NEWEST = minor(RELEASES[0]), minor(RELEASES[-1])


@dataclass(frozen=True, slots=True)
class Release:
    """A torch release; two of the same version are equal.

    Attributes:
        version: The version without the build tag, such as ``2.13.0``.
        source: Why this release: it is ``loaded``, ``installed``, the ``newest`` in the catalogue because
            there is no torch, or ``named`` by the caller.
        minor: The minor version whose facts apply: its own, or the closest one in the catalogue.
    """

    version: str
    source: Source = field(compare=False)
    minor: Minor = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "minor", min(max(minor(self.version), OLDEST), NEWEST))

    @property
    def is_beyond_catalogue(self) -> bool:
        """Whether the release is newer than the catalogue."""
        return minor(self.version) > NEWEST

    @classmethod
    def at_hand(cls) -> "Release":
        """Return the torch that is loaded, else the one that is installed, else the newest known."""
        if (loaded := getattr(sys.modules.get("torch"), "__version__", None)) is not None:
            return _at_hand(str(loaded), "loaded")
        if installed := installed_version():
            return _at_hand(installed, "installed")
        return _at_hand(RELEASES[-1], "newest")

    @classmethod
    def named(cls, text: str) -> "Release":
        """Return the release that *text* names; ``2.6`` means the newest patch release of 2.6.

        Raises:
            InvalidValueError: The text does not name a release, or the catalogue does not cover it.
        """
        if not isinstance(text, str):  # as a float, 2.10 would be 2.1
            raise _not_a_release(text)
        wanted, number = minor(text), _without_build(text).removeprefix("v")
        if not _VERSION.fullmatch(number):
            raise _not_a_release(text)
        for release in RELEASES:
            if minor(release) == wanted:
                return cls(release if number.count(".") == 1 else number, "named")
        raise InvalidValueError(
            f"torch {text} is not in the catalogue, which covers {RELEASES[0]} to {RELEASES[-1]}"
        )


@functools.lru_cache(maxsize=8)
def _at_hand(version: str, source: Source) -> Release:
    return Release(_without_build(version), source)


@functools.cache
def installed_build() -> Mapping[str, str]:
    """Return what the ``version.py`` of the installed torch assigns, as texts; empty if there is no torch.

    Its names are ``__version__``, ``cuda``, ``hip``, ``debug`` and so on. The metadata of distributions has
    the version, too, but to read that takes a third of the time of `dynconf dump`.
    """
    try:
        text = Path(torch_folder() or "", "version.py").read_text(encoding="utf-8")
    except OSError:
        return {}
    assigned = re.findall(r"^(\w+)(?:: [^=]+)? = (.+)$", text, re.MULTILINE)
    return {name: value.strip("'\"") for name, value in assigned}


def installed_version() -> str:
    """Return the version of the installed torch with its build tag, or an empty text if there is none."""
    return installed_build().get("__version__", "")


def torch_folder() -> str | None:
    """Return the folder of the torch that is loaded, or that would be."""
    loaded = sys.modules.get("torch")
    spec = importlib.util.find_spec("torch") if loaded is None else None
    folders = getattr(loaded, "__path__", None) or getattr(spec, "submodule_search_locations", None)
    return str(folders[0]) if folders else None


def _without_build(version: str) -> str:
    return version.strip().partition("+")[0]


def _not_a_release(text: object) -> InvalidValueError:
    quoted = repr(text)[:MOST_SHOWN]
    return InvalidValueError(f"{quoted} is not a torch release: expected one such as 2.13 or 2.13.0")
