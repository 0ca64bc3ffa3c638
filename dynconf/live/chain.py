"""The chain of what is in force: a frame for each patch and installation that has been entered.

Each frame remembers the overrides that it found. Frames can be left in any order, and a later one counts
until it is left itself: if a frame in the middle goes, the next frame above that changed the same flag gets
what the frame had found; if there is none, that is put back into the module. One chain covers all of torch's
config modules.

Frames in the chain never change: a copied context shares them with its original, and leaving in one must not
affect the other. Frames that would change are replaced.

Every change is planned first and then applied. If applying is interrupted, even by KeyboardInterrupt, it is
repeated to its end; if entering is interrupted, it is undone.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from itertools import takewhile
from threading import get_ident
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from dynconf.errors import UnknownFlagError
from dynconf.flags.types import AtLeast
from dynconf.live.cells import ProcessCell
from dynconf.live.lock import locked
from dynconf.live.override import ALWAYS
from dynconf.live.slot import ABSENT, COPIES, Slot

if TYPE_CHECKING:
    from dynconf.live.insides import Inside
    from dynconf.live.patch import Patch
    from dynconf.origin import Origin

Parts = Sequence[tuple["Inside", Iterable[Slot]]]
"""Slots, by the inside of their config module."""


class Owner(Protocol):
    """A patch or an installation, as frames see it."""

    parts: Parts

    @property
    def stamp(self) -> float:
        """The number of the latest installation for the process that it ranks above; `ALWAYS` for a patch."""
        ...

    def origin_of(self, slot: Slot, /) -> "Origin":
        """Return where its value of the slot came from."""
        ...


Entered = TypeVar("Entered", bound="Patch")


@dataclass(slots=True, eq=False)
class Frame:
    """One entering of a patch or an installation."""

    parent: "Frame | None"  # the frame below
    owner: Owner  # what was entered
    values: Mapping[Slot, Any]  # what it wrote
    priors: Mapping[Slot, Any]  # the overrides that it found
    thread: int  # the thread that entered it


class Chain:
    """A chain for each thread or task, as torch keeps overrides from 2.12 on.

    `top` returns the highest frame, or None; `put` replaces it.
    """

    __slots__ = ("put", "top")

    def __init__(self, cell: "ContextVar[Frame | None] | ProcessCell") -> None:
        self.top = cell.get
        self.put = cell.set

    def frames(self) -> Iterator[Frame]:
        """Yield what is in force, highest first."""
        frame = self.top()
        while frame is not None:
            yield frame
            frame = frame.parent

    def enter(self, patch: Entered, ready: Mapping[Slot, Any] | None = None) -> Entered:
        """Put *patch* in force on top of everything; return it. *ready* are its values if copied already."""
        # What `with dynconf.patch(...)` costs is spent here and in `leave`: plain loops, few calls.
        parent = self.top()
        values = patch.chosen if ready is None else ready
        priors = {}
        for slot in values:
            prior = slot.get()
            if prior is ABSENT or slot.entry.hide:
                raise deleted(slot)
            priors[slot] = prior
        if patch.needs & COPIES and ready is None:
            values = copies(values)
        frame = Frame(parent, patch, values, priors, get_ident())
        try:
            for slot, value in values.items():
                slot.set(value)
            self.put(frame)
            for inside, slots in patch.parts:
                inside.touch(slots)
                if inside.implications:
                    inside.refuse_conflicts()
            return patch
        except BaseException:
            self._apply(priors, parent)
            raise

    def leave(self, owner: Owner) -> None:
        """Take out the frame that *owner* entered last, if there is one."""
        top = self.top()
        if top is None or top.owner is not owner:
            found = self._frame_of(owner)
            if found is not None:
                self._splice(found.parent, self._above(found))
            return
        try:
            for slot, prior in top.priors.items():
                slot.set(prior)
                if slot.entry.hide:
                    slot.entry.hide = False
            self.put(top.parent)
            for inside, slots in owner.parts:
                inside.touch(slots)
        except BaseException:
            self._apply(top.priors, top.parent)
            raise

    def highest(self, slot: Slot) -> Frame | None:
        """Return the highest frame that sets the flag."""
        return next((frame for frame in self.frames() if slot in frame.values), None)

    def holds(self, owner: Owner) -> bool:
        """Tell whether *owner* is in force."""
        return self._frame_of(owner) is not None

    def _frame_of(self, owner: Owner) -> Frame | None:
        return next((frame for frame in self.frames() if frame.owner is owner), None)

    def _above(self, base: Frame | None) -> list[Frame]:
        """Return the frames above *base*, lowest first."""
        return [*takewhile(lambda frame: frame is not base, self.frames())][::-1]

    def enter_below(self, owner: Owner, values: Mapping[Slot, Any]) -> None:
        """Put *values* in force below every patch, on top of what is installed already."""
        refuse_deleted(values)
        patches = [frame for frame in self.frames() if frame.owner.stamp == ALWAYS]
        base = patches[-1].parent if patches else self.top()
        self._splice(base, [Frame(None, owner, values, {}, get_ident()), *reversed(patches)])

    def take_off(self, owner: Owner) -> list[Frame]:
        """Take off the frame of *owner* and what this thread entered above it; return them, lowest first.

        Each comes with the values that were in force, so that `put_on` can bring them back.
        """
        found = self._frame_of(owner)
        if found is None:
            return []
        above = self._above(found.parent)
        gone = [each for each in above if each.owner is owner or each.thread == get_ident()]
        shown, _ = _levels(above)
        taken = [Frame(None, each.owner, shown[each], {}, each.thread) for each in gone]
        self._splice(found.parent, [each for each in above if each not in gone])
        return taken

    def put_on(self, taken: Iterable[Frame]) -> None:
        """Put frames that were taken off on top again, in their order."""
        frames = [Frame(None, each.owner, each.values, {}, get_ident()) for each in taken]
        refuse_deleted(slot for frame in frames for slot in frame.values)
        self._splice(self.top(), frames)

    def forget(self, values: Mapping[Slot, Any]) -> None:
        """Write the values now, and keep every frame from bringing back others when it is left.

        Installations lose these flags altogether.
        """
        top: Frame | None = None
        for frame in reversed(list(self.frames())):
            kept = frame.values
            if frame.owner.stamp != ALWAYS:
                kept = {slot: value for slot, value in kept.items() if slot not in values}
                if not kept:
                    continue
            priors = {slot: values.get(slot, prior) for slot, prior in frame.priors.items() if slot in kept}
            top = Frame(top, frame.owner, kept, priors, frame.thread)
        self._apply(values, top)

    def _splice(self, base: Frame | None, frames: Iterable[Frame]) -> None:
        """Put *frames*, lowest first, on top of *base*, in place of what is there.

        A frame that is in the chain already keeps the values now in force for it: what it wrote, or what code
        has assigned since. A new one gets its own. Each remembers what is below it in the new order.
        """
        shown, current = _levels(self._above(base))
        top = base
        for frame in frames:
            for slot in frame.values:
                if slot not in current:
                    current[slot] = slot.get()
            priors = {slot: current[slot] for slot in frame.values}
            top = Frame(top, frame.owner, frame.values, priors, frame.thread)
            current.update(shown.get(frame, frame.values))
        self._apply(current, top)

    def _apply(self, writes: Mapping[Slot, Any], top: Frame | None) -> None:
        """Carry out a plan to its end; an interruption comes through once that is done."""
        try:
            self._write(writes, top)
        except BaseException:
            self._write(writes, top)
            raise

    def _write(self, writes: Mapping[Slot, Any], top: Frame | None) -> None:
        for slot, value in writes.items():
            if slot.get() is not value:
                slot.set(value)
            if slot.entry.hide:
                slot.entry.hide = False
        self.put(top)
        for inside, slots in parts_of(writes):
            inside.touch(slots)


class SharedChain(Chain):
    """One chain for the process, as torch keeps overrides up to 2.11; one thread at a time changes it."""

    __slots__ = ()

    _enter = locked(Chain.enter)

    def enter(self, patch: Entered, ready: Mapping[Slot, Any] | None = None) -> Entered:
        return self._enter(patch, copies(patch.chosen) if patch.needs & COPIES and ready is None else ready)

    leave = locked(Chain.leave)
    enter_below = locked(Chain.enter_below)
    take_off = locked(Chain.take_off)
    put_on = locked(Chain.put_on)
    forget = locked(Chain.forget)


PER_CONTEXT = Chain(ContextVar("dynconf", default=None))
SHARED = SharedChain(ProcessCell())


def copies(values: Mapping[Slot, Any]) -> dict[Slot, Any]:
    """Return what to write for *values*: copies of what can be changed in place, and limits only raised."""
    written = {slot: value if slot.fresh is None else slot.fresh(value) for slot, value in values.items()}
    for slot, value in values.items():
        if type(value) is AtLeast:
            written[slot] = int(value.over(slot.read()))
    return written


def parts_of(slots: Iterable[Slot]) -> Parts:
    """Return the slots of each config module."""
    parts: dict[Inside, list[Slot]] = {}
    for slot in slots:
        parts.setdefault(slot.binding.inside, []).append(slot)
    return tuple(parts.items())


def slots_of(owner: Owner) -> list[Slot]:
    """Return all slots of a patch or an installation."""
    return [slot for _, slots in owner.parts for slot in slots]


def deleted(slot: Slot) -> UnknownFlagError:
    """Return the error for a flag that was deleted from its module."""
    name = slot.setting.qualified
    return UnknownFlagError(
        f"{name} was deleted from {slot.binding.module.__name__}; dynconf.reset({name!r}) brings it back",
        flag=name,
    )


def refuse_deleted(slots: Iterable[Slot]) -> None:
    """Raise UnknownFlagError if one of the flags was deleted from its module."""
    for slot in slots:
        if slot.get() is ABSENT or slot.entry.hide:
            raise deleted(slot)


def _levels(above: Sequence[Frame]) -> tuple[dict[Frame, dict[Slot, Any]], dict[Slot, Any]]:
    """Return the values that each of the highest frames, lowest first, keeps in force, and those below."""
    current: dict[Slot, Any] = {}
    shown: dict[Frame, dict[Slot, Any]] = {}
    for frame in reversed(above):
        shown[frame] = {slot: current[slot] if slot in current else slot.get() for slot in frame.values}
        current.update(frame.priors)
    return shown, current
