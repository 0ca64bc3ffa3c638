"""The values that somebody has set explicitly, and those that are not in force because something else is.

The problem: a user writes ``compile_threads = 8`` into a file, and a library assigns 1 when it is imported.
torch keeps the 1, and nobody hears of it. But the program may change its mind, and torch's own patch assigns
all the time, in order to put values back.

The idea: a value that is installed has an author. One from a file, a variable or an option is the user's; one
from a call belongs to the package that called. Whoever else assigns another value overrules it::

    dynconf.install(x=8)            # in a/__init__.py
    config.x = 4                    # in a/model.py: the author's own
    config.x = 1                    # in b/__init__.py: an OverruledWarning that names this line

This is told where its tool is on: under `dynconf run`, in an audit, and with --show.
"""

import functools
import os
import sys
import warnings
from contextlib import suppress
from types import FrameType
from typing import Any

from dynconf.catalogue.flags.types import Mismatch, is_same_value, short_repr
from dynconf.errors import OverruledWarning
from dynconf.live import installing
from dynconf.live.assignments import assigning, assignment_of
from dynconf.live.chain import PER_CONTEXT, SHARED, chain_for
from dynconf.live.layers import HOLDS, INSTALLED
from dynconf.live.origin import origin_of
from dynconf.live.torch.override import LayerValue
from dynconf.live.torch.slot import Slot
from dynconf.provenance import Caller, Origin
from dynconf.state import SettingValue, State
from dynconf.text import place_text
from dynconf.tools.at_exit import at_exit

_BY_CALL = ("install", "class")
"""Origins of values that are not the user's, but those of the package that installed them."""


def _warn_if_overruling(slot: Slot, value: Any, frame: FrameType) -> None:
    """Warn if the line of *frame*, which is about to assign *value*, overrules an explicit setting.

    This comes before the assignment: where warnings are errors, the flag keeps its value.
    """
    explicit = slot.installed
    # A patch of dynconf's ranks above installations.
    if explicit is None or is_same_value(value, explicit.value) or chain_for(slot.storage).sets(slot):
        return
    line = Caller.of(frame)
    is_own = explicit.origin.kind in _BY_CALL and explicit.installation.package == line.package
    is_beaten_itself = slot.can_be_overruled and slot.overruled_by()[1] is not None
    taken = value
    with suppress(Mismatch):
        taken = slot.check(value)  # such as 1.0 for 1
    if not is_own and not is_beaten_itself and not is_same_value(taken, explicit.value):
        _warn(line, slot, explicit, f"{place_text(line.file, line.line)} assigns {short_repr(value)}")


def _warn(line: Caller, slot: Slot, explicit: SettingValue | LayerValue, deed: str) -> None:
    """Warn that the deed of a line overrules an explicit setting, once for each flag and line."""
    flag = slot.setting.newest
    line.warn(
        OverruledWarning(
            f"{flag}: {deed}, and so overrules {short_repr(explicit.value)} ({explicit.origin})",
            flag=flag,
            topic=f"{flag} is overruled",
        )
    )


def overruled_settings() -> dict[Slot, list[SettingValue]]:
    """Return the explicit settings that are not in force in the running thread or task, the latest first."""
    framed = {slot for chain in (PER_CONTEXT, SHARED) for frame in chain.frames() for slot in frame.values}
    found: dict[Slot, list[SettingValue]] = {}
    for slot in sorted(framed | INSTALLED.slots, key=lambda each: each.setting.newest):
        value, places = slot.read(), {_place(origin_of(slot))}
        for each in reversed(INSTALLED.of(slot)):
            place = _place(each.origin)
            if place not in places and not is_same_value(each.value, value):
                found.setdefault(slot, []).append(SettingValue(each.value, each.origin))
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
    at_exit("the search for lasting changes", _warn_of_lasting_changes)


def _warn_of_lasting_changes() -> None:
    """Warn of patches that nobody has left, of torch's own assignments, and of containers changed in place.

    The first two are usually taken back, so only the end of the process shows that they were not.
    """
    found: list[tuple[Caller, Slot, SettingValue, str]] = []
    for slot, explicit in overruled_settings().items():
        assigned = assignment_of(slot)
        by_program = assigned is not None and assigned.is_by_program  # who was warned then, if need be
        is_override = slot.effective_override() is not slot.storage.unset and slot.overruled_by()[1] is None
        origin = origin_of(slot)
        is_own = explicit[0].origin.kind in _BY_CALL and explicit[0].origin.file == origin.file
        if is_override and not by_program and not is_own and not chain_for(slot.storage).sets(slot):
            line = Caller.at(origin.file or sys.argv[0], origin.line or 1)
            who = place_text(line.file, line.line) if origin.file else "something in this process"
            found.append((line, slot, explicit[0], f"{who} sets it permanently"))
    # Why are containers not protected? torch returns the object itself, without calling any code of ours, and
    # an object that refuses changes would make other cache keys than a list.
    for change, entered in (*HOLDS.entered.items(), *INSTALLED.entered.items()):
        for slot, value in entered.values.items():
            intended = SettingValue(change.slot_values[slot], change.origin_of(slot))
            if slot.copy_value is not None and not is_same_value(value, intended.value):
                deed = f"something in this process has changed it in place to {short_repr(value)}"
                found.append((Caller.at(sys.argv[0], 1), slot, intended, deed))
    for each in found:
        try:
            _warn(*each)
        except OverruledWarning:  # where warnings are errors: one could end nothing any more, and hide others
            with warnings.catch_warnings():
                warnings.simplefilter("always", OverruledWarning)
                _warn(*each)


assigning.append(_warn_if_overruling)
installing.append(_tell)
