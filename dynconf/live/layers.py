"""The layers outside of all overrides: values that are held, and defaults of libraries.

The problem: a library's default must count below everything that the user sets, wherever and whenever, and a
value that the user holds above everything that libraries set. Neither may make reading a flag slower, and
torch's own patches, which put back the value that they read, must leave nothing of either behind.

The idea: torch itself has such layers, for the variables that it reads while it is imported, and each thread
reads through them, without dynconf::

    forced by a variable  >  override  >  default by a variable  >  default
           ^                                       ^
         held                               library's default

So a `Layer` writes nothing but these two places, and an override stays what it is, hidden or not. Where a
module has no such places (torch 2.4 and 2.5), the stand-in for its dict shows the same.

Example: ``defaults(x=at_least(64))`` by one library, ``defaults(x=32)`` by another makes the layer of x
``64, 32``, and torch reads 32; in the other order it reads 64. A flag that the user has set is in that layer
with the user's value, and no library's counts.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from dynconf.catalogue.flags.types import AtLeast
from dynconf.live.change import Change, by_storage, refuse_deleted
from dynconf.live.installed import INSTALLED, expire_caches
from dynconf.live.torch.lock import locked
from dynconf.live.torch.slot import Slot
from dynconf.state import SettingValue

LAYERED: dict[tuple[str, str], Slot] = {}
"""The flags that have been held or given a default so far, by the names of their module and their own."""


class Layer:
    """Changes that are in force in a layer; like `InstalledValues`, a place for an `Installation`.

    A method that was interrupted can be called again, with the same result as without the interruption.

    Attributes:
        entered: The changes with their values and limits, the latest last; replaced, never changed.
    """

    def __init__(self) -> None:
        self.entered: Mapping[Change, Mapping[Slot, Any]] = {}

    @locked
    def enter_below(self, change: Change, values: Mapping[Slot, Any]) -> None:
        """Put the values, which nothing else may share, in force."""
        if self.holds(change):
            return
        refuse_deleted(values)
        limits = {slot: limit for slot in values if type(limit := change.slot_values[slot]) is AtLeast}
        self.entered = {**self.entered, change: {**values, **limits}}
        _show(values)

    @locked
    def leave(self, change: Change, slots: Iterable[Slot]) -> None:
        """Take out the values of a change, which are those of these slots."""
        self.entered = {each: values for each, values in self.entered.items() if each is not change}
        _show(slots)

    @locked
    def restore(self, entered: Mapping[Change, Mapping[Slot, Any]]) -> None:
        """Have just these changes in force, the latest last, with these values and limits."""
        before, self.entered = self.entered, entered
        _show({slot for values in (*before.values(), *entered.values()) for slot in values})

    def holds(self, change: Change) -> bool:
        """Tell whether the change is in force."""
        return change in self.entered

    def of(self, slot: Slot) -> list[SettingValue]:
        """Return the values of a flag, the latest last."""
        return [
            SettingValue(values[slot], change.origin_of(slot))
            for change, values in self.entered.items()
            if slot in values
        ]


HOLDS, DEFAULTS = Layer(), Layer()


def _show(slots: Iterable[Slot]) -> None:
    """Have torch read the values that count."""
    slots = list(slots)
    for slot in slots:
        if slot.storage.layers_need_stand_ins:
            INSTALLED.stand_in(slot)
        LAYERED[slot.storage.module.__name__, slot.name] = slot
        slot.replace_outer_layers(next(iter(HOLDS.of(slot)), None), _default_of(slot))
    expire_caches(by_storage(slots))


def _default_of(slot: Slot) -> SettingValue | None:
    """Return the value that counts in place of torch's default, if there is one.

    The later of two libraries wins, the user over both, and a limit is only raised.
    """
    found = None
    for each in DEFAULTS.of(slot):
        is_users = each.origin.kind != "defaults"
        if found is not None and found.origin.kind != "defaults" and not is_users:
            continue
        value = each.value
        if type(value) is AtLeast:
            value = value.over(slot.value_at_import() if found is None else found.value)
            if value is not each.value:  # there is a higher one
                continue
        found = SettingValue(int(value) if type(value) is AtLeast else value, each.origin)
    return found
