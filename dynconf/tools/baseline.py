"""The state of the config modules, taken before a test to find out afterwards whether the test left changes.

The problem: this is done around every test, for all flags of all modules, and nearly always nothing has
changed. Comparing the values would mean to read, copy and compare 900 of them, some of which are containers.

The idea: a `Baseline` keeps the stored objects themselves, and compares by identity. Only flags that contain
another object than before are read and compared by value. Example: a test runs ``config.x = 64`` and torch's
``config.patch(y=8)`` on a y that is 8 anyway. Both flags store another object afterwards, and both are put
back; reading x gives 64 before and 8 after that, so x is a leak; y reads 8 both times, so nobody hears of it.

Identity alone misses values that were changed in place. Of containers a copy is kept as well, to compare the
contents with; the objects in them are never copied, because they may be passes that own a lock.

How is a state put back? By writing all its parts: the overrides below all patches, the values that are
installed, held or a library's default, and the changes in force themselves, those that were left since
included. Why not simply leave and enter them? Entering may be refused: the rules would judge a state that is
only half put back, and a flag may have been deleted.

Up to torch 2.11 all threads have one chain of patches. Those that another thread entered are its own, as
their bodies are running there: they stay, on top of whatever is put back.
"""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from operator import is_
from threading import get_ident
from typing import Any, NamedTuple

from dynconf.catalogue.flags.types import copy_containers, is_same_value
from dynconf.live.assignments import Assignment, assignment_of, assignments_to, restore_assignments
from dynconf.live.binding import Binding, loaded
from dynconf.live.chain import PER_CONTEXT, SHARED, Chain, Frame, chain_for, replaced
from dynconf.live.change import Change, storage_of
from dynconf.live.layers import DEFAULTS, HOLDS, INSTALLED, Entered, Layer
from dynconf.live.origin import origin_of
from dynconf.live.torch.lock import locked
from dynconf.live.torch.override import RankedOverride, without_rank
from dynconf.live.torch.slot import Slot
from dynconf.live.torch.storage import ABSENT
from dynconf.provenance import Origin

_CHAINS, _LAYERS = (PER_CONTEXT, SHARED), (INSTALLED, HOLDS, DEFAULTS)
_CONTAINERS = (dict, list, set)


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
    """The override of a flag below all patches, and who assigned it."""

    override: Any
    assignments: Sequence[Assignment] = ()


class _Entered(NamedTuple):
    """A change in force on a chain or in a layer."""

    values: Mapping[Slot, Any]  # those that it keeps in force
    rank: int = 0  # in a layer
    frame: Frame | None = None  # on a chain
    is_others: bool = False  # whether it is the patch of another thread


_AllEntered = dict[Chain | Layer, dict[Any, _Entered]]
"""The changes in force, lowest first, by an object that stays the same for as long as each is."""


class Baseline:
    """The state of all loaded config modules in the running thread or task, and in the process.

    Taking it copies nothing but values that can be changed in place.
    """

    def __init__(self) -> None:
        self._states: dict[Slot, _State] = {}
        self._contents: dict[Slot, dict[int, tuple[Any, Any]]] = {}  # of containers: themselves, and a copy
        self._deleted: dict[Binding, list[str]] = {}
        flags = {binding: binding.flags() for binding in loaded()}
        self._entered, states = _in_force(slot for slots in flags.values() for slot in slots)
        self._set(states)
        for binding in flags:
            self._deleted[binding] = binding.storage.deleted()

    @classmethod
    def as_imported(cls) -> "Baseline":
        """Return the state in which the config modules are imported."""
        state = cls()
        state._entered = {place: {} for place in state._entered}
        state._deleted = {}  # so that each module counts as new
        return state

    @staticmethod
    def assigned_in(file: str) -> list[tuple[str, Any, Any, Origin]]:
        """Return the flags that lines of a file have assigned, each with old and new value and the line."""
        made = [(slot, assignment_of(slot)) for binding in loaded() for slot in binding.flags()]
        return [
            (slot.setting.newest, before, after, each.origin)
            for slot, each in made
            if each and each.origin.file == file
            if not is_same_value(before := slot.value_at_import(), after := slot.read())
        ]

    def _set(self, states: Mapping[Slot, _State]) -> None:
        """Record these states as the baseline, and the content of all values of their flags."""
        self._states |= states
        entered = [each.values for place in self._entered.values() for each in place.values()]
        for slot, state in states.items():
            values = [state.override, *(each[slot] for each in entered if slot in each)]
            bare = [each for each in map(without_rank, values) if type(each) in _CONTAINERS]
            containers = {id(each): (each, copy_containers(each)) for each in bare}
            if containers or slot in self._contents:
                self._contents[slot] = containers

    def _take_new_modules(self) -> None:
        """Take the modules that have been loaded since, in the state in which they are imported."""
        for binding in loaded():
            if binding not in self._deleted:
                self._set({slot: _State(slot.without_override()) for slot in binding.flags()})
                self._deleted[binding] = []

    def _changed(self) -> list[Slot]:
        """Return the flags that are not as in the baseline."""
        self._take_new_modules()
        states = self._states
        now, found = self._overrides_changed()
        for place, entered in self._entered.items():
            if _own(entered) != _own(now[place]):
                both = (*entered.values(), *now[place].values())
                found |= {slot for each in both for slot in each.values}
        for slot, containers in self._contents.items():
            if not all(_has_content(value, content) for value, content in containers.values()):
                found.add(slot)
        return [slot for slot in states if slot in found] if found else []

    @locked
    def _overrides_changed(self) -> tuple[_AllEntered, set[Slot]]:
        """Return `_entered`, and the flags that have another override, of one moment."""
        now, below = _entered()
        changed = {
            slot
            for slot, state in self._states.items()
            if (below[slot] if slot in below else slot.stored()) is not state.override
        }
        return now, changed

    def _value(self, slot: Slot, value: Any) -> Any:
        """Return a value that is recorded; if it was changed in place since, a copy with its content."""
        bare = without_rank(value)
        container = self._contents.get(slot, {}).get(id(bare))
        if container is None or _has_content(*container):
            return value
        content = copy_containers(container[1])
        return replace(value, value=content) if type(value) is RankedOverride else content

    def _values(self, values: Mapping[Slot, Any]) -> dict[Slot, Any]:
        return {slot: self._value(slot, value) for slot, value in values.items()}

    def _state(self, slot: Slot) -> _State:
        state = self._states[slot]
        if slot not in self._contents:
            return state
        override = self._value(slot, state.override)
        # Of an assignment that counts, the value is the override itself.
        found = (
            each._replace(value=override) if each.value is state.override else each
            for each in state.assignments
        )
        return _State(override, [*found])

    def put_back(self) -> tuple[list[Undone], list[Undone]]:
        """Put back all that has changed since; nothing of it can be refused.

        Returns:
            The flags that had another effective value, and the flags and aliases that had been deleted. An
            override that is equal to the former one, such as torch's own patch leaves behind, is put back
            without being mentioned.
        """
        begun: dict[Slot, None] = {}
        try:
            return self._put_back(begun)
        except BaseException:
            self._put_back(begun)  # the rest, as after Ctrl-C
            raise

    def _put_back(self, begun: dict[Slot, None]) -> tuple[list[Undone], list[Undone]]:
        """Put back what has changed, and these flags, of which some parts may be back; note them there."""
        begun |= dict.fromkeys(self._changed())
        changed = dict(begun)
        lost = [
            (binding, name)
            for binding, deleted in self._deleted.items()
            for name in binding.storage.deleted()
            if name not in deleted
        ]
        if not changed and not lost:
            return [], []
        # Up to torch 2.5 a flag that comes back has its default at first, whatever is installed.
        slots = (binding.slot(name) for binding, name in lost)
        changed |= dict.fromkeys(slot for slot in slots if slot in self._states)
        try:
            found = {slot: (slot.read(), origin_of(slot)) for slot in changed}
        finally:  # even if a value cannot be read, such as a list that contains itself
            self._restore(changed, lost)
        deleted = []
        for binding, name in lost:
            full = f"{binding.module.__name__}.{name}"
            deleted.append(Undone(full, binding.slot(name).read(), None, Origin("assignment")))
        differing = []
        for slot, (after, origin) in found.items():
            before = slot.read()
            if not is_same_value(before, after):
                differing.append(Undone(slot.setting.newest, before, after, origin))
        return differing, deleted

    def _restore(self, changed: Iterable[Slot], lost: Iterable[tuple[Binding, str]]) -> None:
        for binding, name in lost:
            binding.storage.undelete(name)
        # Before the lock is taken, because comparing and copying may run foreign code.
        states = {slot: self._state(slot) for slot in changed}
        wanted = {
            place: {key: each._replace(values=self._values(each.values)) for key, each in entered.items()}
            for place, entered in self._entered.items()
        }
        _write(states, wanted)
        restore_assignments({slot: state.assignments for slot, state in states.items()})
        storage_of(states).expire_caches(states)
        self._entered, restored = _in_force(states)
        self._set(restored)

    def adopt(self, changes: Iterable[Change]) -> None:
        """Make changes that are in force in a layer part of this baseline, whenever they were made."""
        for layer, entered in _entered()[0].items():
            both = self._entered[layer] | {each: entered[each] for each in changes if each in entered}
            self._entered[layer] = dict(sorted(both.items(), key=lambda each: each[1].rank))

    def accept(self, before: "Baseline") -> Callable[[], None]:
        """Make all changes since *before* part of this baseline; return a function that takes that back."""
        changed = before._changed()
        self._take_new_modules()
        mine = self._entered
        now, states = _in_force(changed)
        self._entered = {place: _followed(mine[place], before._entered[place], now[place]) for place in mine}
        self._set(states)

        def revoke() -> None:
            for place, entered in self._entered.items():
                self._entered[place] = _followed(entered, now[place], before._entered[place])
            self._set({slot: before._state(slot) for slot in changed})

        return revoke


@locked
def _in_force(slots: Iterable[Slot]) -> tuple[_AllEntered, dict[Slot, _State]]:
    """Return the changes in force, and the states of flags, of one moment: other threads may be patching."""
    entered, below = _entered()
    states = {}
    for slot in slots:
        override = below[slot] if slot in below else slot.stored()
        states[slot] = _State(override, assignments_to(slot))
    return entered, states


@locked
def _entered() -> tuple[_AllEntered, dict[Slot, Any]]:
    """Return the changes in force, and the overrides below them, of flags that a patch sets."""
    entered: _AllEntered = {
        layer: {change: _Entered(each.values, each.rank) for change, each in layer.entered.items()}
        for layer in _LAYERS
    }
    below: dict[Slot, Any] = {}
    for chain in _CHAINS:
        entered[chain], overrides = _entered_on(chain)
        below |= overrides
    return entered, below


def _entered_on(chain: Chain) -> tuple[dict[Any, _Entered], dict[Slot, Any]]:
    """Return the same for one chain."""
    frames, below = chain.levels()
    threads = sys._current_frames().keys() - {get_ident()} if chain is SHARED else ()
    entered = {
        each.entering: _Entered(values, frame=each, is_others=each.thread in threads)
        for each, values in frames.items()
    }
    return entered, below


def _own(entered: Mapping[Any, _Entered]) -> list[Any]:
    """Return the changes that are not another thread's, with their values by identity, to compare."""
    return [(key, [*map(id, each.values.values())]) for key, each in entered.items() if not each.is_others]


def _followed(
    mine: Mapping[Any, _Entered], before: Mapping[Any, _Entered], now: Mapping[Any, _Entered]
) -> dict[Any, _Entered]:
    """Return *mine* with the changes that were entered and left between *before* and *now*."""
    stayed = {key: now.get(key, each) for key, each in mine.items() if key in now or key not in before}
    return stayed | {key: each for key, each in now.items() if key not in before}


@locked
def _write(states: Mapping[Slot, _State], wanted: _AllEntered) -> None:
    """Put back patches, overrides, and what is installed, held or a library's default."""
    for chain in _CHAINS:
        own = {slot: each for slot, each in states.items() if chain_for(slot.storage) is chain}
        _restore_chain(chain, wanted[chain], own)
    # Last, because up to torch 2.5 a layer looks whether the override is torch's default.
    for layer in _LAYERS:
        entered = {change: Entered(each.rank, each.values) for change, each in wanted[layer].items()}
        layer.restore(entered, states)


def _restore_chain(chain: Chain, wanted: Mapping[Any, _Entered], states: Mapping[Slot, _State]) -> None:
    """Put back patches and the overrides below them; patches of other threads stay as they are."""
    there, current = _entered_on(chain)
    entered = {key: each for key, each in wanted.items() if key in there or not each.is_others}
    entered |= {key: each for key, each in there.items() if each.is_others}
    current |= {slot: each.override for slot, each in states.items() if each.override is not ABSENT}
    top: Frame | None = None
    for key, (values, _, frame, _) in entered.items():
        assert frame is not None
        priors = {slot: current[slot] if slot in current else slot.stored() for slot in frame.values}
        # One that was left is entered anew, without a token: this context has handed it back.
        first = key if key in there else replaced(frame, {}, None)
        top = replaced(frame, priors, top, first)
        current |= values
    chain._apply(current, top)


def _has_content(value: Any, content: Any) -> bool:
    """Tell whether a container has the content of its copy; it nearly always has the very same items."""
    is_same = len(value) == len(content) and all(map(is_, value, content))
    if is_same and type(value) is dict:
        is_same = all(map(is_, value.values(), content.values()))
    return is_same or is_same_value(value, content)
