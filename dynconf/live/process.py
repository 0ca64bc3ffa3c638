"""What is installed for the process: the same for every thread and task, below every patch."""

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from dynconf.live.chain import Owner, parts_of, refuse_deleted
from dynconf.live.lock import locked
from dynconf.live.override import Installed
from dynconf.live.slot import Slot

if TYPE_CHECKING:
    from dynconf.origin import Origin


class ProcessLayer:
    """The values of the installations for the process, the latest on top.

    A method that was interrupted can be called again, with the same result as without the interruption.

    Attributes:
        stamp: The number of the latest installation.
        slots: The flags that have been installed so far, and so have a stand-in.
    """

    def __init__(self) -> None:
        self.stamp = 0
        self.slots: set[Slot] = set()

    @locked
    def add(self, owner: Owner, values: Mapping[Slot, Any]) -> None:
        """Put the values, which nothing else may share, on top of what is installed."""
        if self.holds(owner, values):
            return
        refuse_deleted(values)
        self.stamp += 1
        for slot, value in values.items():
            if slot.override is None:
                slot.binding.inside.stand_in(slot)
                slot.binding.quiet = None
                self.slots.add(slot)
            assert slot.override is not None
            slot.override.replace_layers((*slot.override.layers, Installed(self.stamp, owner, value)))
        _expire(values)

    @locked
    def remove(self, owner: Owner, slots: Collection[Slot]) -> None:
        """Take out the values of *owner* for the slots."""
        for slot in slots:
            if slot.override is not None:
                slot.override.replace_layers(
                    tuple(layer for layer in slot.override.layers if layer.owner is not owner)
                )
        _expire(slots)

    @locked
    def drop(self, slots: Collection[Slot]) -> None:
        """Take out everything that is installed for the slots."""
        installed = [slot for slot in slots if slot.override is not None and slot.override.layers]
        for slot in installed:
            slot.override.replace_layers(())  # type: ignore[union-attr]
        _expire(installed)

    def holds(self, owner: Owner, slots: Iterable[Slot]) -> bool:
        """Tell whether any value of *owner* is installed."""
        return any(layer.owner is owner for slot in slots if slot.override for layer in slot.override.layers)

    def owners(self) -> list[Owner]:
        """Return the installations that are in force, the latest first."""
        layers = (layer for slot in self.slots if slot.override for layer in slot.override.layers)
        stamps = {layer.owner: layer.stamp for layer in layers}
        return sorted(stamps, key=lambda owner: -stamps[owner])

    def original(self, slot: Slot) -> Any:
        """Return what ranks above torch's default for the process when nothing is installed, or `unset`."""
        return slot.binding.inside.process_value(slot)

    def origin_of(self, slot: Slot) -> "Origin | None":
        """Return where the installed value of the slot came from; None if nothing is installed for it."""
        layers = slot.override.layers if slot.override else ()
        return layers[-1].owner.origin_of(slot) if layers else None


PROCESS = ProcessLayer()


def _expire(slots: Iterable[Slot]) -> None:
    for inside, own in parts_of(slots):
        inside.expire_caches(own)
