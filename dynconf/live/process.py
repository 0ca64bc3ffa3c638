"""What is installed for the process where overrides belong to a thread or task, from torch 2.12 on.

Such values go below every override, to where torch keeps the value of an environment variable: every thread
sees them, also those that run already.
"""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from dynconf.live.chain import PER_CONTEXT, Owner, locked
from dynconf.live.insides import ContextInside
from dynconf.live.slot import Slot

if TYPE_CHECKING:
    from dynconf.origin import Origin

Installed = tuple[Owner, dict[Slot, Any]]


class ProcessLayer:
    """The values of the installations for the process, the latest on top.

    Each method can be repeated if it was interrupted, and then ends as if it had not been.
    """

    def __init__(self) -> None:
        self._originals: dict[Slot, Any] = {}
        self._installed: list[Installed] = []

    @locked
    def add(self, owner: Owner, values: dict[Slot, Any]) -> None:
        """Put the values, which belong to nobody else, on top of what is installed."""
        for slot in values:
            self._originals.setdefault(slot, slot.binding.inside.process_value(slot))
            if slot.fresh is not None:
                _inside(slot).see_through_copies(slot, _is_patched)
        self._installed.append((owner, values))
        self._write(values, self._installed)

    @locked
    def remove(self, owner: Owner) -> None:
        """Take out the values of *owner*."""
        kept = [each for each in self._installed if each[0] is not owner]
        gone = {slot for each, values in self._installed if each is owner for slot in values}
        self._write(gone, kept)
        self._installed = kept

    @locked
    def drop(self, slots: Collection[Slot]) -> None:
        """Take out everything that is installed for the slots."""
        kept = [
            (owner, {slot: value for slot, value in values.items() if slot not in slots})
            for owner, values in self._installed
        ]
        self._write({slot for _, values in self._installed for slot in values if slot in slots}, kept)
        self._installed = kept

    def owners(self) -> list[Owner]:
        """Return the installations, the latest first."""
        return [owner for owner, _ in reversed(self._installed)]

    def origin_of(self, slot: Slot) -> "Origin | None":
        """Return where the installed value of the slot came from; None if nothing is installed for it."""
        return next(
            (owner.origin_of(slot) for owner, values in reversed(self._installed) if slot in values), None
        )

    def original(self, slot: Slot) -> Any:
        """Return what the process had before anything was installed for the slot, or `unset`."""
        if slot in self._originals:
            return self._originals[slot]
        return slot.binding.inside.process_value(slot)

    def _write(self, slots: Collection[Slot], installed: Sequence[Installed]) -> None:
        for slot in slots:
            values = [values[slot] for _, values in installed if slot in values]
            _inside(slot).set_process_value(slot, values[-1] if values else self._originals[slot])
        for inside in {_inside(slot) for slot in slots}:
            inside.expire_caches()


PROCESS = ProcessLayer()


def _inside(slot: Slot) -> ContextInside:
    inside = slot.binding.inside
    assert isinstance(inside, ContextInside)
    return inside


def _is_patched(value: object) -> bool:
    """Tell whether a patch in force, or an installation for the context, put the object there."""
    return any(value is each for frame in PER_CONTEXT.frames() for each in frame.values.values())
