"""What is installed for the process: the same for every thread and task, below every patch."""

from collections.abc import Iterable, Mapping
from typing import Any

from dynconf.live.chain import Owner, parts_of, refuse_deleted, slots_of
from dynconf.live.lock import locked
from dynconf.live.override import Installed
from dynconf.live.slot import Slot


class ProcessLayer:
    """The values of the installations for the process, the latest on top.

    A method that was interrupted can be called again, with the same result as without the interruption.
    """

    def __init__(self) -> None:
        self.stamp = 0  # the number of the latest installation
        self.slots: set[Slot] = set()  # the flags installed so far, which have a stand-in

    @locked
    def enter_below(self, owner: Owner, values: Mapping[Slot, Any]) -> None:
        """Put the values, which nothing else may share, on top of what is installed."""
        if self.holds(owner):
            return
        refuse_deleted(values)
        self.stamp += 1
        for slot, value in values.items():
            if slot not in self.slots:
                slot.binding.inside.stand_in(slot)
                slot.binding.quiet = None
                self.slots.add(slot)
            slot.layers = (*slot.layers, Installed(self.stamp, owner, value))
        _expire(values)

    @locked
    def leave(self, owner: Owner) -> None:
        """Take out the values of *owner*."""
        for slot in slots_of(owner):
            slot.layers = tuple(layer for layer in slot.layers if layer.owner is not owner)
        _expire(slots_of(owner))

    @locked
    def drop(self, slots: Iterable[Slot]) -> None:
        """Take out everything that is installed for the slots."""
        installed = self.slots.intersection(slots)
        for slot in installed:
            slot.layers = slot.layers[:1]
        _expire(installed)

    def holds(self, owner: Owner) -> bool:
        """Tell whether any value of *owner* is installed."""
        return any(layer.owner is owner for slot in slots_of(owner) for layer in slot.layers)

    def owners(self) -> list[Owner]:
        """Return the installations that are in force, the latest first."""
        stamps = {layer.owner: layer.stamp for slot in self.slots for layer in slot.layers}
        return [owner for owner in sorted(stamps, key=stamps.__getitem__, reverse=True) if owner]


PROCESS = ProcessLayer()


def _expire(slots: Iterable[Slot]) -> None:
    for inside, own in parts_of(slots):
        inside.expire_caches(own)
