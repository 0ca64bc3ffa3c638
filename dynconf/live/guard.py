"""Guarding the writes to flags that are held, or that have a library's default.

The problem: torch's own patch and ``unittest.mock`` put back the value that they read, by assigning it. What
they read is the held value, or the library's default, and as an override it would outlast both. Besides, an
assignment to a held flag has no effect, and its author should be told.

The idea: reading is left alone, but ``config.x = 5`` goes through `_guard` first. If a patch is entering,
that gives it a `SavedOverride`, as a stand-in does, and when the patch assigns that, the override is put back
as it was. A flag that never was in a `Layer` costs one look into a dict.
"""

import sys
from collections.abc import Callable, Mapping
from functools import wraps
from types import FrameType, ModuleType
from typing import Any

from dynconf.catalogue.flags.types import is_same_value
from dynconf.live.assignments import assignment_of
from dynconf.live.chain import chain_for
from dynconf.live.layers import LAYERED
from dynconf.live.torch.door import Write, config_classes, intercept, listen
from dynconf.live.torch.lock import locked
from dynconf.live.torch.override import RankedOverride, SavedOverride
from dynconf.live.torch.restoring import RAW_SETTER, is_restoring, keep_found, program_line, setter_of
from dynconf.live.torch.slot import Slot
from dynconf.live.validation import no_effect
from dynconf.provenance import Caller


@locked
def guard_writes() -> None:
    """Guard every write to a config module from now on, for good."""
    listen(_guard, first=True)
    for owner in config_classes():
        if "__setattr__" in vars(owner):
            intercept(owner, "__delattr__", _guarded_deletion)
            if RAW_SETTER in vars(owner):
                intercept(owner, RAW_SETTER, _guarded_patch)


def drop_leftovers(slots: Mapping[Slot, Any]) -> None:
    """Drop overrides that are equal to torch's default and that the program was not seen to assign.

    torch's own patch leaves them behind, and so does reading a container. They would hide a library's
    default. Those of other threads stay, for nobody can reach them.
    """
    for slot in slots:
        stored, assigned = slot.stored(), assignment_of(slot)
        is_pin = assigned is not None and assigned.is_by_program
        if stored is slot.storage.unset or is_pin or not _is_leftover(slot, stored):
            continue
        _drop_unless_patched(slot, stored, slot.without_override())


@locked
def _drop_unless_patched(slot: Slot, stored: Any, nothing: Any) -> None:
    """Drop a leftover if it still is one: another thread may be entering a patch."""
    if slot.stored() is stored and not chain_for(slot.storage).sets(slot):
        slot.store(nothing)


def _is_leftover(slot: Slot, value: object) -> bool:
    """Tell whether a value is torch's default, and was not stored while the flag was installed."""
    is_ranked = type(slot.stored()) is RankedOverride
    return not is_ranked and is_same_value(value, slot.value_at_import())


def _guard(write: Write) -> None:
    slot = _layered(write.module, write.name)
    if slot is None:
        return
    is_restored = is_restoring(write.setter)
    _keep_override(slot, write.setter, write.key)
    # A patch that could be given nothing else, as in a torch newer than the catalogue, found a layer's value.
    layers = (slot.held, slot.library_default) if slot.storage.level != "known" else ()
    is_of_layer = any(each is not None and is_same_value(write.value, each.value) for each in layers)
    if is_restored and (is_of_layer or _is_leftover(slot, write.value)):
        # A patch that was entered before the layer found torch's default, which is no override.
        write.value = SavedOverride(slot, slot.without_override())
    if type(write.value) is SavedOverride:
        slot.store(write.value.stored)
        slot.storage.mark_changed([slot])
        slot.record.hide = False
        write.is_done = True
    elif not is_restored:
        _warn_of_hold(slot, write.value, write.setter)


def _guarded_deletion(delete: Callable[..., None]) -> Callable[..., None]:
    @wraps(delete)
    def guarded(self: Any, name: str, *more: Any, **named: Any) -> None:
        slot = _layered(self, name)
        if slot is not None:
            _keep_override(slot, *setter_of(sys._getframe(1), name))
        delete(self, name, *more, **named)

    return guarded


def _guarded_patch(assign: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(assign)
    def guarded(self: Any, changes: Mapping[str, object], *more: Any, **named: Any) -> Any:
        for name, value in changes.items():
            slot = _layered(self, name)
            if slot is not None:
                _warn_of_hold(slot, value, None)
        return assign(self, changes, *more, **named)

    return guarded


def _layered(module: ModuleType, name: str) -> Slot | None:
    slot = LAYERED.get((module.__name__, name))
    return None if slot is None or slot.storage.module is not module else slot


def _keep_override(slot: Slot, frame: FrameType | None, name: str | None) -> None:
    """Have a patch that is entering put the override back later, and not the value that it found."""
    if slot.override is None:  # else the stand-in does that
        keep_found(frame, name, SavedOverride(slot, slot.stored()))


def _warn_of_hold(slot: Slot, value: object, frame: FrameType | None) -> None:
    """Warn of a held flag that is set, at the nearest line outside torch."""
    held = slot.held
    if held is None or type(value) is SavedOverride or is_same_value(value, held.value):
        return
    line = program_line(frame or sys._getframe(2), outside_torch=True)
    Caller.of(line).warn(no_effect(slot, value, held.value, held.origin))
