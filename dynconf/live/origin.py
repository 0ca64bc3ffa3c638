"""Where the live value of a flag came from."""

import os
from typing import Any

from dynconf.catalogue.record import Computed, fact_in
from dynconf.live import frames
from dynconf.live.binding import Binding, live
from dynconf.live.install import process_layer
from dynconf.live.slots import ABSENT, Slot
from dynconf.provenance import DEFAULT, Origin
from dynconf.sources.env import torch_value
from dynconf.values import same


def origin(flag: str) -> Origin:
    """Return where the effective value of *flag* came from, in the running thread or task.

    Raises:
        UnknownFlagError: torch has no such flag.

    Example:
        >>> import dynconf
        >>> with dynconf.patch(verbose=True):
        ...     dynconf.origin("verbose").kind
        'patch'
    """
    return origin_in(live(), flag)


def origin_in(binding: Binding, name: str) -> Origin:
    """Return where the effective value of the flag came from, in that module."""
    if target := binding.alias_of(name):
        return Origin("alias", target)
    return origin_of(binding, binding.slot(name))


def origin_of(binding: Binding, slot: Slot) -> Origin:
    """Return where the effective value of the slot's flag came from."""
    if binding.is_at_rest(slot):
        # torch reads the environment once, while it is imported; so the answer stays.
        if slot.resting is None:
            slot.resting = _of_variable(binding, slot, slot.default())
        return slot.resting
    if binding.implied(slot) is not binding.unset:
        return Origin("implication", implied_by(binding, slot))
    if slot.forced is not binding.unset:
        return _of_variable(binding, slot, slot.forced, forced=True)
    override = slot.seen()
    if override is not binding.unset:
        found = _of_override(binding, slot, override)
        if found is not None:
            return found
    installation = process_layer(binding).owner_of(slot)
    if installation is not None:
        return installation.origins[slot.name]
    value = binding.process_value(slot)
    return _of_variable(binding, slot, slot.default() if value is binding.unset else value)


def implied_by(binding: Binding, slot: Slot) -> str:
    """Return the flags whose values imply that of the slot's flag."""
    rules = binding.implications[slot.name]
    return ", ".join(flag for flag, value, _ in rules if binding.read(binding.slot(flag)) == value)


def _of_override(binding: Binding, slot: Slot, override: Any) -> Origin | None:
    """Return who set the override; None where it is only torch's own default."""
    for frame in frames.chain(binding.stack.get()):
        if slot in frame.slots and frame.values[frame.slots.index(slot)] is override:
            return frame.owner.origin_for(slot.name)
    # torch sets a flag whose value can be changed in place to its default when it is read; and where values
    # are all there is, every flag is set to something.
    untold = slot.fresh is not None or binding.unset is ABSENT
    if untold and same(override, slot.default()):
        return None
    return Origin("assignment")


def _of_variable(binding: Binding, slot: Slot, value: Any, *, forced: bool = False) -> Origin:
    """Return the variable from which torch got *value* while it was imported, or the default."""
    default = slot.flag.default_in(binding.minor)
    for variable in slot.flag.variables_in(binding.minor):
        raw = os.environ.get(variable.name)
        # An empty variable counts as not set, unless torch makes something of it.
        if raw is None or (not raw.strip() and same(value, default)):
            continue
        try:
            if same(torch_value(variable.rule, raw, default), value):
                return Origin("forced" if variable.rule == "force" else "env", variable.name, raw)
        except ValueError:
            continue
    variables = slot.flag.variables_in(binding.minor)
    # A default that was worked out while torch was imported, as from the working directory, may have changed.
    computed = isinstance(fact_in(slot.flag.default, binding.minor), Computed)
    if variables and (forced or not (computed or same(value, default))):
        # torch read the variable while it was imported; it says something else by now.
        return Origin("forced" if forced else "env", variables[0].name)
    return DEFAULT
