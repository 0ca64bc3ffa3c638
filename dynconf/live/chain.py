"""The chain of what is in force: a frame for each patch and installation that has been entered.

Each frame knows the overrides that stood before it. To leave one that is not the last, the overrides that it
kept are handed to the next frame above that changed the same flag; where there is none they are put back.
So frames may be left in any order, and a later one holds until it is left itself.

Frames are never changed once they are in the chain: it may be shared by contexts that were copied from one
another, and leaving in one must not be felt in the others. What would change is made anew.

Every change is planned first and then applied. Applying is repeated to its end when it is interrupted, be it
by KeyboardInterrupt; where entering is interrupted, it is undone. Where the chain is the process's, each
function here must have it to itself: call it through `Binding.alone`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from threading import get_ident
from typing import Any, Protocol

from dynconf.errors import UnknownFlagError
from dynconf.live.binding import Binding
from dynconf.live.slots import ABSENT, Slot
from dynconf.provenance import Origin


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
        thread: The thread that entered it, by number.
        slots: The flags that it changed.
        values: What it put there.
        priors: The overrides that it found.
    """

    __slots__ = ("owner", "parent", "priors", "slots", "thread", "token", "values")

    def __init__(  # noqa: PLR0913, PLR0917  all that it is; keywords would cost as much as the rest
        self,
        parent: "Frame | None",
        owner: Owner,
        token: object,
        thread: int,
        slots: Sequence[Slot],
        values: Sequence[Any],
        priors: Sequence[Any],
    ) -> None:
        self.parent = parent
        self.owner = owner
        self.token = token
        self.thread = thread
        self.slots = slots
        self.values = values
        self.priors = priors

    def anew(self, parent: "Frame | None", priors: Sequence[Any]) -> "Frame":
        """Return the frame with another one below it, and other overrides to bring back."""
        return Frame(parent, self.owner, self.token, self.thread, self.slots, self.values, priors)


def enter(
    binding: Binding, owner: Owner, slots: Sequence[Slot], values: Sequence[Any], token: object
) -> None:
    """Put *values* in force on top of everything.

    Raises:
        UnknownFlagError: One of the flags was deleted from the module.
        ConflictError: With these values torch's implications contradict each other.
    """
    # What `with dynconf.patch(...)` costs is spent here and in `leave`: plain loops, few calls.
    parent = binding.stack.get()
    priors = []
    current = values
    for slot in slots:
        prior = slot.get()
        if prior is ABSENT or binding.is_hidden(slot):
            raise deleted(binding, slot)
        if slot.fresh is not None and current is values:
            current = fresh(slots, values)
        priors.append(prior)
    frame = Frame(parent, owner, token, get_ident(), slots, current, priors)
    try:
        for slot, value in zip(slots, current):
            slot.set(value)
        binding.stack.set(frame)
        binding.touch(slots)
        if binding.implications:
            binding.refuse_conflicts()
        return
    except BaseException:
        _apply(binding, dict(zip(slots, priors)), parent, slots)
        raise


def deleted(binding: Binding, slot: Slot) -> UnknownFlagError:
    """Return the error for a flag that was deleted from the module."""
    return UnknownFlagError(
        f"{slot.name} was deleted from {binding.module.__name__}; dynconf.reset({slot.name!r}) brings it back"
    )


def leave(binding: Binding, owner: Owner) -> None:
    """Take out the frame that *owner* entered last in this context, if there is one."""
    top = binding.stack.get()
    if top is None or top.owner is not owner:
        below = next((frame for frame in chain(top) if frame.owner is owner), None)
        if below is not None:
            _take_out(binding, top, [below])
        return
    slots = top.slots
    try:
        for slot, prior in zip(slots, top.priors):
            slot.set(prior)
            binding.unhide(slot)
        binding.stack.set(top.parent)
        binding.touch(slots)
        return
    except BaseException:
        _apply(binding, dict(zip(slots, top.priors)), top.parent, slots)
        raise


def fresh(slots: Sequence[Slot], values: Sequence[Any]) -> list[Any]:
    """Return *values* with those copied that could be changed in place."""
    return [value if slot.fresh is None else slot.fresh(value) for slot, value in zip(slots, values)]


def enter_below(binding: Binding, owner: Owner, slots: Sequence[Slot], values: Sequence[Any]) -> None:
    """Put *values*, which are nobody else's, in force below every patch, on top of what is installed already.

    Raises:
        UnknownFlagError: One of the flags was deleted from the module.
    """
    for slot in slots:
        if slot.get() is ABSENT or binding.is_hidden(slot):
            raise deleted(binding, slot)
    patches = [frame for frame in chain(binding.stack.get()) if not frame.owner.below_patches]
    base = patches[-1].parent if patches else binding.stack.get()
    waiting = dict(zip(slots, values))
    found: dict[Slot, Any] = {}
    # The lowest patch of a flag found what the installation is to find, and finds the installation instead.
    replaced = []
    for patch in reversed(patches):
        found.update((slot, prior) for slot, prior in zip(patch.slots, patch.priors) if slot in waiting)
        replaced.append([waiting.pop(slot, prior) for slot, prior in zip(patch.slots, patch.priors)])
    found.update((slot, slot.get()) for slot in waiting)
    top = Frame(base, owner, None, get_ident(), slots, values, [found[slot] for slot in slots])
    for patch, priors in zip(reversed(patches), replaced):
        top = patch.anew(top, priors)
    _apply(binding, waiting, top, slots)


def take_off(binding: Binding, token: object) -> list[Frame]:
    """Take off the frame of that token and what this thread entered above it; return them, lowest first.

    Each comes with the values that stood when it was taken off, for `put_on` to bring back.
    """
    top = binding.stack.get()
    taken: list[Frame] = []
    current: dict[Slot, Any] = {}
    gone = []
    if any(frame.token is token for frame in chain(top)):
        for frame in chain(top):
            if frame.thread == get_ident() or frame.token is token:
                gone.append(frame)
                values = [current[slot] if slot in current else slot.get() for slot in frame.slots]
                taken.append(Frame(None, frame.owner, frame.token, frame.thread, frame.slots, values, ()))
            current.update(zip(frame.slots, frame.priors))
            if frame.token is token:
                break
        _take_out(binding, top, gone)
    return taken[::-1]


def put_on(binding: Binding, taken: Iterable[Frame]) -> None:
    """Put frames that were taken off on top again, in their order.

    Raises:
        UnknownFlagError: One of the flags was deleted from the module.
    """
    before = top = binding.stack.get()
    current: dict[Slot, Any] = {}
    originals: dict[Slot, Any] = {}
    for frame in taken:
        for slot in frame.slots:
            if originals.setdefault(slot, slot.get()) is ABSENT or binding.is_hidden(slot):
                raise deleted(binding, slot)
        priors = [current.get(slot, originals[slot]) for slot in frame.slots]
        current.update(zip(frame.slots, frame.values))
        top = Frame(top, frame.owner, frame.token, get_ident(), frame.slots, frame.values, priors)
    try:
        for slot, value in current.items():
            slot.set(value)
        binding.stack.set(top)
        binding.touch(current)
        return
    except BaseException:
        _apply(binding, originals, before, originals)
        raise


def forget(binding: Binding, values: Mapping[Slot, Any]) -> None:
    """Write the values now, and have no frame bring anything else back when it is left."""
    top: Frame | None = None
    for frame in reversed(list(chain(binding.stack.get()))):
        top = frame.anew(top, [values.get(slot, prior) for slot, prior in zip(frame.slots, frame.priors)])
    _apply(binding, values, top, values)


def chain(top: Frame | None) -> Iterator[Frame]:
    """Yield the frames from *top* down."""
    while top is not None:
        yield top
        top = top.parent


def _take_out(binding: Binding, top: Frame | None, gone: Sequence[Frame]) -> None:
    """Take out the frames *gone*, highest first: what each found goes to the next above, or is put back."""
    segment = []
    for frame in chain(top):
        segment.append(frame)
        if frame is gone[-1]:
            break
    pending: dict[Slot, Any] = {}
    touched: set[Slot] = set()
    rebuilt = gone[-1].parent
    for frame in reversed(segment):
        if frame in gone:
            touched.update(frame.slots)
            for slot, prior in zip(frame.slots, frame.priors):
                pending.setdefault(slot, prior)
        else:
            rebuilt = frame.anew(
                rebuilt, [pending.pop(slot, prior) for slot, prior in zip(frame.slots, frame.priors)]
            )
    _apply(binding, pending, rebuilt, touched)


def _apply(binding: Binding, writes: Mapping[Slot, Any], top: Frame | None, touched: Iterable[Slot]) -> None:
    """Carry out a plan to its end; an interruption comes through once that is done."""
    try:
        _write(binding, writes, top, touched)
        return
    except BaseException:
        _write(binding, writes, top, touched)
        raise


def _write(binding: Binding, writes: Mapping[Slot, Any], top: Frame | None, touched: Iterable[Slot]) -> None:
    for slot, value in writes.items():
        if slot.get() is not value:
            slot.set(value)
        binding.unhide(slot)
    binding.stack.set(top)
    binding.touch(touched)
