"""The values that somebody has set explicitly, and the warning of an assignment that replaces one.

The problem: a user writes ``compile_threads = 8`` into a file, and a library assigns 1 when it is imported.
torch keeps the 1, and nobody hears of it. But the program may change its mind, and torch's own patch assigns
all the time, in order to put values back.

The idea: a value that is installed has an author. One from a file, a variable or an option is the user's; one
from a call belongs to the package that called. Whoever else assigns another value overrules it::

    dynconf.install(x=8)            # in a/__init__.py
    config.x = 4                    # in a/model.py: the author's own
    config.x = 1                    # in b/__init__.py: an OverruledWarning that names this line
"""

from collections.abc import Iterator
from types import FrameType
from typing import Any

from dynconf.catalogue.flags.types import Mismatch, is_same_value, short_repr
from dynconf.errors import OverruledWarning
from dynconf.live.chain import chain_for
from dynconf.live.listeners import assigning
from dynconf.live.torch.slot import Slot
from dynconf.provenance import Caller
from dynconf.state import SettingValue
from dynconf.text import place_text

BY_CALL = ("install", "class")
"""Origins of values that are not the user's, but those of the package that installed them."""


def installed_values(slot: Slot) -> Iterator[tuple[Any, SettingValue]]:
    """Yield the values that are installed for the flag, the latest first, each with its installation."""
    for each in () if slot.override is None else reversed(slot.override.installed):
        if each.rank:
            yield each.installation, SettingValue(each.value, each.origin)


def is_patched(slot: Slot) -> bool:
    """Tell whether a patch of dynconf's, which ranks above installations, sets the flag."""
    return chain_for(slot.storage).sets(slot)


def warn_if_overruling(slot: Slot, value: Any, frame: FrameType) -> None:
    """Warn if the line of *frame*, which is about to assign *value*, overrules an explicit setting.

    This comes before the assignment: where warnings are errors, the flag keeps its value.
    """
    latest = next(installed_values(slot), None)
    if latest is None:
        return
    installation, explicit = latest
    if is_same_value(value, explicit.value) or is_patched(slot):
        return
    line = Caller(frame)
    is_own = explicit.origin.kind in BY_CALL and installation.package == line.package
    is_beaten_itself = slot.can_be_overruled and slot.overruled_by()[1] is not None
    if not is_own and not is_beaten_itself and not _means_the_same(slot, value, explicit.value):
        warn(line, slot, explicit, f"{place_text(line.file, line.line)} assigns {short_repr(value)}")


def _means_the_same(slot: Slot, value: Any, explicit: Any) -> bool:
    """Tell whether the flag takes a value for the explicit one, as it takes 1 for 1.0."""
    try:
        return is_same_value(slot.check(value), explicit)
    except Mismatch:
        return False


def warn(line: Caller, slot: Slot, explicit: SettingValue, deed: str) -> None:
    """Warn that the deed of a line overrules an explicit setting, once for each flag and line."""
    flag = slot.setting.newest
    line.warn(
        OverruledWarning(
            f"{flag}: {deed}, and so overrules {short_repr(explicit.value)} ({explicit.origin})",
            flag=flag,
            topic=f"{flag} is overruled",
        )
    )


assigning.append(warn_if_overruling)
