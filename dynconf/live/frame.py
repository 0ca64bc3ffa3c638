"""A frame of the chain of changes, and the variable with the highest; see `dynconf.live.chain`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from dynconf.live.change import Change
from dynconf.live.torch.slot import Slot


@dataclass(slots=True, eq=False, init=False)
class Frame:
    """One entering of a change: `Chain.enter` fills it, or `made_frame`."""

    change: Change
    values: Mapping[Slot, Any]  # the values that it wrote
    priors: dict[Slot, Any]  # the overrides that it found
    parent: "Frame | None"  # the frame below
    thread: int | None  # the thread that entered it, if threads share the chain
    first: "Frame | None"  # the frame of the same entering that has been replaced by this one
    token: Any  # what the first one goes by: that of its context; `parent`, if threads share the chain

    @property
    def entering(self) -> "Frame":
        """An object that stays the same for as long as this is entered, while frames are replaced."""
        return self.first or self


def made_frame(
    change: Change,
    values: Mapping[Slot, Any],
    priors: dict[Slot, Any],
    parent: Frame | None = None,
    thread: int | None = None,
    first: Frame | None = None,
) -> Frame:
    """Return a frame. Why not by its `__init__`? Calling that would make each patch 3 % slower."""
    frame = Frame()
    frame.change = change
    frame.values = values
    frame.priors = priors
    frame.parent = parent
    frame.thread = thread
    frame.first = first
    frame.token = None
    return frame


class ProcessVar:
    """A variable with the methods of a `ContextVar` that all threads share; None at first.

    They are in C as well, so that no handler of a signal runs between a look at the chain and its change.
    """

    __slots__ = ("_value", "get", "reset", "set")

    def __init__(self) -> None:
        self._value = None
        place = vars(ProcessVar)["_value"]
        self.get = partial(place.__get__, self)
        self.set = self.reset = partial(place.__set__, self)


def levels(above: Sequence[Frame]) -> tuple[dict[Frame, dict[Slot, Any]], dict[Slot, Any]]:
    """Return the values that each of the highest frames, lowest first, keeps in force, and those below.

    Read from the top: a frame's values are in torch, unless a frame above has them as its priors.
    """
    current: dict[Slot, Any] = {}
    in_force: dict[Frame, dict[Slot, Any]] = {}
    for frame in reversed(above):
        in_force[frame] = {slot: current[slot] if slot in current else slot.stored() for slot in frame.values}
        current.update(frame.priors)
    return in_force, current
