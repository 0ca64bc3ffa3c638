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
is undone then: its frame is put on the chain before anything is written, and so `Chain.take_out` can undo it
from anywhere. Leaving is finished: its first step says which frame goes, and taking that out can be repeated.
The other changes are planned, as a mapping of values to write and a new highest frame, and then applied,
which can be repeated too. A second interruption, during the repeat, is no promise; nor is the handler of a
signal that enters or leaves patches itself while it interrupts this.

A frame also has the token with which its context put it on the chain. Only that context may hand the token
back, so it tells a frame of one's own from the copy of one: a patch that is left in a copied context stays in
force where it was entered.
"""

from collections import deque
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from itertools import chain
from threading import get_ident
from typing import Any

from dynconf.live.change import Change, deleted, storage_of
from dynconf.live.frame import Frame, ProcessVar, levels, made_frame
from dynconf.live.torch.lock import locked
from dynconf.live.torch.slot import Slot
from dynconf.live.torch.storage import ABSENT, ConfigStorage, JointStorage


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

    def enter(self, change: Change, values: Mapping[Slot, Any], frame: Frame) -> None:
        """Put *values*, which are those of the change, in force on top of everything, with a new frame.

        If this is interrupted, `take_out` undoes it.
        """
        # The cost of `with dynconf.patch(...)` is here and in `leave`: plain loops, few calls.
        priors: dict[Slot, Any] = {}
        frame.change = change
        frame.values = values
        frame.priors = priors
        frame.first = frame.thread = frame.token = None
        frame.parent = parent = self.top.get()
        for slot in values:
            prior = slot.stored()
            if prior is ABSENT or slot.record.hide:
                raise deleted(slot)
            priors[slot] = prior
        frame.token = self.top.set(frame) or parent
        for slot, value in values.items():
            slot.store(value)
        storage = change.storage
        if storage.implications:
            storage.check_implications()
        storage.mark_changed(values)

    def leave(self, change: Change, left: list[Frame] | None = None) -> bool:
        """Take out the frame that *change* entered last; tell whether this context had entered it.

        *left* gets the frame as soon as that is known, so that `finish_leaving` can go on with it if this is
        interrupted.
        """
        if left is None:
            left = []
        frame = self.top.get()
        if frame is None or frame.change is not change or frame.first is not None:
            return Chain.finish_leaving(self, change, left)
        left.append(frame)
        for slot, value in frame.priors.items():
            if slot.record.hide:  # a program deleted the flag inside the patch
                slot.record.hide = False
            slot.store(value)
        is_here = True
        try:
            self.top.reset(frame.token)
        except (ValueError, RuntimeError) as error:
            _raise_if_of_handler(error)
            self.top.set(frame.parent)
            is_here = False
        change.storage.mark_changed(frame.priors)
        return is_here

    def finish_leaving(self, change: Change, left: list[Frame]) -> bool:
        """Take out the frame in *left*, or if there is none yet, the one that *change* entered last."""
        if not left:
            left.extend([frame.entering for frame in self.frames() if frame.change is change][:1])
        return bool(left) and Chain.take_out(self, change, left[0])

    def take_out(self, change: Change, first: Frame) -> bool:
        """Take out an entering of the change by its first frame; tell whether this context had entered it.

        It may be anywhere on the chain. If it is not there, nothing changes.
        """
        above: list[Frame] = []
        here = self.top.get()
        while here is not None and here is not first and here.first is not first:
            above.append(here)
            here = here.parent
        is_here = here is not None
        if here is not None:
            writes, below = dict(here.priors), here.parent
            for each in reversed(above):
                priors = {slot: writes.pop(slot, prior) for slot, prior in each.priors.items()}
                below = made_frame(each.change, each.values, priors, below, each.thread, each.first or each)
            for slot, value in writes.items():
                slot.record.hide = False  # a program deleted the flag inside the patch
                slot.store(value)
            # One call in C does both: no interruption may find the frame that the token puts back.
            token = [] if first.token is None else [first.token]
            try:
                deque(chain(map(self.top.reset, token), map(self.top.set, [below])), maxlen=0)
            except (ValueError, RuntimeError) as error:
                _raise_if_of_handler(error)
                self.top.set(below)
                is_here = False
        change.storage.mark_changed(change.slot_values)
        return is_here

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
            priors = {slot: values.get(slot, prior) for slot, prior in frame.priors.items()}
            top = made_frame(frame.change, frame.values, priors, top, frame.thread, frame.entering)
        self._apply(values, top)

    def levels(self) -> tuple[dict[Frame, dict[Slot, Any]], dict[Slot, Any]]:
        """Return the values that each frame keeps in force, lowest first, and those below all frames."""
        in_force, below = levels([*self.frames()][::-1])
        return dict(reversed(in_force.items())), below

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
            if slot.record.hide:  # a program deleted the flag since
                slot.record.hide = False
        self.top.set(top)
        storage_of(writes).mark_changed(writes)


class SharedChain(Chain):
    """One chain for the process, as torch keeps overrides up to 2.11; one thread at a time changes it."""

    __slots__ = ()

    @locked
    def enter(self, change: Change, values: Mapping[Slot, Any], frame: Frame) -> None:
        super().enter(change, values, frame)
        frame.thread = get_ident()

    leave = locked(Chain.leave)
    finish_leaving = locked(Chain.finish_leaving)
    take_out = locked(Chain.take_out)
    forget = locked(Chain.forget)


PER_CONTEXT = Chain(ContextVar("dynconf", default=None))
SHARED = SharedChain(ProcessVar())


def chain_for(storage: ConfigStorage | JointStorage) -> Chain:
    """Return the chain for the flags of one config module or several."""
    return PER_CONTEXT if storage.per_context else SHARED


def _raise_if_of_handler(error: Exception) -> None:
    """Raise it again if the handler of a signal raised it, and not the variable that refuses a token."""
    trace = error.__traceback__
    if trace is not None and trace.tb_next is not None:
        raise error
