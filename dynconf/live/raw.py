"""The raw state of the config modules in the running thread or task: taken quickly, compared, put back.

Nearly always nothing has changed, and finding that out must take microseconds. So what is taken is lists of
the objects themselves, and only what differs is looked at.
"""

import copy
from collections.abc import Callable, Iterable, Mapping
from operator import is_
from typing import Any, NamedTuple

from dynconf.flags.types import same
from dynconf.live.binding import Binding, loaded
from dynconf.live.chain import PER_CONTEXT, SHARED, Owner
from dynconf.live.install import Installation
from dynconf.live.origin import origin_of
from dynconf.live.override import Installed, Stamped, plain
from dynconf.live.process import PROCESS
from dynconf.live.slot import ABSENT, Slot
from dynconf.origin import Origin

_CHAINS = (PER_CONTEXT, SHARED)


class Leak(NamedTuple):
    """A flag that was found with another value than the one that was put back.

    Attributes:
        flag: Its full name.
        old: The value that was put back.
        new: The value that was found.
        origin: Where that came from.
    """

    flag: str
    old: Any
    new: Any
    origin: Origin


Layers = tuple[Installed, ...]


class _Raw(NamedTuple):
    """What is kept for a flag: the override, and what is installed for the process."""

    override: Any
    layers: Layers


class _Taken:
    """The raw state of one config module as it was taken."""

    def __init__(self, binding: Binding) -> None:
        self.binding = binding
        self.inside = binding.inside
        self._slots = [row.slot for row in binding.table() if row.alias is None]
        self._number = {slot: number for number, slot in enumerate(self._slots)}
        self._mutable = [number for number, slot in enumerate(self._slots) if slot.fresh is not None]
        self._gets = [slot.get for slot in self._slots]
        self._deleted = self.inside.deleted()
        self._overrides, self._layers = self._read()
        self._contents = {number: self._content(number) for number in self._mutable}

    def _read(self) -> tuple[list[Any], dict[int, Layers]]:
        """Return the overrides of all flags, and what is installed of those that have been installed."""
        overrides = [get() for get in self._gets]
        return overrides, {self._number[slot]: _layers(slot) for slot in PROCESS.slots & self._number.keys()}

    def _content(self, number: int) -> tuple[Any, Any]:
        """Return copies of the override that counts, if there is one, and of the value that is installed."""
        return tuple(map(self._copied, self._values(self._slots[number])))

    def _values(self, slot: Slot) -> tuple[Any, Any]:
        layers = _layers(slot)
        return slot.own(), layers[-1].value if layers else self.inside.unset

    def _copied(self, value: Any) -> Any:
        is_value = value is not self.inside.unset and value is not ABSENT
        return copy.deepcopy(value) if is_value else value

    def as_imported(self) -> "_Taken":
        """Have taken, instead, the state in which the module was imported; return the object."""
        self._deleted = []
        for number, slot in enumerate(self._slots):
            self._overrides[number] = self.inside.no_override(slot)
        self._layers = {}
        unset = self.inside.unset
        self._contents = {number: (self._copied(self._overrides[number]), unset) for number in self._mutable}
        return self

    def lost(self) -> list[str]:
        """Return the flags and aliases that have been deleted since."""
        return [name for name in self.inside.deleted() if name not in self._deleted]

    def changed(self) -> dict[Slot, _Raw]:
        """Return the flags that are not as they were taken, with what was taken."""
        overrides, layers = self._read()
        taken = self._overrides
        numbers = {number for number, each in layers.items() if each is not self._layers.get(number, ())}
        if not all(map(is_, overrides, taken)):
            numbers.update(number for number, value in enumerate(overrides) if value is not taken[number])
        for number, (own, installed) in self._contents.items():
            if number not in layers:  # nearly always
                as_it_was = _as_it_was(overrides[number], own)
            else:
                as_it_was = all(map(_as_it_was, self._values(self._slots[number]), (own, installed)))
            if not as_it_was:
                numbers.add(number)
        return {self._slots[number]: self._raw(number) for number in sorted(numbers)}

    def _raw(self, number: int) -> _Raw:
        """Return what was taken; of a value that can be changed in place, with a copy of its content then."""
        override, layers = self._overrides[number], self._layers.get(number, ())
        own, installed = map(self._copied, self._contents.get(number, (self.inside.unset, self.inside.unset)))
        if own is not self.inside.unset:
            is_marked = type(override) is Stamped
            override = Stamped(own, override.stamp, override.under) if is_marked else own
        if installed is not self.inside.unset:
            layers = (*layers[:-1], layers[-1]._replace(value=installed))
        return _Raw(override, layers)

    def keep_now(self, slots: Iterable[Slot]) -> None:
        """Have taken what these flags have now."""
        for slot in slots:
            number = self._number[slot]
            self._overrides[number], self._layers[number] = slot.get(), _layers(slot)
            if number in self._contents:
                self._contents[number] = self._content(number)

    def keep(self, raws: Mapping[Slot, _Raw]) -> None:
        """Have taken these values of these flags."""
        for slot, (override, layers) in raws.items():
            number = self._number[slot]
            self._overrides[number], self._layers[number] = override, layers
            if number in self._contents:
                installed = layers[-1].value if layers else self.inside.unset
                self._contents[number] = self._copied(plain(override)), self._copied(installed)

    def write(self, raws: Mapping[Slot, _Raw]) -> None:
        """Put these values into the module."""
        for slot, (override, layers) in raws.items():
            if slot.override is not None and slot.override.layers is not layers:
                slot.override.replace_layers(layers)
            if override is not ABSENT:
                slot.set(override)
        if raws:
            self.inside.touch(raws)
            self.inside.expire_caches(raws)
            self.keep_now(raws)


def _as_it_was(value: Any, content: Any) -> bool:
    """Tell whether a value has the content of its copy; it nearly always has the very same items."""
    if type(value) is list and type(content) is list and len(value) == len(content):
        return all(map(is_, value, content)) or same(value, content)
    if type(value) is dict and type(content) is dict and value.keys() == content.keys():
        return all(map(is_, value.values(), map(content.get, value))) or same(value, content)
    return same(value, content)


def _layers(slot: Slot) -> Layers:
    return () if slot.override is None else slot.override.layers


class RawState:
    """What is set in the running thread or task, and in the process, in all config modules that are loaded.

    Taking it copies nothing but values that can be changed in place.
    """

    def __init__(self) -> None:
        self._owners = _entered()
        self._taken = {binding: _Taken(binding) for binding in loaded()}

    @classmethod
    def as_imported(cls) -> "RawState":
        """Return the state in which the config modules are imported."""
        state = cls.__new__(cls)
        state._owners, state._taken = [], {}
        return state

    def _modules(self) -> list[_Taken]:
        """Return the modules that are loaded by now; of new ones, the state in which they are imported."""
        for binding in loaded():
            if binding not in self._taken:
                self._taken[binding] = _Taken(binding).as_imported()
        return list(self._taken.values())

    def put_back(self) -> tuple[list[Leak], list[str]]:
        """Put back what has changed since.

        Returns:
            The flags that had another effective value, and the flags and aliases that had been deleted, with
            torch's module in front. An override that is equal to what was there, such as torch's own patch
            leaves behind, is put back without being mentioned.
        """
        modules = self._modules()
        changed = {slot: raw for taken in modules for slot, raw in taken.changed().items()}
        found = {slot: (slot.read(), origin_of(slot)) for slot in changed}
        lost = [(taken, name) for taken in modules for name in taken.lost()]
        if _entered() != self._owners:
            self._put_back_owners()
        for taken in modules:
            taken.write({slot: raw for slot, raw in changed.items() if slot.binding is taken.binding})
        for taken, name in lost:
            taken.inside.bring_back(name)
        old = {slot: slot.read() for slot in changed}
        leaks = [
            Leak(slot.setting.qualified, old[slot], new, origin)
            for slot, (new, origin) in found.items()
            if not same(old[slot], new)
        ]
        return leaks, [f"{taken.binding.module.__name__}.{name}" for taken, name in lost]

    def _put_back_owners(self) -> None:
        for owner in _entered():
            if owner not in self._owners:
                _take_out(owner)
        now = _entered()
        for owner in self._owners:
            if isinstance(owner, Installation) and owner not in now:
                owner.put_in_force()

    def accept(self, before: "RawState") -> Callable[[], None]:
        """Let what has changed since *before* belong to this state; return how to take that back."""
        accepted = [(taken, taken.changed()) for taken in before._modules()]
        entered = [owner for owner in _entered() if owner not in before._owners]
        self._modules()
        self._owners += entered
        for taken, changed in accepted:
            self._taken[taken.binding].keep_now(changed)

        def revoke() -> None:
            self._owners = [owner for owner in self._owners if owner not in entered]
            for taken, changed in accepted:
                self._taken[taken.binding].keep(changed)

        return revoke


def _entered() -> list[Owner]:
    """Return the patches and installations that are in force, the highest first."""
    return [*(frame.owner for chain in _CHAINS for frame in chain.frames()), *PROCESS.owners()]


def _take_out(owner: Owner) -> None:
    if isinstance(owner, Installation):
        owner.uninstall()
    for chain in _CHAINS:
        chain.leave(owner)
