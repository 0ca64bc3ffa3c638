"""The live state as data."""

from typing import TYPE_CHECKING, Any

from dynconf.live.binding import Binding, live
from dynconf.live.origin import origin_of
from dynconf.state.snapshot import Snapshot

if TYPE_CHECKING:
    from dynconf.provenance import Origin


def snapshot() -> Snapshot:
    """Return the effective values of all flags in the running thread or task, each with its origin."""
    return snapshot_of(live())


def snapshot_of(binding: Binding) -> Snapshot:
    """Return the effective values of all flags of that module."""
    values: dict[str, Any] = {}
    origins: dict[str, Origin] = {}
    for name, slot, alias in binding.table():
        if slot.resting is not None and binding.is_at_rest(slot):
            # Nearly all flags, nearly always; the rest of the loop costs ten times as much.
            values[name] = slot.default()
            origins[name] = alias or slot.resting
        else:
            values[name] = binding.read(slot)
            origins[name] = alias or origin_of(binding, slot)
    return Snapshot(binding.version, values, origins)
