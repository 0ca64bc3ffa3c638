"""The raw state of the config modules in the running thread or task: taken quickly, compared, put back.

Nearly always nothing has changed, and finding that out must take microseconds. So what is taken is lists of
the objects themselves, and only what differs is looked at.
"""

import copy
from collections.abc import Callable, Iterable, Mapping
from operator import attrgetter, is_
from typing import Any, NamedTuple

from dynconf.flags.types import same
from dynconf.live.binding import Binding, loaded
from dynconf.live.chain import PER_CONTEXT, SHARED, Owner
from dynconf.live.insides import ContextInside
from dynconf.live.install import Installation
from dynconf.live.origin import origin_of
from dynconf.live.process import PROCESS
from dynconf.live.slot import ABSENT, Slot
from dynconf.origin import Origin

_CHAINS = (PER_CONTEXT, SHARED)
_PROCESS_VALUE = attrgetter("env_value_default")


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


class _Raw(NamedTuple):
    """What a module keeps for a flag: the override, and what ranks above the default in the whole process."""

    override: Any
    process: Any


class _Taken:
    """The raw state of one config module as it was taken."""

    def __init__(self, binding: Binding) -> None:
        self.binding = binding
        self.inside = binding.inside
        self._slots = [row.slot for row in binding.table() if row.alias is None]
        self._number = {slot: number for number, slot in enumerate(self._slots)}
        self._mutable = [number for number, slot in enumerate(self._slots) if slot.fresh is not None]
        self._gets = [slot.get for slot in self._slots]
        self._entries = [slot.entry for slot in self._slots]
        self._deleted = self.inside.deleted()
        self._overrides, self._process = self._read()
        self._contents = {number: self._copied(self._overrides[number]) for number in self._mutable}

    def _read(self) -> tuple[list[Any], list[Any]]:
        return [get() for get in self._gets], list(map(_PROCESS_VALUE, self._entries))

    def _copied(self, override: Any) -> Any:
        is_value = override is not self.inside.unset and override is not ABSENT
        return copy.deepcopy(override) if is_value else override

    def as_imported(self) -> "_Taken":
        """Have taken, instead, the state in which the module was imported; return the object."""
        self._deleted = []
        originals = {
            slot: _Raw(self.inside.no_override(slot), PROCESS.original(slot)) for slot in self._slots
        }
        self.keep(originals)
        return self

    def lost(self) -> list[str]:
        """Return the flags and aliases that have been deleted since."""
        return [name for name in self.inside.deleted() if name not in self._deleted]

    def changed(self) -> dict[Slot, _Raw]:
        """Return the flags that are not as they were taken, with what was taken."""
        overrides, process = self._read()
        numbers: set[int] = set()
        for now, taken in ((overrides, self._overrides), (process, self._process)):
            if not all(map(is_, now, taken)):
                numbers.update(number for number, value in enumerate(now) if value is not taken[number])
        for number, content in self._contents.items():
            if number not in numbers and not same(overrides[number], content):
                numbers.add(number)
        return {self._slots[number]: self._raw(number) for number in sorted(numbers)}

    def _raw(self, number: int) -> _Raw:
        override = self._overrides[number]
        content = self._contents.get(number, override)
        return _Raw(override if same(override, content) else self._copied(content), self._process[number])

    def keep(self, raws: Mapping[Slot, _Raw]) -> None:
        """Have taken these values of these flags."""
        for slot, (override, process) in raws.items():
            number = self._number[slot]
            self._overrides[number], self._process[number] = override, process
            if number in self._contents:
                self._contents[number] = self._copied(override)

    def keep_now(self, slots: Iterable[Slot]) -> None:
        """Have taken what these flags have now."""
        self.keep({slot: _Raw(slot.get(), slot.entry.env_value_default) for slot in slots})

    def write(self, raws: Mapping[Slot, _Raw]) -> None:
        """Put these values into the module."""
        for slot, raw in raws.items():
            if slot.get() is not raw.override and raw.override is not ABSENT:
                slot.set(raw.override)
            if slot.entry.env_value_default is not raw.process:
                slot.entry.env_value_default = raw.process
                if isinstance(self.inside, ContextInside):
                    self.inside.expire_caches()
        if raws:
            self.inside.touch(raws)
            self.keep_now(raws)


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
