"""The state in force: the effective values of flags in the running thread or task, with their origins."""

from collections.abc import Collection
from typing import NamedTuple
from weakref import WeakKeyDictionary

from dynconf.catalogue.catalogue import Setting
from dynconf.live.binding import Binding, bind, loaded
from dynconf.live.layers import INSTALLED, LAYERED
from dynconf.live.origin import origin_of
from dynconf.live.torch.slot import Slot
from dynconf.live.torch.storage import ABSENT
from dynconf.provenance import DEFAULT, Origin
from dynconf.release import Release
from dynconf.state import SettingValue, State


class _Defaults(NamedTuple):
    """The flags of a module, nearly all of which nearly always have torch's default.

    A flag counts as *steady* if its default never changes, and if nothing but an override can replace it. One
    comparison then decides about it, and its entry can be made once for all states, which copy containers.
    """

    steady: list[Slot]
    others: list[Slot]
    entries: dict[Setting, SettingValue]  # of all flags, at their defaults
    layered: int  # as many flags were installed, held or given a default so far: they are steady no more


_defaults: "WeakKeyDictionary[Binding, _Defaults]" = WeakKeyDictionary()


def state_in_force(
    modules: Collection[str] = ("dynamo",), *, with_others: bool = True, pins: bool = False
) -> State:
    """Return the effective values in the running thread or task, each with its origin.

    Flags that were deleted from their module are left out.

    Args:
        modules: The config modules, which are imported if need be, of which the state has every flag.
        with_others: Whether it also has the flags that are set in the other modules that are loaded.
        pins: Whether an override that equals the default counts as set even if nobody saw it being assigned.
    """
    entries: dict[Setting, SettingValue] = {}
    whole = [bind(module) for module in modules]
    for binding in dict.fromkeys((*whole, *(loaded() if with_others else ()))):
        defaults, unset = _defaults_of(binding), binding.storage.unset
        if binding in whole:
            entries.update(defaults.entries)
        set_here = [slot for slot in defaults.steady if slot.stored() is not unset]
        for slot in (*defaults.others, *set_here):
            entry = _entry(slot, pins=pins)
            if entry.is_set or binding in whole:
                entries[slot.setting] = entry
        deleted = binding.storage.deleted()
        for slot in binding.flags() if deleted else ():
            if slot.name in deleted:
                entries.pop(slot.setting, None)
    return State(Release.at_hand(), entries)


def _entry(slot: Slot, *, pins: bool) -> SettingValue:
    origin, unset = origin_of(slot), slot.storage.unset
    # Reading a container stores a copy of its default, so an override of one may be nobody's. And torch 2.4
    # and 2.5 store the defaults in the same place.
    can_tell = slot.default_is_constant and unset is not ABSENT
    if pins and origin is DEFAULT and can_tell and slot.effective_override() is not unset:
        origin = Origin("assignment")
    return SettingValue(slot.setting.type.truth(slot.read()), origin)


def _defaults_of(binding: Binding) -> _Defaults:
    found = _defaults.get(binding)
    layered = len(INSTALLED.slots) + len(LAYERED)
    if found is None or found.layered != layered:
        found = _Defaults([], [], {}, layered)
        for slot in binding.flags():
            default = slot.default()
            found.entries[slot.setting] = SettingValue(default, DEFAULT)
            is_steady = slot.default_is_constant or type(default) in (dict, list, set)
            is_steady = is_steady and slot.override is None and slot.depends_on_override_alone
            is_steady = is_steady and slot.origin_at_import() is DEFAULT
            (found.steady if is_steady else found.others).append(slot)
        _defaults[binding] = found  # once it is whole: other threads read it
    return found
