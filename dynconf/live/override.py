"""The stand-in for the place in which torch keeps the override of one flag, once the flag is installed.

The problem: an installation for the process must be seen by every thread, although a thread may have assigned
or patched the flag long ago, and a context variable cannot be cleared for other threads. But an assignment
after the installation ranks above it, and once the installation is gone, earlier overrides must show again.

The idea: nothing is written to any thread. All threads share one tuple of installed values, each with a
number, its rank. An override that is set from then on is stored with the rank of the latest installation. One
of a lower rank than the latest installation is *hidden*: torch gets the installed value. A patch of dynconf's
ranks above everything for as long as its frame is on the chain.

Example, in one thread, with 8 for torch's default:

====================  ====================================  =================================  ============
step                  stored in torch's place               installed                          torch reads
====================  ====================================  =================================  ============
``config.x = 9``      9                                     nothing                            9
``install(x=32)``     9, hidden                             32, rank 1                         32
``config.x = 5``      RankedOverride(5, rank 1, hidden=9)   32, rank 1                         5
``install(x=48)``     the same, hidden                      32, rank 1; 48, rank 2             48
uninstall 48          the same                              32, rank 1                         5
``del`` of 32         the same                              nothing                            5
====================  ====================================  =================================  ============

The second difficulty is code that restores: torch's own patch and ``unittest.mock`` read a flag, and later
assign the value that they read. While 32 is installed they would read 32 and then assign it, as if somebody
had set 32. So while they enter, the stand-in replaces the value that they found by a `SavedOverride`.
Assigning that puts the stored override back as it was, which may be none at all.
"""

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dynconf.flags.types import is_same_value
from dynconf.live.torch_internals import MONKEYPATCH, found_values, reads_to_restore, restorer, setter_of
from dynconf.origin import DEFAULT, Origin

ALWAYS = math.inf
"""The rank of a patch, which counts whatever is installed for the process."""


@dataclass(slots=True, eq=False)
class RankedOverride:
    """An override that was set while its flag was installed."""

    value: Any
    rank: float  # the number of the installation that was the latest then
    hidden: Any  # the hidden override that this one replaced, or torch's sentinel


@dataclass(slots=True, eq=False)
class SavedOverride:
    """Stands for the value that a foreign patch found; assigning it puts the override back as it was."""

    home: Any  # the `Override`, or the slot of a flag that has none
    stored: Any


@dataclass(slots=True, eq=False)
class InstalledValue:
    """A value that is installed for the process."""

    rank: int
    installation: Any  # None for the lowest one, which stands for nothing installed
    value: Any
    origin: Origin


class Override:
    """Stands in for the place of a flag's override.

    Args:
        read: Returns the override that is stored for the running thread or task, or for the process.
        write: Replaces that.
        unset: The stored value for no override.
        patch_rank: Returns the rank of the highest frame that sets the flag here, or None without one.

    Attributes:
        reset: The method of the context variable that this replaces, for torch to call.
        none: The stored object that counts as no override. It is `unset`, or in a module that stores its
            defaults in the same place, once a library has set another default, torch's.
        installed: The installed values, the latest last, above a first one that installs nothing. It is
            replaced, never changed, so that a thread which reads it needs no lock.
    """

    __slots__ = ("_patch_rank", "_read", "_write", "installed", "none", "reset", "unset")

    def __init__(
        self,
        read: Callable[[], Any],
        write: Callable[[Any], Any],
        unset: Any,
        patch_rank: Callable[[], float | None],
    ) -> None:
        self._read = read
        self._write = write
        self._patch_rank = patch_rank
        self.unset = self.none = unset
        self.reset: Callable[[Any], None] | None = None
        self.installed: tuple[InstalledValue, ...] = (InstalledValue(0, None, unset, DEFAULT),)

    def get(self) -> Any:
        """Return the override as torch sees it: the stored one if it counts, else the installed value."""
        stored = self._read()
        latest = self.installed[-1]
        if stored is self.none or (latest.rank and self._is_hidden(stored, latest.rank)):
            return latest.value
        return without_rank(stored)

    def effective_override(self) -> Any:
        """Return the stored override if it counts, or `unset`."""
        stored = self._read()
        is_hidden = stored is self.none or self._is_hidden(stored, self.installed[-1].rank)
        return self.unset if is_hidden else without_rank(stored)

    def set(self, value: Any, name: str | None = None, /) -> Any:
        """Set the override, the way torch calls it; *name* is the flag, where the caller knows it."""
        if type(value) is SavedOverride:
            return self._write(value.stored)
        frame, name = setter_of(sys._getframe(1), name)
        stored = self._read()
        who = restorer(frame)
        if who is not None:
            # It entered before there was a stand-in, or it would have a `SavedOverride` to assign. So its
            # value is older than every installation. Only monkeypatch never gets one, for it does not enter:
            # it set the override that it now takes back.
            is_ranked = type(stored) is RankedOverride and who == MONKEYPATCH
            return self._write(stored.hidden if is_ranked else value)
        found = found_values(frame, name)
        if found is not None:
            self._save(stored, *found)
        return self._write(self._ranked(stored, value, by_patch=found is not None))

    def _save(self, stored: Any, found: Any, key: str) -> None:
        # A patch may set a flag under two names, an alias and the newer one. By the second one it has set
        # the flag itself, so the value that the first one found counts for both.
        mine = (each for each in found.values() if type(each) is SavedOverride and each.home is self)
        found[key] = next(mine, None) or SavedOverride(self, stored)

    def _ranked(self, stored: Any, value: Any, *, by_patch: bool) -> Any:
        """Return the override to store for *value* in place of *stored*; *by_patch*: a patch is entering."""
        latest = self.installed[-1]
        if not latest.rank:
            # Nothing is installed any more. A rank would now be wrong as well as useless: monkeypatch would
            # put back the override hidden below it, rather than the value that it found.
            return value
        if self._is_hidden(stored, latest.rank):
            hidden = stored
        else:
            hidden = stored.hidden if type(stored) is RankedOverride else self.unset
        if type(hidden) is RankedOverride:
            hidden = RankedOverride(hidden.value, hidden.rank, self.unset)  # else a chain would grow
        # Code that restores by hand, `old = config.x; ...; config.x = old`, assigns the installed value.
        # With a rank it would outlive the installation.
        is_restored = not by_patch and is_same_value(value, latest.value) and self._patch_rank() is None
        return hidden if value is self.unset or is_restored else RankedOverride(value, latest.rank, hidden)

    def _is_hidden(self, stored: Any, rank: float) -> bool:
        """Tell whether the override is older than the installation of that rank."""
        if not rank or (type(stored) is RankedOverride and stored.rank >= rank):
            return False
        # Why not store a patch with a rank of its own? It may be entered in many threads before the flag is
        # ever installed, and none of those overrides could be given one afterwards.
        patch_rank = self._patch_rank()
        return patch_rank is None or patch_rank < rank


class OverrideWithImplications(Override):
    """The stand-in in a module in which flags imply values of others (torch 2.15).

    There torch's own patch keeps the value that it reads here, to put it back, so it can be given a
    `SavedOverride` at once.
    """

    __slots__ = ()

    def get(self) -> Any:
        if reads_to_restore(sys._getframe(1)):
            return SavedOverride(self, self._read())
        return super().get()


def without_rank(stored: Any) -> Any:
    """Return the value of a stored override."""
    return stored.value if type(stored) is RankedOverride else stored
