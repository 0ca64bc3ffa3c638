"""Which torch: the releases that the catalogue knows, and the one at hand."""

import functools
import importlib.metadata
import re
import sys
from dataclasses import dataclass
from typing import Literal

from dynconf.errors import InvalidValueError

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
"""The releases that the catalogue was compared with, oldest first; one for each minor version."""

_RELEASE = re.compile(r"\d+\.\d+(\.\d+)?((a|b|rc)\d+)?(\.dev\d+)?", re.ASCII)

Minor = tuple[int, int]
"""A release as far as flags go: they never change between patches of one minor version."""


@functools.cache
def minor(version: str) -> Minor:
    """Return the major and minor number of a version such as ``2.13.0+cpu`` or ``2.14.0a0+git1``.

    Raises:
        InvalidValueError: The text does not begin with two numbers.
    """
    match = re.match(r"v?(\d{1,4})\.(\d{1,4})(?!\d)", version.strip(), re.ASCII)
    if match is None:
        raise InvalidValueError(f"{version!r} is no torch release: expected one such as 2.13 or 2.13.0")
    return int(match[1]), int(match[2])


OLDEST, NEWEST = minor(RELEASES[0]), minor(RELEASES[-1])


def known(version: str) -> str:
    """Return the full number of the release that *version* means; ``2.6`` is its newest patch known.

    Raises:
        InvalidValueError: The catalogue has nothing on that release, or the text is none.
    """
    wanted, number = minor(version), plain(version).removeprefix("v")
    if not _RELEASE.fullmatch(number):
        raise InvalidValueError(f"{version!r} is no torch release: expected one such as 2.13 or 2.13.0")
    for release in RELEASES:
        if minor(release) == wanted:
            return release if number.count(".") == 1 else number
    raise InvalidValueError(
        f"torch {version} is not in the catalogue: it knows {RELEASES[0]} to {RELEASES[-1]}"
    )


def plain(version: str) -> str:
    """Return *version* without what a build adds to it: ``2.13.0`` of ``2.13.0+cpu``."""
    return version.strip().partition("+")[0]


def clamped(version: str) -> Minor:
    """Return the minor version whose facts answer for *version*: itself, or the nearest one known."""
    return min(max(minor(version), OLDEST), NEWEST)


@dataclass(frozen=True, slots=True)
class AtHand:
    """The torch that answers are given for.

    Attributes:
        version: Its plain version, such as ``2.13.0``.
        source: Where that was learnt: the ``loaded`` module, the ``installed`` distribution, or, where
            there is no torch, the ``newest`` release of the catalogue; ``asked`` when a caller named it.
    """

    version: str
    source: Literal["loaded", "installed", "newest", "asked"]

    @property
    def minor(self) -> Minor:
        """The minor version whose facts answer for this release."""
        return clamped(self.version)


def at_hand() -> AtHand:
    """Return the torch that is loaded, else the one installed, else the newest that is known."""
    torch = sys.modules.get("torch")
    if torch is not None and hasattr(torch, "__version__"):
        return AtHand(plain(str(torch.__version__)), "loaded")
    installed = _installed()
    return AtHand(installed, "installed") if installed else AtHand(RELEASES[-1], "newest")


def asked(version: str) -> AtHand:
    """Return the release that a caller named.

    Raises:
        InvalidValueError: The catalogue has nothing on it.
    """
    return AtHand(known(version), "asked")


@functools.cache
def _installed() -> str | None:
    try:
        return plain(importlib.metadata.version("torch"))
    except importlib.metadata.PackageNotFoundError:
        return None
