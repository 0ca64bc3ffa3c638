"""The chain of changes in force: a frame for each one that has been entered.

The problem: torch's own patch restores the values that it found, which is right only if patches are left in
the reverse order of entering. Generators, tasks and two ``ExitStack``s leave in any order::

    a = patch(x=1); b = patch(x=2)      # torch's default of x is 8
    a.__enter__(); b.__enter__()        # x is 2
    a.__exit__()                        # torch would write back 8; x must stay 2, for b is still entered
    b.__exit__()                        # torch would write back 1; x must be 8

The idea: a frame remembers the overrides that it found (its *priors*), and is linked to the one below. When a
frame goes from the middle, the next frame above it that changes the same flag inherits its prior::

    None <- [a: x=1, prior: no override] <- [b: x=2, prior: 1]       both entered
    None <- [b: x=2, prior: no override]                             a has been left; b got a's prior

If no frame above changes the flag, the prior is written to torch. One chain covers all config modules, so a
patch of several modules is one frame.

Frames never change, and a chain is changed by replacing the frames from the changed one upwards. Why not
simply change the priors in place? A copied context (a new task) shares the frames with its original, and
leaving a patch in one of them must not affect the other.

Every change of the chain is planned first, as a mapping of values to write and a new highest frame, and then
applied by one call of a function in C (`_carry_out`). Python handles signals between calls, and some releases
change threads there, so nobody finds half of a plan, and no KeyboardInterrupt comes between two flags. Why
not simply repeat what was interrupted? A second interruption may come while it is being repeated.

A frame also keeps the token with which its context made it the highest. By that a context knows a frame that
it only has as a copy: the patch was entered elsewhere, and leaving it restores nothing there.
"""

import operator
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar, Token
from dataclasses import dataclass
from functools import partial
from itertools import chain, takewhile
from threading import get_ident
from typing import Any, TypeVar

from dynconf.live.change import Change, SlotsByStorage, deleted, refuse_deleted, slots_by_storage, writable
from dynconf.live.lock import locked
from dynconf.live.override import ALWAYS
from dynconf.live.slot import COPY, Slot
from dynconf.live.storage import ABSENT, ConfigStorage

Entered = TypeVar("Entered", bound=Change)

_carry_out: Callable[[Iterable[object]], None] = deque[object](maxlen=0).extend
"""Make all calls of `_calls`, in one call of a function in C; those that were made already are not repeated."""

if sys.version_info >= (3, 11):
    _calls = partial(map, operator.call)
else:

    def _calls(functions: Iterable[Any], arguments: Iterable[object]) -> Iterator[object]:
        """Return an iterator that calls each function with its argument; no code of Python runs for one."""
        return chain.from_iterable(map(map, functions, zip(arguments)))  # noqa: B905  the same length


@dataclass(slots=True, eq=False)
class Frame:
    """One entering of a change."""

    parent: "Frame | None"  # the frame below
    change: Change
    values: Mapping[Slot, Any]  # the values that it wrote
    priors: Mapping[Slot, Any]  # the overrides that it found
    thread: int  # the thread that entered it
    token: "Token[Frame | None] | None" = None  # of the context that entered it, if somebody wants to know


class ProcessVar:
    """A variable with the methods of a `ContextVar` that all threads share; None at first."""

    def __init__(self) -> None:
        value: dict[str, Any] = {}
        # Partial functions of functions in C, for `_carry_out`.
        self.get = partial(value.get, "value")
        self.set = partial(value.__setitem__, "value")

    def reset(self, _token: object) -> None:
        """Do nothing: there is one context."""


class Chain:
    """A chain for each thread or task, as torch keeps overrides from 2.12 on.

    `top` returns the highest frame, or None; `put` replaces it, and returns a token. `claim` takes that token,
    and raises an error if another context put the frame there.
    """

    __slots__ = ("claim", "put", "top")

    def __init__(self, variable: "ContextVar[Frame | None] | ProcessVar") -> None:
        self.top = variable.get
        self.put: Callable[[Frame | None], Any] = variable.set
        self.claim: Callable[[Any], None] = variable.reset

    def frames(self) -> Iterator[Frame]:
        """Yield the frames in force, highest first."""
        frame = self.top()
        while frame is not None:
            yield frame
            frame = frame.parent

    def enter(self, change: Entered, ready: Mapping[Slot, Any] | None = None) -> Entered:
        """Put a change in force on top of everything; return it. *ready* are its values if already copied."""
        # The cost of `with dynconf.patch(...)` is here and in `leave`: plain loops, few calls.
        parent = self.top()
        values = change.slot_values if ready is None else ready
        priors, stores = {}, []
        for slot in values:
            prior = slot.stored()
            if prior is ABSENT or slot.record.hide:
                raise deleted(slot)
            priors[slot] = prior
            stores.append(slot.store)
        if change.extra_steps & COPY and ready is None:
            values = writable(values)
        frame = Frame(parent, change, values, priors, get_ident())
        stores.append(self.put)
        undo = _calls(stores, (*priors.values(), parent))
        try:
            *_, frame.token = _calls(stores, (*values.values(), frame))
            for storage, slots in change.slots_by_storage:
                storage.mark_changed(slots)
                if storage.implications:
                    storage.check_implications()
            return change
        except BaseException:
            _carry_out(undo)
            raise

    def leave(self, change: Change) -> bool:
        """Take out the frame that *change* entered last; tell whether this context had entered it."""
        found = None
        try:
            top = self.top()
            found = top if top is not None and top.change is change else self._frame_of(change)
            return found is not None and self._take_out(found)
        except BaseException:
            # It may have come before the frame was found, or after it was taken out.
            found = found or self._frame_of(change)
            if found in self.frames():
                self._take_out(found)
            raise

    def _take_out(self, frame: Frame) -> bool:
        """Take out a frame; tell whether this context had entered it."""
        if frame is self.top():  # it needs no plan: nothing above it can inherit its priors
            return self._apply(frame.priors, frame.parent, frame.change.slots_by_storage, frame.token)
        return self._splice(frame.parent, self._above(frame), frame.token)

    def highest(self, slot: Slot) -> Frame | None:
        """Return the highest frame that sets the flag."""
        return next((frame for frame in self.frames() if slot in frame.values), None)

    def rank_of(self, slot: Slot) -> float | None:
        """Return the rank of the highest frame that sets the flag, or None if there is none."""
        frame = self.highest(slot)
        return None if frame is None else frame.change.rank

    def holds(self, change: Change) -> bool:
        """Tell whether the change is in force."""
        return self._frame_of(change) is not None

    def _frame_of(self, change: Change) -> Frame | None:
        return next((frame for frame in self.frames() if frame.change is change), None)

    def _above(self, base: Frame | None) -> list[Frame]:
        """Return the frames above *base*, lowest first."""
        return [*takewhile(lambda frame: frame is not base, self.frames())][::-1]

    def enter_below(self, change: Change, values: Mapping[Slot, Any]) -> None:
        """Put *values* in force below every patch, on top of the installations for the context."""
        refuse_deleted(values)
        patches = [frame for frame in self.frames() if frame.change.rank == ALWAYS]
        base = patches[-1].parent if patches else self.top()
        self._splice(base, [Frame(None, change, values, {}, get_ident()), *reversed(patches)])

    def take_off(self, change: Change) -> list[Frame]:
        """Take off the frame of *change* and those that this thread entered above it.

        Frames of other threads stay: where overrides belong to the process, they may be on the same chain.

        Returns:
            The frames, lowest first, with the values that were in force, so that `put_on` brings those back.
        """
        found = self._frame_of(change)
        if found is None:
            return []
        above = self._above(found.parent)
        gone = [each for each in above if each.change is change or each.thread == get_ident()]
        in_force, _ = _levels(above)
        taken = [Frame(None, each.change, in_force[each], {}, each.thread) for each in gone]
        self._splice(found.parent, [each for each in above if each not in gone])
        return taken

    def put_on(self, taken: Iterable[Frame]) -> None:
        """Put frames that were taken off on top again, in their order."""
        frames = [Frame(None, each.change, each.values, {}, get_ident()) for each in taken]
        refuse_deleted(slot for frame in frames for slot in frame.values)
        self._splice(self.top(), frames)

    def forget(self, values: Mapping[Slot, Any]) -> None:
        """Write the values now, and keep every frame from bringing back others when it is left.

        Patches stay entered, since their blocks are still running; installations lose these flags altogether.
        """
        top: Frame | None = None
        for frame in reversed(list(self.frames())):
            kept = frame.values
            if frame.change.rank != ALWAYS:
                kept = {slot: value for slot, value in kept.items() if slot not in values}
                if not kept:
                    continue
            priors = {slot: values.get(slot, prior) for slot, prior in frame.priors.items() if slot in kept}
            top = Frame(top, frame.change, kept, priors, frame.thread, frame.token)
        self._apply(values, top, slots_by_storage(values))

    def _splice(self, base: Frame | None, frames: Iterable[Frame], token: Any = None) -> bool:
        """Put *frames*, lowest first, on top of *base*, in place of those that are there.

        A frame that is in the chain already keeps the values now in force for it: those it wrote, or those
        that code has assigned since. A new one gets its own. Each remembers the values below it in the new
        order.
        """
        in_force, current = _levels(self._above(base))
        top = base
        for frame in frames:
            for slot in frame.values:
                if slot not in current:
                    current[slot] = slot.stored()
            priors = {slot: current[slot] for slot in frame.values}
            top = Frame(top, frame.change, frame.values, priors, frame.thread, frame.token)
            current.update(in_force.get(frame, frame.values))
        return self._apply(current, top, slots_by_storage(current), token)

    def _apply(
        self, writes: Mapping[Slot, Any], top: Frame | None, slots: SlotsByStorage, token: Any = None
    ) -> bool:
        """Carry out a plan: nothing of it, if an interruption comes before its end, or all.

        Returns:
            False if *token*, of a frame that it takes out, is that of another context.
        """
        stores, values = ([], []) if token is None else ([self.claim], [token])
        for slot, value in writes.items():
            stores.append(slot.store)
            values.append(value)
            if slot.record.hide:  # a program deleted the flag since
                slot.record.hide = False
        stores.append(self.put)
        values.append(top)
        # Before the values, since an interruption may come in between: needless marks only cost time.
        for storage, own in slots:
            storage.mark_changed(own)
        left = iter(stores)
        calls = _calls(left, values)
        try:
            _carry_out(calls)
            return True
        except (ValueError, RuntimeError):
            if token is None or left.__length_hint__() != len(writes) + 1:  # not `claim` has raised it
                raise
        _carry_out(calls)
        return False


class SharedChain(Chain):
    """One chain for the process, as torch keeps overrides up to 2.11; one thread at a time changes it."""

    __slots__ = ()

    _enter = locked(Chain.enter)

    def enter(self, change: Entered, ready: Mapping[Slot, Any] | None = None) -> Entered:
        # Copying a value may run code of others, which must not happen while the lock is held.
        if change.extra_steps & COPY and ready is None:
            ready = writable(change.slot_values)
        return self._enter(change, ready)

    leave = locked(Chain.leave)
    enter_below = locked(Chain.enter_below)
    take_off = locked(Chain.take_off)
    put_on = locked(Chain.put_on)
    forget = locked(Chain.forget)

    def _apply(
        self, writes: Mapping[Slot, Any], top: Frame | None, slots: SlotsByStorage, token: Any = None
    ) -> bool:
        try:
            return super()._apply(writes, top, slots, token)
        finally:  # another thread may have filled a cache while the values were written
            for storage, own in slots:
                storage.mark_changed(own)


PER_CONTEXT = Chain(ContextVar("dynconf", default=None))
SHARED = SharedChain(ProcessVar())


def chain_for(storage: ConfigStorage) -> Chain:
    """Return the chain for the flags of a config module."""
    return PER_CONTEXT if storage.per_context else SHARED


def chain_of(slots: SlotsByStorage) -> Chain:
    """Return the chain for these flags; without any, either would do."""
    return chain_for(slots[0][0]) if slots else PER_CONTEXT


def _levels(above: Sequence[Frame]) -> tuple[dict[Frame, dict[Slot, Any]], dict[Slot, Any]]:
    """Return the values that each of the highest frames, lowest first, keeps in force, and those below.

    Read from the top: a frame's values are in torch, unless a frame above has them as its priors.
    """
    current: dict[Slot, Any] = {}
    in_force: dict[Frame, dict[Slot, Any]] = {}
    for frame in reversed(above):
        in_force[frame] = {slot: current[slot] if slot in current else slot.stored() for slot in frame.values}
        current.update(frame.priors)
    return in_force, current
