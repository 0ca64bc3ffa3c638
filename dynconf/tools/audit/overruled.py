"""The explicit settings that are not in force, because something else is.

This is told where its tool is on: under `dynconf run`, in an audit, and with --show.
"""

import functools
import os
import sys
import warnings
from collections.abc import Iterator
from typing import Any

from dynconf.catalogue.flags.types import is_same_value, short_repr
from dynconf.errors import OverruledWarning
from dynconf.live.assignments import assignment_of
from dynconf.live.chain import PER_CONTEXT, SHARED
from dynconf.live.installed import INSTALLED
from dynconf.live.layers import HOLDS
from dynconf.live.listeners import installing
from dynconf.live.origin import origin_of
from dynconf.live.torch.slot import Slot
from dynconf.provenance import Caller, Origin
from dynconf.state import SettingValue, State
from dynconf.text import place_text
from dynconf.tools.at_exit import at_exit
from dynconf.tools.audit.explicit import BY_CALL, installed_values, is_patched, warn


def overruled_settings() -> dict[Slot, list[SettingValue]]:
    """Return the explicit settings that are not in force in the running thread or task, the latest first."""
    framed = {slot for chain in (PER_CONTEXT, SHARED) for frame in chain.frames() for slot in frame.values}
    found: dict[Slot, list[SettingValue]] = {}
    for slot in sorted(framed | INSTALLED.slots, key=lambda each: each.setting.newest):
        value, places = slot.read(), {_place(origin_of(slot))}
        for _, each in installed_values(slot):
            place = _place(each.origin)
            if place not in places and not is_same_value(each.value, value):
                found.setdefault(slot, []).append(each)
                places.add(place)
    return found


def _place(origin: Origin) -> tuple[object, ...]:
    """Return where a value came from: an earlier one from there, as of an edited file, was updated."""
    return origin.kind, origin.name, origin.file


def _tell(state: State, caller: Caller) -> None:
    """Warn of variables whose text the user had exported, and code of the program has replaced."""
    _warn_at_exit(os.getpid())
    for setting, (_, origin) in state.items():
        if origin.at_start is not None:
            flag = setting.newest
            caller.warn(
                OverruledWarning(
                    f"{flag}: {origin.name} was {origin.at_start} when the process started; code in it has"
                    f" set os.environ to {origin.raw} since",
                    flag=flag,
                    topic=f"{origin.name} was changed",
                )
            )


@functools.cache
def _warn_at_exit(_process: int) -> None:
    at_exit(_warn_of_lasting_changes)


def _warn_of_lasting_changes() -> None:
    """Warn of patches that nobody has left, of torch's own assignments, and of containers changed in place.

    The first two are usually taken back, so only the end of the process shows that they were not.
    """
    for slot, explicit in overruled_settings().items():
        assigned = assignment_of(slot)
        by_program = assigned is not None and assigned.is_by_program  # who was warned then, if need be
        is_override = slot.effective_override() is not slot.storage.unset and slot.overruled_by()[1] is None
        origin = origin_of(slot)
        is_own = explicit[0].origin.kind in BY_CALL and explicit[0].origin.file == origin.file
        if is_override and not by_program and not is_own and not is_patched(slot):
            line = Caller.at(origin.file or sys.argv[0], origin.line or 1)
            who = place_text(line.file, line.line) if origin.file else "something in this process"
            _warn_at_the_end(line, slot, explicit[0], f"{who} sets it for good")
    for slot, explicit_value, value in _changed_in_place():
        deed = f"something in this process has changed it in place to {short_repr(value)}"
        _warn_at_the_end(Caller.at(sys.argv[0], 1), slot, explicit_value, deed)


def _warn_at_the_end(line: Caller, slot: Slot, explicit: SettingValue, deed: str) -> None:
    try:
        warn(line, slot, explicit, deed)
    except OverruledWarning:  # where warnings are errors: one could end nothing any more, and hide the others
        with warnings.catch_warnings():
            warnings.simplefilter("always", OverruledWarning)
            warn(line, slot, explicit, deed)


def _changed_in_place() -> Iterator[tuple[Slot, SettingValue, Any]]:
    """Yield the explicit settings whose containers somebody has changed, with their contents by now.

    Why are they not protected? torch returns the object itself, without calling any code of dynconf's, and
    an object that refuses changes would make other cache keys than a list.
    """
    entered = [(each.change, each.values) for each in HOLDS.entered]
    for slot in INSTALLED.slots:
        entered += [(each, {slot: found.value}) for each, found in installed_values(slot)]
    for change, values in entered:
        for slot, value in values.items():
            intended = change.slot_values[slot]
            if slot.copy_value is not None and not is_same_value(value, intended):
                yield slot, SettingValue(intended, change.origin_of(slot)), value


installing.append(_tell)
