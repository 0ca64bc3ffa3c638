"""The raw state of the config modules in the running thread or task: taken quickly, compared, put back.

Nearly always nothing has changed, and finding that out must take microseconds. So what is taken is lists of
the objects themselves, and only what differs is looked at.
"""

import copy
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import compress
from operator import is_, is_not
from typing import Any, NamedTuple

from dynconf.flags.types import same
from dynconf.live.binding import Binding, loaded
from dynconf.live.chain import PER_CONTEXT, SHARED, Owner, parts_of
from dynconf.live.install import Installation
from dynconf.live.origin import origin_of
from dynconf.live.override import Installed, Stamped, plain
from dynconf.live.process import PROCESS
from dynconf.live.slot import ABSENT, Slot
from dynconf.origin import Origin

_CHAINS = (PER_CONTEXT, SHARED)


class Leak(NamedTuple):
    """A flag that was found with another value than the one that was put back."""

    flag: str  # its full name
    old: Any  # the value that was put back
    new: Any  # the value that was found
    origin: Origin  # where that came from


Layers = tuple[Installed, ...]


class _Raw(NamedTuple):
    """What is kept for a flag: the override, and what is installed for the process."""

    override: Any
    layers: Layers


class RawState:
    """What is set in the running thread or task, and in the process, in all config modules that are loaded.

    Taking it copies nothing but values that can be changed in place.
    """

    def __init__(self) -> None:
        self._owners = _entered()
        self._gets: dict[Slot, Callable[[], Any]] = {}
        self._overrides: dict[Slot, Any] = {}
        self._layers: dict[Slot, Layers] = {}
        self._contents: dict[Slot, tuple[Any, Any]] = {}
        self._deleted: dict[Binding, list[str]] = {}
        for binding in loaded():
            self._take(binding)

    @classmethod
    def as_imported(cls) -> "RawState":
        """Return the state in which the config modules are imported."""
        state = cls()
        state._owners, state._deleted = [], {}  # so that each module counts as new
        return state

    def _take(self, binding: Binding) -> None:
        gets = {slot: slot.get for slot in binding.flags()}
        self._gets |= gets
        self._overrides |= {slot: get() for slot, get in gets.items()}
        self._layers |= {slot: slot.layers for slot in gets}
        self._contents |= {slot: self._content(slot) for slot in gets if slot.fresh is not None}
        self._deleted[binding] = binding.inside.deleted()

    def _take_new_modules(self) -> None:
        """Take the modules that have been loaded since, in the state in which they are imported."""
        for binding in loaded():
            if binding not in self._deleted:
                self._take(binding)
                empty = binding.inside.no_override
                self._keep({slot: _Raw(empty(slot), slot.layers[:1]) for slot in binding.flags()})
                self._deleted[binding] = []

    def _content(self, slot: Slot) -> tuple[Any, Any]:
        """Return copies of the override and of the value that is installed, as they were taken."""
        return _copied(slot, plain(self._overrides[slot])), _copied(slot, self._layers[slot][-1].value)

    def _changed(self) -> dict[Slot, _Raw]:
        """Return the flags that are not as they were taken, with what was taken."""
        self._take_new_modules()
        overrides = [get() for get in self._gets.values()]
        found = set(compress(self._gets, map(is_not, overrides, self._overrides.values())))
        installed = PROCESS.slots & self._gets.keys()
        found.update(slot for slot in installed if not _same_layers(slot.layers, self._layers[slot]))
        for slot, (own, value) in self._contents.items():
            is_as_it_was = _as_it_was(plain(slot.get()), own)
            if not is_as_it_was or (slot in installed and not _as_it_was(slot.layers[-1].value, value)):
                found.add(slot)
        return {slot: self._raw(slot) for slot in self._gets if slot in found} if found else {}

    def _raw(self, slot: Slot) -> _Raw:
        """Return what was taken; of a value that can be changed in place, with a copy of its content then."""
        override, layers = self._overrides[slot], self._layers[slot]
        if slot in self._contents:
            own, value = (_copied(slot, each) for each in self._contents[slot])
            override = replace(override, value=own) if type(override) is Stamped else own
            if layers[-1].owner is not None:
                layers = (*layers[:-1], replace(layers[-1], value=value))
        return _Raw(override, layers)

    def _keep(self, raws: Mapping[Slot, _Raw]) -> None:
        """Have taken these values of these flags."""
        for slot, (override, layers) in raws.items():
            self._overrides[slot], self._layers[slot] = override, layers
            if slot in self._contents:
                self._contents[slot] = self._content(slot)

    def _keep_now(self, slots: Iterable[Slot]) -> None:
        self._keep({slot: _Raw(slot.get(), slot.layers) for slot in slots})

    def put_back(self) -> tuple[list[Leak], list[str]]:
        """Put back what has changed since.

        Returns:
            The flags that had another effective value, and the flags and aliases that had been deleted, with
            torch's module in front. An override that is equal to what was there, such as torch's own patch
            leaves behind, is put back without being mentioned.
        """
        changed = self._changed()
        found = {slot: (slot.read(), origin_of(slot)) for slot in changed}
        lost = [
            (binding, name)
            for binding, deleted in self._deleted.items()
            for name in binding.inside.deleted()
            if name not in deleted
        ]
        if _entered() != self._owners:
            self._put_back_owners()
        for slot, (override, layers) in changed.items():
            slot.layers = layers
            if override is not ABSENT:
                slot.set(override)
        for inside, slots in parts_of(changed):
            inside.touch(slots)
            inside.expire_caches(slots)
        self._keep_now(changed)
        for binding, name in lost:
            binding.inside.bring_back(name)
        leaks = []
        for slot, (new, origin) in found.items():
            old = slot.read()
            if not same(old, new):
                leaks.append(Leak(slot.setting.qualified, old, new, origin))
        return leaks, [f"{binding.module.__name__}.{name}" for binding, name in lost]

    def _put_back_owners(self) -> None:
        for owner in _entered():
            if owner not in self._owners:
                if isinstance(owner, Installation):
                    owner.uninstall()
                for chain in _CHAINS:
                    chain.leave(owner)
        for owner in self._owners:
            if isinstance(owner, Installation):
                owner.put_in_force()

    def accept(self, before: "RawState") -> Callable[[], None]:
        """Let what has changed since *before* belong to this state; return how to take that back."""
        changed = before._changed()
        entered = [owner for owner in _entered() if owner not in before._owners]
        self._owners += entered
        self._take_new_modules()
        self._keep_now(changed)

        def revoke() -> None:
            self._owners = [owner for owner in self._owners if owner not in entered]
            self._keep(changed)

        return revoke


def _copied(slot: Slot, value: Any) -> Any:
    is_value = value is not slot.binding.inside.unset and value is not ABSENT
    return copy.deepcopy(value) if is_value else value


def _same_layers(now: Layers, then: Layers) -> bool:
    return len(now) == len(then) and all(map(is_, now, then))


def _as_it_was(value: Any, content: Any) -> bool:
    """Tell whether a value has the content of its copy; it nearly always has the very same items."""
    if type(value) is list and type(content) is list and len(value) == len(content):
        return all(map(is_, value, content)) or same(value, content)
    if type(value) is dict and type(content) is dict and value.keys() == content.keys():
        return all(map(is_, value.values(), map(content.get, value))) or same(value, content)
    return same(value, content)


def _entered() -> list[Owner]:
    """Return the patches and installations that are in force, the highest first."""
    return [*(frame.owner for chain in _CHAINS for frame in chain.frames()), *PROCESS.owners()]
