"""The state of the config modules, taken before a test to find out afterwards whether the test left changes.

The problem: this is done around every test, for all flags of all modules, and nearly always nothing has
changed. Comparing the values would mean to read, copy and compare 900 of them, some of which are containers.

The idea: a `Baseline` keeps the stored objects themselves, and compares by identity. Only flags that contain
another object than before are read and compared by value. Example: a test runs ``config.x = 64`` and torch's
``config.patch(y=8)`` on a y that is 8 anyway. Both flags store another object afterwards, and both are put
back; reading x gives 64 before and 8 after that, so x is a leak; y reads 8 both times, so nobody hears of it.

Identity alone misses values that were changed in place. Of flags that store such a value, a copy is kept to
compare the contents with.
"""

import copy
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from operator import is_, is_not
from typing import Any, NamedTuple

from dynconf.flags.types import is_same_value
from dynconf.live.binding import Binding, loaded
from dynconf.live.chain import PER_CONTEXT, SHARED
from dynconf.live.change import Change, storage_of
from dynconf.live.install import Installation
from dynconf.live.installed import INSTALLED
from dynconf.live.layers import DEFAULTS, HOLDS, LAYERED
from dynconf.live.origin import origin_of
from dynconf.live.override import InstalledValue, RankedOverride, without_rank
from dynconf.live.slot import Slot
from dynconf.live.storage import ABSENT
from dynconf.origin import Origin
from dynconf.state import SettingValue

_CHAINS = (PER_CONTEXT, SHARED)


class Undone(NamedTuple):
    """A change of a flag that was undone.

    Attributes:
        flag: Its full name.
        before: The value that was put back.
        after: The value that was found; None if the flag had been deleted.
        origin: Where that came from.
    """

    flag: str
    before: Any
    after: Any
    origin: Origin


class _State(NamedTuple):
    """The stored override of a flag, and the values that are installed."""

    override: Any
    installed: tuple[InstalledValue, ...]
    outer: tuple[SettingValue | None, SettingValue | None] = (None, None)  # what is held, a library's default

    @classmethod
    def of(cls, slot: Slot) -> "_State":
        """Return the state that is in force."""
        installed = () if slot.override is None else slot.override.installed[1:]
        return cls(slot.stored(), installed, (slot.held, slot.library_default))

    def values(self) -> tuple[Any, Any]:
        """Return the values that may be changed in place: the override, and the latest one installed."""
        return without_rank(self.override), self.installed[-1].value if self.installed else ABSENT


class Baseline:
    """The state of all loaded config modules in the running thread or task, and in the process.

    Taking it copies nothing but values that can be changed in place.
    """

    def __init__(self) -> None:
        self._changes = _entered()
        self._states: dict[Slot, _State] = {}
        self._copies: dict[Slot, list[Any]] = {}  # of values that can be changed in place
        self._deleted: dict[Binding, list[str]] = {}
        for binding in loaded():
            self._set_to_now(binding.flags())
            self._deleted[binding] = binding.storage.deleted()

    @classmethod
    def as_imported(cls) -> "Baseline":
        """Return the state in which the config modules are imported."""
        state = cls()
        state._changes, state._deleted = [], {}  # so that each module counts as new
        return state

    def _set(self, states: Mapping[Slot, _State]) -> None:
        """Record these states as the baseline."""
        self._states |= states
        for slot, state in states.items():
            if slot.copy_value is not None:
                self._copies[slot] = [_copied(slot, value) for value in state.values()]

    def _set_to_now(self, slots: Iterable[Slot]) -> None:
        self._set({slot: _State.of(slot) for slot in slots})

    def _take_new_modules(self) -> None:
        """Take the modules that have been loaded since, in the state in which they are imported."""
        for binding in loaded():
            if binding not in self._deleted:
                self._set({slot: _State(slot.without_override(), ()) for slot in binding.flags()})
                self._deleted[binding] = []

    def _changed(self) -> dict[Slot, _State]:
        """Return the flags that are not as in the baseline, with their state there."""
        self._take_new_modules()
        states = self._states
        found = {slot for slot, state in states.items() if slot.stored() is not state.override}
        for slot in INSTALLED.slots & states.keys():
            if _State.of(slot).installed != states[slot].installed:  # compares the values by identity
                found.add(slot)
        for slot in LAYERED.values():
            if slot in states and any(map(is_not, _State.of(slot).outer, states[slot].outer)):
                found.add(slot)
        for slot, copies in self._copies.items():
            if not all(map(_has_content, _State.of(slot).values(), copies)):
                found.add(slot)
        return {slot: self._state(slot) for slot in states if slot in found} if found else {}

    def _state(self, slot: Slot) -> _State:
        """Return the state in the baseline, with a copy of a value that may have been changed in place."""
        override, installed, outer = self._states[slot]
        if slot in self._copies:
            content, value = (_copied(slot, each) for each in self._copies[slot])
            override = replace(override, value=content) if type(override) is RankedOverride else content
            if installed:
                installed = (*installed[:-1], replace(installed[-1], value=value))
        return _State(override, installed, outer)

    def put_back(self) -> tuple[list[Undone], list[Undone]]:
        """Put back all that has changed since.

        Returns:
            The flags that had another effective value, and the flags and aliases that had been deleted. An
            override that is equal to the former one, such as torch's own patch leaves behind, is put back
            without being mentioned.
        """
        changed = self._changed()
        found = {slot: (slot.read(), origin_of(slot)) for slot in changed}
        lost = [
            (binding, name)
            for binding, deleted in self._deleted.items()
            for name in binding.storage.deleted()
            if name not in deleted
        ]
        if _entered() != self._changes:
            self._put_back_changes()
        # Why are the objects put back as well, after the patches and installations? A test may have assigned.
        for slot, (override, installed, _) in changed.items():
            if slot.override is not None:
                slot.override.installed = (slot.override.installed[0], *installed)
            if override is not ABSENT:
                slot.store(override)
        storage = storage_of(changed)
        storage.mark_changed(changed)
        storage.expire_caches(changed)
        self._set_to_now(changed)
        deleted = []
        for binding, name in lost:
            binding.storage.undelete(name)
            full = f"{binding.module.__name__}.{name}"
            deleted.append(Undone(full, binding.slot(name).read(), None, Origin("assignment")))
        differing = []
        for slot, (after, origin) in found.items():
            before = slot.read()
            if not is_same_value(before, after):
                differing.append(Undone(slot.setting.newest, before, after, origin))
        return differing, deleted

    def _put_back_changes(self) -> None:
        for change in _entered():
            if change not in self._changes:
                if isinstance(change, Installation):
                    change.uninstall()
                for chain in _CHAINS:
                    chain.leave(change)
        for change in reversed(self._changes):
            if isinstance(change, Installation):
                change.install()

    def accept(self, before: "Baseline") -> Callable[[], None]:
        """Make all changes since *before* part of this baseline; return a function that takes that back."""
        changed = before._changed()
        entered = [change for change in _entered() if change not in before._changes]
        self._changes += entered
        self._take_new_modules()
        self._set_to_now(changed)

        def revoke() -> None:
            self._changes = [change for change in self._changes if change not in entered]
            self._set(changed)

        return revoke


def _copied(slot: Slot, value: Any) -> Any:
    is_value = value is not slot.storage.unset and value is not ABSENT
    return copy.deepcopy(value) if is_value else value


def _has_content(value: Any, content: Any) -> bool:
    """Tell whether a value has the content of its copy; it nearly always has the very same items."""
    if type(value) is list and type(content) is list and len(value) == len(content):
        return all(map(is_, value, content)) or is_same_value(value, content)
    if type(value) is dict and type(content) is dict and value.keys() == content.keys():
        return all(map(is_, value.values(), map(content.get, value))) or is_same_value(value, content)
    return is_same_value(value, content)


def _entered() -> list[Change]:
    """Return the patches and installations that are in force, the highest first."""
    entered = [frame.change for chain in _CHAINS for frame in chain.frames()]
    layered = [each.change for layer in (HOLDS, DEFAULTS) for each in reversed(layer.entered)]
    return [*entered, *INSTALLED.installations(), *layered]
