"""The live state as data."""

from typing import Any

from dynconf.live.binding import Binding, live
from dynconf.live.origin import origin_of
from dynconf.provenance import Origin
from dynconf.state.snapshot import Snapshot


def snapshot() -> Snapshot:
    """Return the effective values of all flags in the running thread or task, each with its origin.

    Example:
        >>> import dynconf
        >>> with dynconf.patch(recompile_limit=64):
        ...     state = dynconf.snapshot()
        >>> state.values["recompile_limit"], state.origins["recompile_limit"].kind
        (64, 'patch')
    """
    return snapshot_of(live())


def snapshot_of(binding: Binding) -> Snapshot:
    """Return the effective values of all flags of that module."""
    values: dict[str, Any] = {}
    origins: dict[str, Origin] = {}
    for name, slot, alias in binding.table():
        if slot.resting is not None and binding.is_at_rest(slot):
            # Nearly all flags, nearly always; the rest of the loop costs ten times as much.
            values[name] = binding.default(slot)
            origins[name] = alias or slot.resting
        else:
            values[name] = binding.read(slot)
            origins[name] = alias or origin_of(binding, slot)
    return Snapshot(binding.version, values, origins)
