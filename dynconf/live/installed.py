"""The values that are installed, for the process or for a context, below every patch.

The problem: the overrides of other threads cannot be written, and those of threads that have yet to start do
not exist. So an installation writes no override at all. Each flag that is installed gets an `Override` in
torch's place, once and for good, and the installed values are a stack in it, which every thread reads.

Why are those for one context not simply overrides? Whatever was patched there before, by torch or by
``unittest.mock``, would overwrite them when it is left, and they in turn would put back what it had set.

Example: ``a = install(x=32); b = install(x=48)`` makes the stack of x ``nothing, 32 (rank 1), 48 (rank 2)``,
and every thread reads 48. ``a.uninstall()`` takes 32 out of the middle, which no thread notices;
``b.uninstall()`` leaves ``nothing``, and each thread reads its own override again, or torch's default.

Why does the `Override` stay when nothing is installed any more? Another thread may be reading through it, or
may hold a `SavedOverride` of it, and in the place of a plain value neither would be understood.
"""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from dynconf.live.chain import chain_for
from dynconf.live.change import Change, Storages, by_storage, refuse_deleted
from dynconf.live.torch.lock import locked
from dynconf.live.torch.override import InstalledValue, Override, OverrideWithImplications
from dynconf.live.torch.slot import Slot


class InstalledValues:
    """All installed values, the latest on top.

    A method that was interrupted can be called again, with the same result as without the interruption: the
    callers do that to undo, and so every step replaces a whole tuple.

    Attributes:
        latest_rank: The number of the latest installation.
        slots: The flags that have been installed so far, which have a stand-in.
    """

    def __init__(self) -> None:
        self.latest_rank = 0
        self.slots: set[Slot] = set()

    @locked
    def enter_below(self, installation: Change, values: Mapping[Slot, Any]) -> None:
        """Put the values, which nothing else may share, on top of those that are installed."""
        if self.holds(installation):
            return
        refuse_deleted(values)
        self.latest_rank += 1
        for slot, value in values.items():
            origin = installation.origin_of(slot)
            made = InstalledValue(self.latest_rank, installation, value, origin, installation.is_for_context)
            override = self.stand_in(slot)
            override.installed = (*override.installed, made)
        expire_caches(installation.storages, is_for_context=installation.is_for_context)

    def stand_in(self, slot: Slot) -> Override:
        """Return the stand-in of the flag, which gets one if it has none."""
        override = slot.override
        if override is None or slot not in self.slots:  # an interruption may have come in between
            kind = OverrideWithImplications if slot.storage.implications else Override
            is_patched = partial(chain_for(slot.storage).sets, slot)
            override = kind(slot.stored, slot.store, slot.storage.unset, is_patched)
            slot.read_through(override)
            self.slots.add(slot)
        return override

    @locked
    def leave(self, installation: Change, slots: Iterable[Slot]) -> None:
        """Take out the values of an installation, which are those of these slots."""
        for slot in slots:
            if slot.override is not None:
                kept = (each for each in slot.override.installed if each.installation is not installation)
                slot.override.installed = tuple(kept)
        expire_caches(installation.storages, is_for_context=installation.is_for_context)

    @locked
    def drop(self, slots: Iterable[Slot]) -> None:
        """Take out everything that is installed for the slots."""
        installed = self.slots.intersection(slots)
        for slot in installed:
            if slot.override is not None:
                slot.override.installed = slot.override.installed[:1]
        expire_caches(by_storage(installed))

    def holds(self, installation: Change) -> bool:
        """Tell whether any value of the installation is in force."""
        return any(
            each.installation is installation
            for slot in installation.slot_values
            if slot.override is not None
            for each in slot.override.installed
        )


INSTALLED = InstalledValues()


def expire_caches(storages: Storages, *, is_for_context: bool = False) -> None:
    """Have torch compute its hashes and dicts again, in every thread, or in this context alone."""
    for storage, slots in storages:
        (storage.mark_changed if is_for_context else storage.expire_caches)(slots)
