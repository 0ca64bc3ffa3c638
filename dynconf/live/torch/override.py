"""The stand-in for the place in which torch keeps the override of one flag, once the flag is installed.

The problem: an installation for the process must be seen by every thread, although a thread may have assigned
or patched the flag long ago, and a context variable cannot be cleared for other threads. But an assignment
after the installation ranks above it, and once the installation is gone, earlier overrides must show again.

The idea: nothing is written to any thread. All threads share one tuple of installed values, each with a
number, its rank; those that are installed for a context are in a second tuple, which each context has for
itself. An override that is set from then on is stored with the rank of the latest installation. One of a
lower rank than the latest installation is *hidden*: torch gets the installed value. A patch of dynconf's
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

The second difficulty is code that restores what it read: see `restoring`. While 32 is installed it would read
32, and later assign it as if somebody had set it. So while it enters, the stand-in gives it a `SavedOverride`
to keep; assigning that puts the stored override back as it was, which may be none at all.
"""

import sys
from collections.abc import Callable, Collection
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from dynconf.catalogue.flags.types import is_same_value
from dynconf.live.torch.restoring import (
    is_entering,
    is_restoring,
    keep_found,
    reads_to_restore,
    setter_of,
)
from dynconf.provenance import DEFAULT, Origin


@dataclass(slots=True, eq=False)
class SavedOverride:
    """Stands for the value that a patch of others found; assigning it puts the override back as it was."""

    home: Any  # the `Override`, or the slot of a flag that has none
    stored: Any


@dataclass(slots=True, eq=False)
class RankedOverride:
    """An override that was set while its flag was installed."""

    value: Any
    rank: int  # the number of the installation that was the latest then
    hidden: Any  # the hidden override that this one replaced, or torch's sentinel
    # What it replaced, if it is a patch's which could not be given a `SavedOverride`.
    saved: SavedOverride | None = None


@dataclass(slots=True, eq=False)
class LayerValue:
    """A value that is installed, for the process or for a context; or held, or a library's default."""

    rank: int
    installation: Any  # None for the lowest one
    value: Any
    origin: Origin


class Override:
    """Stands in for the place of a flag's override.

    Args:
        read: Returns the override that is stored for the running thread or task, or for the process.
        write: Replaces that.
        unset: The stored value for no override.
        is_patched: Tells whether a patch of dynconf's sets the flag here.
    """

    __slots__ = (
        "_for_context",
        "_for_process",
        "_is_patched",
        "_read",
        "_write",
        "lowest",
        "none",
        "reset",
        "unset",
    )
    # Of what `isinstance` takes for a ContextVar, Dynamo traces `get` and guards its answer (torch 2.14).
    __class__ = ContextVar  # type: ignore[assignment]

    def __init__(
        self,
        read: Callable[[], Any],
        write: Callable[[Any], Any],
        unset: Any,
        is_patched: Callable[[], bool],
    ) -> None:
        self._read = read
        self._write = write
        self._is_patched = is_patched
        # `none` is the stored object that counts as no override: `unset`, or in a module that stores its
        # defaults in the same place, once a library has set another default, torch's.
        self.unset = self.none = unset
        self.reset: Callable[[Any], None] | None = None  # that of the variable here, for torch to call
        # Tuples are replaced, never changed, so that a thread which reads one needs no lock.
        self.lowest = LayerValue(0, None, unset, DEFAULT)  # stands for nothing installed
        self._for_process: tuple[LayerValue, ...] = (self.lowest,)
        self._for_context: ContextVar[tuple[LayerValue, ...]] = ContextVar("installed", default=())

    def replace_installed(self, values: Collection[LayerValue]) -> None:
        """Have these values installed, for the process or this context, the latest last."""
        own = tuple(each for each in values if each.installation.is_for_context)
        self._for_context.set(own)
        self._for_process = self.lowest, *(each for each in values if each not in own)

    def latest(self) -> LayerValue:
        """Return the value that was installed last, for the process or for this context, or `lowest`."""
        latest, own = self._for_process[-1], self._for_context.get()
        return own[-1] if own and own[-1].rank > latest.rank else latest

    def get(self) -> Any:
        """Return the override as torch sees it: the stored one if it counts, else the installed value."""
        # Why not ask `latest`? torch calls this each time that it reads the flag.
        read = self._read
        stored, latest, own = read(), self._for_process[-1], self._for_context.get()
        if own and own[-1].rank > latest.rank:
            latest = own[-1]
        if stored is self.none or (latest.rank and self._is_hidden(stored, latest.rank)):
            return latest.value
        return without_rank(stored)

    def effective_override(self) -> Any:
        """Return the stored override if it counts, or `unset`."""
        stored = self._read()
        is_hidden = stored is self.none or self._is_hidden(stored, self.latest().rank)
        return self.unset if is_hidden else without_rank(stored)

    def set(self, value: Any, name: str | None = None, /) -> Any:
        """Set the override, the way torch calls it; *name* is the flag, where the caller knows it."""
        if type(value) is SavedOverride:
            return self._write(value.stored)
        frame, name = setter_of(sys._getframe(1), name)
        stored = self._read()
        if is_restoring(frame):
            # It entered before there was a stand-in, or it would have a `SavedOverride` to assign. So its
            # value is older than every installation, unless it could not be given one.
            saved = stored.saved if type(stored) is RankedOverride else None
            return self._write(value if saved is None else saved.stored)
        saved = SavedOverride(self, stored)
        by_patch = keep_found(frame, name, saved)
        is_unsaved = not by_patch and is_entering(frame)
        ranked = self._ranked(stored, value, by_patch=by_patch or is_unsaved)
        if type(ranked) is RankedOverride:
            ranked.saved = saved if is_unsaved else None
        return self._write(ranked)

    def _ranked(self, stored: Any, value: Any, *, by_patch: bool) -> Any:
        """Return the override to store for *value* in place of *stored*; *by_patch*: a patch is entering."""
        latest = self.latest()
        if not latest.rank:  # nothing is installed any more
            return value
        if self._is_hidden(stored, latest.rank):
            hidden = stored
        else:
            hidden = stored.hidden if type(stored) is RankedOverride else self.unset
        if type(hidden) is RankedOverride:
            hidden = RankedOverride(hidden.value, hidden.rank, self.unset)  # else a chain would grow
        # Code that restores by hand, `old = config.x; ...; config.x = old`, assigns the installed value.
        # With a rank it would outlive the installation.
        is_restored = not by_patch and is_same_value(value, latest.value) and not self._is_patched()
        return hidden if value is self.unset or is_restored else RankedOverride(value, latest.rank, hidden)

    def _is_hidden(self, stored: Any, rank: int) -> bool:
        """Tell whether the override is older than the installation of that rank."""
        if not rank or (type(stored) is RankedOverride and stored.rank >= rank):
            return False
        # Why not store a patch with a rank of its own? It may be entered in many threads before the flag is
        # ever installed, and none of those overrides could be given one afterwards.
        return not self._is_patched()


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
