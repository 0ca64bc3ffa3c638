"""The chain of what is in force: a frame for each patch and installation that has been entered.

Each frame knows the overrides that stood before it. To leave one that is not the last, the overrides that it
kept are handed to the next frame above that changed the same flag; where there is none they are put back.
So frames may be left in any order, and a later one holds until it is left itself.

Frames are never changed: a chain may be shared by contexts that were copied from one another, and leaving in
one must not be felt in the others. What would change is made anew.

Every change is planned first and then applied. Applying is repeated to its end when it is interrupted, be it
by KeyboardInterrupt; where entering is interrupted, it is undone.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from dynconf.errors import UnknownFlagError
from dynconf.live.binding import Binding, Slot
from dynconf.provenance import Origin

Write = tuple[Slot, Any]


class Owner(Protocol):
    """A patch or an installation, as frames know it."""

    below_patches: bool

    def origin_for(self, flag: str) -> Origin:
        """Return where the value that it gives the flag came from."""
        ...


class Frame:
    """One patch in force.

    Attributes:
        parent: The frame below.
        owner: The patch or installation.
        token: What tells this frame from others of the same owner, also after it was made anew.
        slots: The flags that it changed.
        values: What it put there.
        priors: The overrides that it found.
    """

    __slots__ = ("owner", "parent", "priors", "slots", "token", "values")

    def __init__(
        self,
        parent: "Frame | None",
        owner: Owner,
        token: object,
        slots: Sequence[Slot],
        values: Sequence[Any],
        priors: Sequence[Any],
    ) -> None:
        self.parent = parent
        self.owner = owner
        self.token = token
        self.slots = slots
        self.values = values
        self.priors = priors


def enter(
    binding: Binding, owner: Owner, slots: Sequence[Slot], values: Sequence[Any], token: object = None
) -> None:
    """Put *values* in force on top of everything."""
    # What `with dynconf.patch(...)` costs is spent here and in `leave`: one function each, plain loops.
    shared = binding.shared
    if shared is not None:
        shared.acquire()
    try:
        parent = binding.stack.get()
        priors: list[Any] = []
        current = values
        for slot in slots:
            if slot.entry.hide if slot.entry is not None else binding.hidden(slot):
                raise UnknownFlagError(
                    f"{slot.name} was deleted from {binding.module.__name__};"
                    f" dynconf.reset({slot.name!r}) brings it back"
                )
            if slot.fresh is not None and current is values:
                current = fresh(slots, values)
            priors.append(slot.get())
        try:
            for slot, value in zip(slots, current):
                slot.set(value)
            binding.stack.set(Frame(parent, owner, token, slots, current, priors))
            binding.touch(slots)
            return
        except BaseException:
            _apply(binding, zip(slots, priors), parent, slots)
            raise
    finally:
        if shared is not None:
            shared.release()


def leave(binding: Binding, owner: Owner) -> None:
    """Take out the frame that *owner* entered last in this context, if there is one."""
    shared = binding.shared
    if shared is not None:
        shared.acquire()
    try:
        top = binding.stack.get()
        if top is None or top.owner is not owner:
            _take_out(binding, top, next((frame for frame in chain(top) if frame.owner is owner), None))
            return
        try:
            for slot, prior in zip(top.slots, top.priors):
                slot.set(prior)
            binding.stack.set(top.parent)
            binding.touch(top.slots)
            return
        except BaseException:
            _apply(binding, zip(top.slots, top.priors), top.parent, top.slots)
            raise
    finally:
        if shared is not None:
            shared.release()


def _take_out(binding: Binding, top: Frame | None, frame: Frame | None) -> None:
    """Take *frame* out from below the frames that were entered after it."""
    if frame is not None:
        writes, rebuilt = _without(frame, _above(top, frame))
        _apply(binding, writes, rebuilt, frame.slots)


def fresh(slots: Sequence[Slot], values: Sequence[Any]) -> list[Any]:
    """Return *values* with those copied that could be changed in place."""
    return [value if slot.fresh is None else slot.fresh(value) for slot, value in zip(slots, values)]


def enter_below(binding: Binding, owner: Owner, slots: Sequence[Slot], values: Sequence[Any]) -> None:
    """Put *values* in force below every patch, on top of what is installed already."""
    stack = binding.stack
    with binding.lock:
        top = stack.get()
        patches = [frame for frame in chain(top) if not frame.owner.below_patches]
        base = patches[-1].parent if patches else top
        current = fresh(slots, values)
        priors, writes, handed = [], [], {}
        for slot, value in zip(slots, current):
            holder = _lowest_with(slot, patches)
            if holder is None:
                priors.append(slot.get())
                writes.append((slot, value))
            else:
                priors.append(holder.priors[holder.slots.index(slot)])
                handed[holder, slot] = value
        frame = Frame(base, owner, None, slots, current, priors)
        _apply(binding, writes, _rebuilt(frame, reversed(patches), handed), slots)


def take_off(binding: Binding, token: object) -> list[Frame]:
    """Take off the frame of that token and all that was entered above it; return them, lowest first.

    Each comes with the values that stood when it was taken off, for `put_on` to bring back.
    """
    stack = binding.stack
    with binding.lock:
        top = stack.get()
        frame = find(top, token)
        if frame is None:
            return []
        segment = [*_above(top, frame), frame]
        current: dict[Slot, Any] = {slot: slot.get() for each in segment for slot in each.slots}
        originals: dict[Slot, Any] = {}
        taken = []
        for each in segment:
            taken.append(
                Frame(None, each.owner, each.token, each.slots, [current[slot] for slot in each.slots], ())
            )
            originals.update(zip(each.slots, each.priors))
            current.update(zip(each.slots, each.priors))
        _apply(binding, originals.items(), frame.parent, originals)
        return taken[::-1]


def put_on(binding: Binding, taken: Iterable[Frame]) -> None:
    """Put frames that were taken off on top again, in their order."""
    stack = binding.stack
    with binding.lock:
        before = stack.get()
        top: Frame | None = before
        current: dict[Slot, Any] = {}
        originals: dict[Slot, Any] = {}
        for frame in taken:
            for slot in frame.slots:
                originals.setdefault(slot, slot.get())
            priors = [current.get(slot, originals[slot]) for slot in frame.slots]
            current.update(zip(frame.slots, frame.values))
            top = Frame(top, frame.owner, frame.token, frame.slots, frame.values, priors)
        try:
            for slot, value in current.items():
                slot.set(value)
            stack.set(top)
            binding.touch(current)
            return
        except BaseException:
            _apply(binding, originals.items(), before, originals)
            raise


def forget(binding: Binding, values: dict[Slot, Any]) -> None:
    """Write the values now, and have no frame bring anything else back when it is left."""
    with binding.lock:
        frames = list(chain(binding.stack.get()))
        handed = {(frame, slot): values[slot] for frame in frames for slot in frame.slots if slot in values}
        _apply(binding, values.items(), _rebuilt(None, reversed(frames), handed), values)


def lay_aside(binding: Binding, slot: Slot, override: Any) -> Any:
    """Put *override* below every patch of this context, and return what stood there."""
    with binding.lock:
        frames = list(chain(binding.stack.get()))
        holder = _lowest_with(slot, [frame for frame in frames if not frame.owner.below_patches])
        if holder is None:
            before = slot.get()
            slot.set(override)
        else:
            before = holder.priors[holder.slots.index(slot)]
            binding.stack.set(_rebuilt(None, reversed(frames), {(holder, slot): override}))
        binding.touch((slot,))
        return before


def chain(top: Frame | None) -> Iterable[Frame]:
    """Yield the frames from *top* down."""
    while top is not None:
        yield top
        top = top.parent


def find(top: Frame | None, token: object) -> Frame | None:
    """Return the frame of that token in the chain below *top*."""
    return next((frame for frame in chain(top) if frame.token is token), None)


def _above(top: Frame | None, frame: Frame) -> list[Frame]:
    """Return the frames above *frame*, highest first."""
    above = []
    for each in chain(top):
        if each is frame:
            break
        above.append(each)
    return above


def _without(frame: Frame, above: Sequence[Frame]) -> tuple[list[Write], Frame | None]:
    """Plan to take *frame* out from below others: the overrides to write, and the chain anew."""
    writes, handed = [], {}
    for slot, prior in zip(frame.slots, frame.priors):
        holder = _lowest_with(slot, above)
        if holder is None:
            writes.append((slot, prior))
        else:
            handed[holder, slot] = prior
    return writes, _rebuilt(frame.parent, reversed(above), handed)


def _lowest_with(slot: Slot, frames: Sequence[Frame]) -> Frame | None:
    """Return the lowest of *frames*, highest first, that changed the slot."""
    return next((frame for frame in reversed(frames) if slot in frame.slots), None)


def _rebuilt(
    base: Frame | None, frames: Iterable[Frame], handed: dict[tuple[Frame, Slot], Any]
) -> Frame | None:
    """Return *frames*, lowest first, on top of *base*, with the priors that they were handed."""
    for frame in frames:
        priors = [handed.get((frame, slot), prior) for slot, prior in zip(frame.slots, frame.priors)]
        base = Frame(base, frame.owner, frame.token, frame.slots, frame.values, priors)
    return base


def _apply(binding: Binding, writes: Iterable[Write], top: Frame | None, touched: Iterable[Slot]) -> None:
    """Carry out a plan to its end; an interruption comes through once that is done."""
    writes = list(writes)
    try:
        for slot, value in writes:
            slot.set(value)
        binding.stack.set(top)
        binding.touch(touched)
        return
    except BaseException:
        for slot, value in writes:
            slot.set(value)
        binding.stack.set(top)
        binding.touch(touched)
        raise
