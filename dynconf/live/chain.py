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

A change of the chain can be interrupted at any instruction, by KeyboardInterrupt or RecursionError. Entering
is undone then: its frame is put on the chain before anything is written, and so `Chain.leave` can undo it
from anywhere. Leaving is finished: its first step says which frame goes, and taking that out can be repeated.
The other changes are planned, as a mapping of values to write and a new highest frame, and then applied,
which can be repeated too. A second interruption, during the repeat, is no promise; nor is the handler of a
signal that enters or leaves patches itself while it interrupts this. A frame also has the token with which
its context put it on the chain. Only that context may hand the token back, which distinguishes a context's
own frame from a copy: a patch that is left in a copied context stays in force where it was entered.
"""

from collections import deque
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from itertools import chain
from threading import get_ident
from typing import Any

from dynconf.live.change import Change, Storages, deleted, storage_of
from dynconf.live.torch.lock import locked
from dynconf.live.torch.slot import Slot
from dynconf.live.torch.storage import ABSENT, ConfigStorage, ProcessVar


@dataclass(slots=True, eq=False, init=False)
class Frame:
    """One entering of a change. Why no `__init__`? Calling it would make each patch 3 % slower."""

    change: Change
    values: Mapping[Slot, Any]  # the values that it wrote
    priors: Mapping[Slot, Any]  # the overrides that it found
    parent: "Frame | None"  # the frame below
    thread: int | None  # the thread that entered it, if threads share the chain
    first: "Frame | None"  # the frame of the same entering that has been replaced by this one
    token: Any  # that of its context, unless it replaces another frame, or threads share the chain

    @property
    def entering(self) -> "Frame":
        """An object that stays the same for as long as this is entered, while frames are replaced."""
        return self.first or self


def replaced(
    frame: Frame, priors: Mapping[Slot, Any], parent: Frame | None, first: Frame | None = None
) -> Frame:
    """Return a frame of the same entering, or of the one by *first*, in another place."""
    made = Frame()
    made.change = frame.change
    made.values = frame.values
    made.priors = priors
    made.parent = parent
    made.thread = frame.thread
    made.first = first or frame.entering
    made.token = None
    return made


class Chain:
    """A chain for each thread or task, as torch keeps overrides from 2.12 on."""

    __slots__ = ("top",)

    def __init__(self, top: "ContextVar[Frame | None] | ProcessVar") -> None:
        self.top: Any = top  # a variable with the highest frame, or None

    def frames(self) -> Iterator[Frame]:
        """Yield the frames in force, highest first."""
        frame = self.top.get()
        while frame is not None:
            yield frame
            frame = frame.parent

    def enter(self, change: Change, values: Mapping[Slot, Any], frame: Frame) -> None:
        """Put *values*, which are those of the change, in force on top of everything, with a new frame.

        If this is interrupted, `leave` undoes it.
        """
        # The cost of `with dynconf.patch(...)` is here and in `leave`: plain loops, few calls.
        priors: dict[Slot, Any] = {}
        frame.change = change
        frame.values = values
        frame.priors = priors
        frame.first = frame.thread = frame.token = None
        top = self.top
        frame.parent = top.get()
        for slot in values:
            read = slot.stored
            prior = read()
            if prior is ABSENT or slot.record.hide:
                raise deleted(slot)
            priors[slot] = prior
        frame.token = top.set(frame)
        for slot, value in values.items():
            write = slot.store
            write(value)
        storage = change.storage
        if storage.implications:
            storage.check_implications()
        if storage.dict_mark.get() is not None:
            storage.mark_changed(values)

    def leave(self, change: Change, left: list[Frame]) -> bool:
        """Take out the entering with the frame in *left*, or the last one if *left* is empty.

        It may be anywhere on the chain; if it is not there, nothing changes. *left* gets the frame as soon as
        it is known, so that another call finishes this one if it is interrupted.

        Returns:
            Whether this context had entered it.
        """
        top = self.top
        here = highest = top.get()
        while here and (here.change is not change or (left and here.entering is not left[0].entering)):
            here = here.parent
        if here:
            left.append(here)
            token, writes, below = here.token, here.priors, here.parent
            if here is not highest or token is None:
                token, writes, below = None, *_below(here, highest)
            for slot, value in writes.items():
                slot.record.hide = False  # a program may have deleted the flag inside the patch
                write = slot.store
                write(value)
            try:
                if token is not None:
                    top.reset(token)
                elif here.entering.token is None:
                    top.set(below)
                else:
                    # One call in C does both: no interruption may find the frame that the token puts back.
                    steps = map(top.reset, [here.entering.token]), map(top.set, [below])
                    deque(chain.from_iterable(steps), maxlen=0)
            except (ValueError, RuntimeError) as error:
                if error.__traceback__ and error.__traceback__.tb_next:
                    raise  # the handler of a signal raised it, not the variable that refuses a token
                top.set(below)
                here = None
        storage = change.storage
        if storage.dict_mark.get() is not None:
            storage.mark_changed(change.slot_values)
        return here is not None

    def highest(self, slot: Slot) -> Frame | None:
        """Return the highest frame that sets the flag."""
        return next((frame for frame in self.frames() if slot in frame.values), None)

    def sets(self, slot: Slot) -> bool:
        """Tell whether a frame sets the flag."""
        return self.highest(slot) is not None

    def holds(self, change: Change) -> bool:
        """Tell whether the change is in force."""
        return any(frame.change is change for frame in self.frames())

    def forget(self, values: Mapping[Slot, Any]) -> None:
        """Write the values now, and keep every frame from bringing back others when it is left.

        Patches stay entered, since their blocks are still running.
        """
        top: Frame | None = None
        for frame in reversed(list(self.frames())):
            top = replaced(
                frame, {slot: values.get(slot, prior) for slot, prior in frame.priors.items()}, top
            )
        self._apply(values, top)

    def levels(self) -> tuple[dict[Frame, dict[Slot, Any]], dict[Slot, Any]]:
        """Return the values that each frame keeps in force, lowest first, and those below all frames.

        Read from the top: a frame's values are in torch, unless a frame above has them as its priors.
        """
        current: dict[Slot, Any] = {}
        in_force: dict[Frame, dict[Slot, Any]] = {}
        for frame in self.frames():
            in_force[frame] = {
                slot: current[slot] if slot in current else slot.stored() for slot in frame.values
            }
            current.update(frame.priors)
        return dict(reversed(in_force.items())), current

    def _apply(self, writes: Mapping[Slot, Any], top: Frame | None) -> None:
        """Carry out a plan to its end; an interruption comes through once that is done."""
        try:
            self._write(writes, top)
        except BaseException:
            self._write(writes, top)
            raise

    def _write(self, writes: Mapping[Slot, Any], top: Frame | None) -> None:
        for slot, value in writes.items():
            if slot.stored() is not value:
                slot.store(value)
            slot.record.hide = False  # a program may have deleted the flag since
        self.top.set(top)
        storage_of(writes).mark_changed(writes)


def _below(frame: Frame, highest: Frame) -> tuple[dict[Slot, Any], Frame | None]:
    """Return what to write when a frame goes that is below others, and the highest one then."""
    writes, top, above = dict(frame.priors), frame.parent, []
    while highest is not frame:
        above.append(highest)
        assert highest.parent is not None
        highest = highest.parent
    for each in reversed(above):
        top = replaced(each, {slot: writes.pop(slot, prior) for slot, prior in each.priors.items()}, top)
    return writes, top


class SharedChain(Chain):
    """One chain for the process, as torch keeps overrides up to 2.11; one thread at a time changes it."""

    __slots__ = ()

    @locked
    def enter(self, change: Change, values: Mapping[Slot, Any], frame: Frame) -> None:
        super().enter(change, values, frame)
        frame.thread = get_ident()

    leave = locked(Chain.leave)
    forget = locked(Chain.forget)


PER_CONTEXT = Chain(ContextVar("dynconf", default=None))
SHARED = SharedChain(ProcessVar())


def chain_for(storage: ConfigStorage | Storages) -> Chain:
    """Return the chain for the flags of one config module or several."""
    return PER_CONTEXT if storage.per_context else SHARED
