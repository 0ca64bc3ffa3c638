"""Where the live value of a flag came from, and the live values of all flags with their origins."""

from itertools import compress, repeat
from operator import is_not
from typing import Any

from dynconf.flags.flag import qualified
from dynconf.flags.types import same
from dynconf.live.binding import Binding, Quiet, Row, bind, loaded
from dynconf.live.chain import refuse_deleted
from dynconf.live.override import plain
from dynconf.live.slot import ABSENT, Slot
from dynconf.names import split
from dynconf.origin import DEFAULT, Origin

ASSIGNED: dict[Slot, tuple[Any, Origin]] = {}
"""What was assigned last while somebody watched, and by which line; see `dynconf.live.watch`."""


def origin(flag: str) -> Origin:
    """Return where the effective value of *flag* came from, in the running thread or task.

    Raises:
        UnknownFlagError: torch has no such flag, or it was deleted from its module.

    Example:
        >>> import dynconf
        >>> with dynconf.patch(verbose=True):
        ...     dynconf.origin("verbose").kind
        'patch'
    """
    return origin_in("dynamo", flag)


def origin_in(module: str, flag: str) -> Origin:
    """Return where the effective value of a flag came from; flags of *module* go by bare names."""
    module, name = split(str(flag), module)
    target = bind(module).alias_of(name)
    if target:
        return Origin("alias", target)
    slot = bind(module).slot(name)
    refuse_deleted([slot])
    return origin_of(slot)


def origin_of(slot: Slot) -> Origin:
    """Return where the effective value of the slot's flag came from."""
    if slot.is_at_rest():
        # torch reads the environment once, while it is imported, so the answer stays the same.
        if slot.resting is None:
            slot.resting = slot.imported_origin()
        return slot.resting
    _, ruler = slot.ruling()
    if ruler is not None:
        return ruler
    override = slot.own()
    if override is not slot.binding.inside.unset:
        found = _origin_of_override(slot, override)
        if found is not None:
            return found
    owner = slot.layers[-1].owner
    return slot.imported_origin() if owner is None else owner.origin_of(slot)


def _origin_of_override(slot: Slot, override: Any) -> Origin | None:
    """Return who set the override; None if nothing would change without it."""
    frame = slot.binding.chain.highest(slot)
    if frame is not None and same(plain(frame.values[slot]), override):
        return frame.owner.origin_of(slot)
    # What torch's own patch leaves behind, and the copy of a default that reading makes, was not set.
    installed = slot.layers[-1]
    without = slot.imported() if installed.owner is None else installed.value
    if frame is None and same(override, without):
        return None
    assigned, line = ASSIGNED.get(slot, (ABSENT, DEFAULT))
    return line if assigned is override else Origin("assignment")


def snapshot_values(module: str = "dynamo") -> tuple[dict[str, Any], dict[str, Origin]]:
    """Return the effective value of every flag of a module by its bare name, and where each came from.

    For dynamo, what is set in the other config modules that are loaded comes with it, by full names. Flags
    that were deleted from the module are left out.
    """
    binding = bind(module)
    values: dict[str, Any] = dict(_quiet(binding).values)
    origins = dict.fromkeys(values, DEFAULT)
    for name, slot, alias in _rows_that_may_be_set(binding):
        if slot.resting is not None and slot.seen() is binding.inside.unset:  # as nearly always
            values[name], origins[name] = slot.default(), alias or slot.resting
        else:
            values[name], origins[name] = slot.read(), alias or origin_of(slot)
    gone = binding.inside.deleted()
    for row in binding.table() if gone else ():
        if row.slot.name in gone:
            del values[row.name], origins[row.name]
    for other in loaded() if module == "dynamo" else ():
        for name, slot, alias in _rows_that_may_be_set(other) if other is not binding else ():
            found = alias or origin_of(slot)
            if found.kind not in ("default", "alias"):
                full = qualified(other.catalogue.name, name)
                values[full], origins[full] = slot.read(), found
    return values, origins


def _quiet(binding: Binding) -> Quiet:
    if binding.quiet is None:
        rows = {row: row.slot.get for row in binding.table() if _is_quiet(row)}
        binding.quiet = Quiet(
            rows,
            [row for row in binding.table() if row not in rows],
            {row.name: row.slot.default() if row in rows else None for row in binding.table()},
        )
    return binding.quiet


def _rows_that_may_be_set(binding: Binding) -> list[Row]:
    """Return the rows of all flags but those that are surely at their defaults, which is nearly all."""
    rows, others, _ = _quiet(binding)
    overrides = [get() for get in rows.values()]
    return [*others, *compress(rows, map(is_not, overrides, repeat(binding.inside.unset)))]


def _is_quiet(row: Row) -> bool:
    """Tell whether the flag has torch's own default, always the same object, while it has no override."""
    slot = row.slot
    return (
        row.alias is None
        and slot.override is None
        and slot.is_plain
        and slot.is_fixed
        and slot.imported_origin() is DEFAULT
    )
