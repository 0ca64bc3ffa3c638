"""What is in force until further notice: values that are held or installed, and defaults of libraries.

The problem: overrides of other threads cannot be written, and those of threads that have yet to start do not
exist. A library's default must rank below everything that the user sets, wherever and whenever, and a value
that the user holds must rank above everything that libraries set. torch's own patches, which put back the
value that they read, must leave none of these behind.

The idea: a `Layer` writes no override at all. It contains the changes in force, and shows their result to
torch, in places that all threads read. torch itself has two of these, for the variables that it reads
while it is imported, and for installed values each flag gets an `Override` in torch's place::

    forced by a variable  >  override  >  installed  >  default by a variable  >  default
           ^                                                     ^
         held                                             library's default

Example: ``a = install(x=32); b = install(x=48)`` makes the stack of x ``nothing, 32 (rank 1), 48 (rank 2)``,
and every thread reads 48. ``a.uninstall()`` takes 32 out of the middle, which no thread notices;
``b.uninstall()`` leaves ``nothing``, and each thread reads its own override again, or torch's default.
Of ``defaults(x=at_least(64))`` by one library and ``defaults(x=32)`` by another torch reads 32; in the other
order it reads 64. A flag that the user has set is in that layer with the user's value, and no library's
counts.

Why are values that are installed for one context not simply overrides? Whatever was patched there before, by
torch or by ``unittest.mock``, would overwrite them when it is left, and they in turn would put back what it
had set. Why does the `Override` stay when nothing is installed any more? Another thread may be reading
through it, or may hold a `SavedOverride` of it, and in the place of a plain value neither would be
understood. Why do held values and defaults not take that way, too? Reading must not become slower. Only where
a module has no such places (torch 2.4 and 2.5), a stand-in shows the same.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping
from contextvars import ContextVar
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

from dynconf.catalogue.flags.types import AtLeast
from dynconf.live.chain import chain_for
from dynconf.live.change import Change, Storages, refuse_deleted, storage_of
from dynconf.live.torch.lock import locked
from dynconf.live.torch.override import LayerValue, Override, OverrideWithImplications
from dynconf.live.torch.slot import Slot
from dynconf.live.torch.storage import ConfigStorage

LAYERED: dict[tuple[str, str], Slot] = {}
"""The flags that have been held or given a default so far, by the names of their module and their own."""


class Entered(NamedTuple):
    """What a change has in force in a layer."""

    rank: int  # a later change has a higher one
    values: Mapping[Slot, Any]


class Layer(ABC):
    """Changes that are in force in a layer, where an `Installation` enters and leaves.

    A method that was interrupted can be called again, with the same result as without the interruption: the
    callers do that to undo, and so every step replaces a whole mapping or tuple.

    Attributes:
        entered: The changes that are in force, the latest last; replaced, never changed.
        latest_rank: The number of the change that was entered last.
        slots: The flags that have had a value in it so far.
    """

    def __init__(self) -> None:
        self.entered: Mapping[Change, Entered] = {}
        self.latest_rank = 0
        self.slots: set[Slot] = set()

    @abstractmethod
    def show(self, slots: Iterable[Slot], /) -> None:
        """Have torch read what counts by now."""

    @locked
    def enter_below(self, change: Change, values: Mapping[Slot, Any]) -> None:
        """Put the values, which nothing else may share, in force."""
        entered = self.entered
        there = entered.get(change)
        if there is None or len(there.values) < len(values):  # `drop` has taken some out
            refuse_deleted(values)
            self.latest_rank += 1
            entered = {**entered, change: Entered(self.latest_rank, values)}
            self._put(entered, values, change.storage)

    @locked
    def leave(self, change: Change, slots: Collection[Slot]) -> None:
        """Take out the values of a change, which are those of these slots."""
        entered = {each: its for each, its in self.entered.items() if each is not change}
        self._put(entered, slots, change.storage)

    @locked
    def drop(self, slots: Iterable[Slot]) -> None:
        """Take out everything that is in force for the slots."""
        dropped, kept = frozenset(slots), {}
        for change, (rank, values) in self.entered.items():
            left = {slot: value for slot, value in values.items() if slot not in dropped}
            if left:
                kept[change] = Entered(rank, left)
        self.restore(kept, dropped)

    @locked
    def restore(self, entered: Mapping[Change, Entered], slots: Iterable[Slot]) -> None:
        """Put exactly these changes in force; an interruption may have left values of others for *slots*."""
        both = *self.entered.values(), *entered.values()
        slots = self.slots.intersection(slots).union(*(each.values for each in both))
        self._put(entered, slots, storage_of(slots))

    def _put(
        self, entered: Mapping[Change, Entered], slots: Collection[Slot], storage: ConfigStorage | Storages
    ) -> None:
        self.entered = entered
        self.show(slots)
        self.slots.update(slots)
        storage.expire_caches(slots)

    def of(self, slot: Slot) -> list[LayerValue]:
        """Return the values of a flag, the latest last."""
        return [
            LayerValue(rank, change, values[slot], change.origin_of(slot))
            for change, (rank, values) in self.entered.items()
            if slot in values
        ]


class _Installed(Layer):
    """Values between overrides and defaults, of the process or a context; each flag has a stand-in."""

    def __init__(self) -> None:
        self._of_context: ContextVar[Mapping[Change, Entered]] = ContextVar(
            "dynconf:layer", default=MappingProxyType({})
        )
        super().__init__()

    @property
    def entered(self) -> Mapping[Change, Entered]:
        both = {**self._of_process, **self._of_context.get()}
        return {change: both[change] for change in sorted(both, key=lambda each: both[each].rank)}

    @entered.setter
    def entered(self, entered: Mapping[Change, Entered]) -> None:  # pyright: ignore[reportIncompatibleVariableOverride]
        self._of_context.set({each: its for each, its in entered.items() if each.is_for_context})
        self._of_process = {each: its for each, its in entered.items() if not each.is_for_context}

    def show(self, slots: Iterable[Slot], /) -> None:
        for slot in slots:
            values = self.of(slot)
            stand_in = self.stand_in(slot) if values else slot.override
            if stand_in is not None:
                stand_in.replace_installed(values)

    def stand_in(self, slot: Slot) -> Override:
        """Return the stand-in of the flag, which gets one if it has none."""
        override = slot.override
        if override is None:
            kind = OverrideWithImplications if slot.storage.implications else Override
            is_patched = partial(chain_for(slot.storage).sets, slot)
            override = kind(slot.stored, slot.store, slot.storage.unset, is_patched)
            slot.read_through(override)
        return override


class _Outer(Layer):
    """Values outside of all overrides, where torch keeps what it has read from variables."""

    def show(self, slots: Iterable[Slot], /) -> None:
        for slot in slots:
            if slot.storage.layers_need_stand_ins:
                INSTALLED.stand_in(slot)
            LAYERED[slot.storage.module.__name__, slot.name] = slot
            slot.replace_outer_layers(next(iter(HOLDS.of(slot)), None), _default_of(slot))


INSTALLED, HOLDS, DEFAULTS = _Installed(), _Outer(), _Outer()


def _default_of(slot: Slot) -> LayerValue | None:
    """Return the value that counts in place of torch's default, if there is one.

    The later of two libraries wins, the user over both, and a limit is only raised.
    """
    found = None
    for each in DEFAULTS.of(slot):
        is_users = each.origin.kind != "defaults"
        if found is not None and found.origin.kind != "defaults" and not is_users:
            continue
        limit = each.installation.slot_values[slot]
        if type(limit) is AtLeast:
            if limit.over(slot.value_at_import() if found is None else found.value) is not limit:
                continue  # there is a higher one
            each.value = int(limit)
        found = each
    return found
