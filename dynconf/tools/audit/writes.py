"""Writes to the configuration: noting the flags that a block changes, and the origin of the change.

The origin is the line that a person would look for. torch writes to its own flags all the time, mostly to
put them back: such a patch keeps its line in torch, and is marked `by_torch`. An assignment in torch is the
answer to a call from outside, such as ``DistributedDataParallel(model)``, so its line is that of the call.
Where another origin than that of the stack is known, it comes with the flag.
"""

import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import Any, NamedTuple

from dynconf.catalogue.flags.types import is_same_value
from dynconf.live.assignments import assigned_at
from dynconf.live.torch.restoring import MECHANICS, frames_to_program, is_torchs, program_line
from dynconf.provenance import Origin

ENVIRONMENT = "os.environ"
"""How a variable is changed; the values are its texts then, None while it is not set."""

FOR_TORCH_ITSELF = ("patch", ENVIRONMENT)
"""How torch changes flags for itself; if it changes one otherwise, it was called to do so."""


class ConfigWrite(NamedTuple):
    """One change of one flag, or of a variable of torch's in ``os.environ``.

    The values are the effective ones in the thread that wrote. `how` is ``assignment``, ``deletion``,
    ``patch``, ``load_config``, ``torch.compile`` for its options, one of dynconf's own ways, such as
    ``dynconf.patch``, ``in place`` without a line, or ``os.environ``.
    """

    flag: str  # its full name; with that of its config module if dynconf does not know that one
    before: Any
    after: Any
    how: str
    origin: Origin  # the line that wrote, or where dynconf has the value from
    by_torch: bool  # whether torch itself wrote, for whatever reason
    thread: str
    time: float  # seconds since the epoch

    @property
    def file(self) -> str | None:
        """The file that wrote, or that dynconf has the value from; None if it comes from elsewhere."""
        return self.origin.file

    @property
    def line(self) -> int | None:
        """The line in that file, counted from 1."""
        return self.origin.line


_ONLY_CHANGES = frozenset({"dynconf.install", "dynconf.preserve", "dynconf.reset", "in place", "load_config"})
"""Ways that report only flags with another value afterwards: they go through flags that nobody named."""

Watcher = Callable[[ConfigWrite], object]

watchers: list[Watcher] = []
"""Functions that are called with every write."""

_running = threading.local()


class NotedFlag(NamedTuple):
    """A flag that may be about to change: how to read it, and the origin of the change, if that is known."""

    read: Callable[[], Any]
    origin: Origin | None = None


NotedFlags = Mapping[str, NotedFlag]
"""Flags by their full names."""


def noting(
    how: str, find: Callable[..., NotedFlags], do: Any, undo: Callable[..., object] | None = None
) -> Any:
    """Return *do*, reporting its changes to the flags that *find* returns for the same arguments.

    If Ctrl-C ends the report of something that somebody has to end, such as a patch that was entered, *undo*
    ends it: it gets the result of *do*, and the arguments. That is not reported, for the watchers may raise
    again.
    """

    def noting_changes(*args: Any, **named: Any) -> Any:
        finished = []
        try:
            with noted(find(*args, **named), how):
                finished.append(do(*args, **named))
        except BaseException:
            if undo is not None and finished:
                before, _running.is_noted = getattr(_running, "is_noted", False), True
                try:
                    undo(finished[0], *args, **named)
                finally:
                    _running.is_noted = before
            raise
        return finished[0]

    return noting_changes


@contextmanager
def noted(flags: NotedFlags, how: str, start: FrameType | None = None) -> Iterator[None]:
    """Report to the watchers the changes inside the block, unless an enclosing block does.

    The line that makes them is looked for from the frame *start* on, which is that of the block.
    """
    if getattr(_running, "is_noted", False) or not watchers or not flags:
        yield
        return
    _running.is_noted = True
    done = False
    try:
        how, origin, by_torch = _line(start or sys._getframe(2), how)
        before = {flag: each.read() for flag, each in flags.items()}
        try:
            yield
            done = True
        finally:
            thread, now = threading.current_thread().name, time.time()
            for flag, each in flags.items():
                after = each.read()
                if (done and how not in _ONLY_CHANGES) or not is_same_value(before[flag], after):
                    is_torchs = by_torch and each.origin is None
                    values = before[flag], after, how, each.origin or origin
                    write = ConfigWrite(flag, *values, is_torchs, thread, now)
                    for watcher in tuple(watchers):
                        watcher(write)
    finally:
        _running.is_noted = False


def _line(start: FrameType, how: str) -> tuple[str, Origin, bool]:
    """Return how the flag is really changed, the line that does it, and whether torch itself does."""
    *between, line = frames_to_program(start)
    for frame in between:
        is_patch = frame.f_code.co_name in ("__enter__", "__exit__")  # one that was made before the audit
        if is_patch and frame.f_globals.get("__name__") == MECHANICS:
            how = "patch"
    by_torch = is_torchs(line)
    # Code that torch generates has no module.
    outside = how not in FOR_TORCH_ITSELF and (by_torch or "__name__" not in line.f_globals)
    return how, origin_outside_torch(line) if outside else assigned_at(line), by_torch


def origin_outside_torch(frame: FrameType) -> Origin:
    """Return the nearest line outside torch, from which torch was called."""
    return assigned_at(program_line(frame, outside_torch=True))
