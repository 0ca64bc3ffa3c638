"""Changes in place of the dicts, lists and sets of flags, which call nothing of torch's.

What a container held when its flag was set, or when the audit began, is compared with what it holds when
torch next compiles, and at the end.
"""

from collections.abc import Iterator
from contextvars import ContextVar
from typing import Any

from dynconf.live.binding import loaded
from dynconf.live.torch.slot import Slot
from dynconf.provenance import Origin
from dynconf.tools.audit.writes import NotedFlag, Watcher, noted, watchers

_known: dict[Slot, tuple[Any, Any]] = {}
"""The object that torch had last of each flag that was set, and its content."""

_first: ContextVar[Watcher | None] = ContextVar("first", default=None)
"""The watcher that began in this context, whose values are known; those of other threads are not."""


def read(slot: Slot) -> Any:
    """Return the value of a flag that may be about to be set, and keep what it holds."""
    value = slot.read()
    if slot.copy_value is not None:
        _known[slot] = slot.seen_by_torch(), value
    return value


def begin(watcher: Watcher) -> None:
    """Keep what all containers hold, before *watcher* is the first."""
    _known.clear()
    for slot, _ in _containers():
        read(slot)
    _first.set(watcher)


def note_changes() -> None:
    """Report the containers that hold something else than when they were set, or than torch's default."""
    if _first.get() not in watchers:
        return
    changed, nobody = {}, Origin("source", "an unknown line")
    for slot, value in _containers():
        # One that was never set is a copy of the default, which torch made for whoever read the flag.
        known, before = _known.get(slot, (value, slot.value_at_import()))
        now = read(slot)
        if known is value:
            changed[slot.setting.newest] = NotedFlag(iter((before, now)).__next__, nobody)
    with noted(changed, "in place"):
        pass


def _containers() -> Iterator[tuple[Slot, Any]]:
    """Yield the flags of which torch has an object that can be changed in place, with that."""
    for slot in (slot for binding in loaded() for slot in binding.flags() if slot.copy_value):
        value = slot.seen_by_torch()
        if value is not slot.storage.unset:
            yield slot, value
