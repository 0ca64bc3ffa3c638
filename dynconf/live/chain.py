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
applied. Applying can be repeated, so that an interruption at any line, even by KeyboardInterrupt, is answered
by repeating it to its end; entering that is interrupted is undone in the same way. The repeat is tried again
if a second interruption hits it. Each loop over `ATTEMPTS` is written out where it is needed: Python raises
KeyboardInterrupt at the first instruction of a function too, so calling a function that tries again would
open the gap that it closes. And no loop inside such a `try` ends with an `if`: Python 3.12 and 3.13 would
leave the jump back to its start out of the `try`, and they handle signals there.

A frame also has the token with which its context put it on the chain. Only that context may hand the token
back, so it tells a frame of one's own from the copy of one: a patch that is left in a copied context stays in
force where it was entered.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar, Token
from dataclasses import dataclass
from itertools import takewhile
from threading import get_ident
from typing import Any, TypeVar

from dynconf.live.change import Change, deleted, refuse_deleted, storage_of
from dynconf.live.lock import locked
from dynconf.live.slot import Slot
from dynconf.live.storage import ABSENT, ConfigStorage, JointStorage

Entered = TypeVar("Entered", bound=Change)

ATTEMPTS = tuple(range(8))
"""How often a repeat is tried before the interruptions win."""


@dataclass(slots=True, eq=False)
class Frame:
    """One entering of a change."""

    parent: "Frame | None"  # the frame below
    change: Change
    values: Mapping[Slot, Any]  # the values that it wrote
    priors: Mapping[Slot, Any]  # the overrides that it found
    thread: int  # the thread that entered it
    token: "Token[Frame | None] | None" = None  # of the context that entered it, where one did

    @property
    def entering(self) -> "tuple[Change, object]":
        """An object that stays the same for as long as this is entered, while frames are replaced."""
        return self.change, self.token


class ProcessVar:
    """A variable with the methods of a `ContextVar` that all threads share; None at first."""

    _value: Any = None

    def get(self) -> Any:
        return self._value

    def set(self, value: Any) -> object:
        self._value = value
        return object()

    def reset(self, _token: object) -> None:
        """Do nothing: there is but one context."""


class Chain:
    """A chain for each thread or task, as torch keeps overrides from 2.12 on.

    Attributes:
        top: A variable with the highest frame, or None.
    """

    __slots__ = ("top",)

    def __init__(self, top: "ContextVar[Frame | None] | ProcessVar") -> None:
        self.top: Any = top

    def frames(self) -> Iterator[Frame]:
        """Yield the frames in force, highest first."""
        frame = self.top.get()
        while frame is not None:
            yield frame
            frame = frame.parent

    def enter(self, change: Entered, values: Mapping[Slot, Any]) -> Entered:
        """Put *values* in force, which are those of the change, on top of everything; return the change."""
        # The cost of `with dynconf.patch(...)` is here and in `leave`: plain loops, few calls.
        parent = self.top.get()
        priors = {}
        try:
            try:
                for slot, value in values.items():
                    prior = slot.stored()
                    if prior is ABSENT or slot.record.hide:
                        raise deleted(slot)  # noqa: TRY301  a function would be a call for each flag
                    priors[slot] = prior
                    slot.store(value)
                frame = Frame(parent, change, values, priors, get_ident())
                frame.token = self.top.set(frame)
                storage = change.storage
                if storage.implications:
                    storage.check_implications()
                storage.mark_changed(values)
                return change
            except BaseException:
                # Not only below: Python 3.10 handles signals before nearly every instruction, so a second one
                # may come before the `try` of a repeat begins.
                self._write(priors, parent)
                raise
        except BaseException:
            for _ in ATTEMPTS:
                try:
                    self._write(priors, parent)
                    break
                except BaseException:  # noqa: BLE001, S110  the first one is raised
                    pass
            raise

    def leave(self, change: Change) -> bool:  # noqa: C901  functions would be slower, and open gaps
        """Take out the frame that *change* entered last; tell whether this context had entered it."""
        plan = None
        try:
            top = self.top.get()
            if top is not None and top.change is change:
                plan = top, top.priors, top.parent
            else:
                plan = self._plan_of_leaving(change)
            frame, writes, top = plan
            is_here = frame is not None
            for slot, value in writes.items():
                if slot.record.hide:  # a program deleted the flag inside the patch
                    slot.record.hide = False
                slot.store(value)
            if frame is not None and frame.token is not None:
                try:
                    self.top.reset(frame.token)
                except (ValueError, RuntimeError) as error:
                    trace = error.__traceback__
                    if trace is not None and trace.tb_next is not None:  # from the handler of a signal
                        raise
                    is_here = False
            # The token has put the same frame there, unless the chain was spliced since.
            if self.top.get() is not top:
                self.top.set(top)
            change.storage.mark_changed(writes)
            return is_here
        except BaseException:
            for _ in ATTEMPTS:
                try:
                    if plan is None:
                        plan = self._plan_of_leaving(change)
                    _, writes, top = plan
                    self._write(writes, top)
                    break
                except BaseException:  # noqa: BLE001, S110  the first one is raised
                    pass
            raise

    def _plan_of_leaving(self, change: Change) -> "tuple[Frame | None, Mapping[Slot, Any], Frame | None]":
        """Return the frame that *change* entered last, and a plan without it: values and highest frame."""
        frame = self._frame_of(change)
        if frame is None:
            return None, {}, self.top.get()
        return frame, *self._spliced(frame.parent, self._above(frame))

    def highest(self, slot: Slot) -> Frame | None:
        """Return the highest frame that sets the flag."""
        return next((frame for frame in self.frames() if slot in frame.values), None)

    def sets(self, slot: Slot) -> bool:
        """Tell whether a frame sets the flag."""
        return self.highest(slot) is not None

    def holds(self, change: Change) -> bool:
        """Tell whether the change is in force."""
        return self._frame_of(change) is not None

    def _frame_of(self, change: Change) -> Frame | None:
        return next((frame for frame in self.frames() if frame.change is change), None)

    def _above(self, base: Frame | None) -> list[Frame]:
        """Return the frames above *base*, lowest first."""
        return [*takewhile(lambda frame: frame is not base, self.frames())][::-1]

    def enter_below(self, change: Change, values: Mapping[Slot, Any]) -> None:
        """Put *values* in force below every patch, where a flag can have no stand-in to install them in."""
        refuse_deleted(values)
        patches = [frame for frame in self.frames() if not frame.change.is_installation]
        base = patches[-1].parent if patches else self.top.get()
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
        for each in gone:
            each.change.moves = True
        taken = [Frame(None, each.change, in_force[each], {}, each.thread, each.token) for each in gone]
        self._splice(found.parent, [each for each in above if each not in gone])
        return taken

    def put_on(self, taken: Iterable[Frame]) -> None:
        """Put frames that were taken off on top again, in their order."""
        frames = [Frame(None, each.change, each.values, {}, get_ident(), each.token) for each in taken]
        refuse_deleted(slot for frame in frames for slot in frame.values)
        self._splice(self.top.get(), frames)

    def forget(self, values: Mapping[Slot, Any]) -> None:
        """Write the values now, and keep every frame from bringing back others when it is left.

        Patches stay entered, since their blocks are still running; installations lose these flags altogether.
        """
        top: Frame | None = None
        for frame in reversed(list(self.frames())):
            kept = frame.values
            if frame.change.is_installation:
                kept = {slot: value for slot, value in kept.items() if slot not in values}
                if not kept:
                    continue
            priors = {slot: values.get(slot, prior) for slot, prior in frame.priors.items() if slot in kept}
            top = Frame(top, frame.change, kept, priors, frame.thread, frame.token)
        self._apply(values, top)

    def levels(self) -> tuple[dict[Frame, dict[Slot, Any]], dict[Slot, Any]]:
        """Return the values that each frame keeps in force, lowest first, and those below all frames."""
        in_force, below = _levels(self._above(None))
        return dict(reversed(in_force.items())), below

    def _splice(self, base: Frame | None, frames: Iterable[Frame]) -> None:
        """Put *frames*, lowest first, on top of *base*, in place of those that are there."""
        self._apply(*self._spliced(base, frames))

    def _spliced(
        self, base: Frame | None, frames: Iterable[Frame]
    ) -> "tuple[Mapping[Slot, Any], Frame | None]":
        """Plan that: return the values to write, and the new highest frame.

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
        return current, top

    def _apply(self, writes: Mapping[Slot, Any], top: Frame | None) -> None:
        """Carry out a plan to its end; an interruption comes through once that is done."""
        try:
            self._write(writes, top)
        except BaseException:
            for _ in ATTEMPTS:
                try:
                    self._write(writes, top)
                    break
                except BaseException:  # noqa: BLE001, S110  the first one is raised
                    pass
            raise

    def _write(self, writes: Mapping[Slot, Any], top: Frame | None) -> None:
        for slot, value in writes.items():
            if slot.stored() is not value:
                slot.store(value)
            if slot.record.hide:  # a program deleted the flag since
                slot.record.hide = False
        self.top.set(top)
        storage_of(writes).mark_changed(writes)


class SharedChain(Chain):
    """One chain for the process, as torch keeps overrides up to 2.11; one thread at a time changes it."""

    __slots__ = ()

    enter = locked(Chain.enter)
    leave = locked(Chain.leave)
    enter_below = locked(Chain.enter_below)
    take_off = locked(Chain.take_off)
    put_on = locked(Chain.put_on)
    forget = locked(Chain.forget)


PER_CONTEXT = Chain(ContextVar("dynconf", default=None))
SHARED = SharedChain(ProcessVar())


def chain_for(storage: ConfigStorage | JointStorage) -> Chain:
    """Return the chain for the flags of one config module or several."""
    return PER_CONTEXT if storage.per_context else SHARED


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
