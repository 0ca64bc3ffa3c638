"""Where the live value of a flag came from."""

from typing import Any

from dynconf.catalogue.flags.types import is_same_value
from dynconf.catalogue.names import exact, split
from dynconf.live.assignments import Assignment, assignment_of
from dynconf.live.binding import bind
from dynconf.live.chain import Frame, chain_for
from dynconf.live.change import refuse_deleted
from dynconf.live.torch.lock import locked
from dynconf.live.torch.override import without_rank
from dynconf.live.torch.slot import Slot
from dynconf.provenance import Origin


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
    module, name = split(exact(flag), module)
    target = bind(module).alias_of(name)
    if target:
        return Origin("alias", target)
    slot = bind(module).slot(name)
    refuse_deleted([slot])
    return origin_of(slot)


def origin_of(slot: Slot) -> Origin:
    """Return where the effective value of the slot's flag came from."""
    if slot.has_default():
        # torch reads the environment once, while it is imported, so the answer stays the same.
        found = slot.default_origin
        if found is None:
            found = slot.default_origin = slot.origin_at_import()
        return found
    _, winner = slot.overruled_by()
    if winner is not None:
        return winner
    below = slot.installed or slot.library_default
    override, frame, assigned = _override_with_setters(slot)
    if override is not slot.storage.unset:
        over = None if assigned is None else assigned.over
        if frame and over != frame.entering and is_same_value(without_rank(frame.values[slot]), override):
            return frame.change.origin_of(slot)
        # torch's own patch leaves an override behind, and reading stores a copy of a default. Nobody set
        # those.
        without = slot.value_at_import() if below is None else below.value
        is_pin = assigned is not None and assigned.is_by_program
        if frame is not None or is_pin or not is_same_value(override, without):
            return Origin("assignment") if assigned is None else assigned.origin
    return slot.origin_at_import() if below is None else below.origin


@locked
def _override_with_setters(slot: Slot) -> tuple[Any, Frame | None, Assignment | None]:
    """Return the override, and who may have set it, of one moment: another thread may be entering a patch."""
    return slot.effective_override(), chain_for(slot.storage).highest(slot), assignment_of(slot)
