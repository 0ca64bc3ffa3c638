"""An error that ends a program under `dynconf run`: Python reports it as if dynconf were not below.

The problem: an error ends the process once it has left every frame, and dynconf's are the last ones. Python
then stores it in ``sys.last_value``, calls `sys.excepthook`, joins the threads, and ends with 1 or by SIGINT.
All of that shows the frames to the program. Why not report the error before it leaves? Python would report it
again, so `sys.excepthook` would have to be mute from then on: for the threads that still run, too.

The idea: Python takes every step itself, and calls a hook that removes the frames before it hands over to the
program's own. It is in place from the last frame of the program to that call::

    train.py:7          raises; Program.run catches
    end_with            keeps the traceback [train.py:7], puts the hook in place, and raises again
    main, runpy, ...    the traceback grows to [runpy.py, ..., train.py:7]
    Python              stores that in sys.last_traceback, and calls the hook
    the hook            stores [train.py:7], puts the program's hook back, and calls it
"""

import sys
from types import TracebackType
from typing import NoReturn

from dynconf.tools.at_exit import end_by_interrupt


def end_with(error: BaseException) -> NoReturn:
    """Raise an error that the program does not handle, without frames of dynconf wherever it is reported."""
    _clean(error)
    trace, hook = error.__traceback__, getattr(sys, "excepthook", sys.__excepthook__)

    def call_hook(kind: type[BaseException], value: BaseException, whole: TracebackType | None) -> None:
        if value is error:  # else it is of a thread, just in this moment
            sys.excepthook = hook
            value.__traceback__ = sys.last_traceback = whole = trace
        hook(kind, value, whole)

    if type(error) is KeyboardInterrupt:
        end_by_interrupt()
    sys.excepthook = call_hook
    raise error


def _clean(error: BaseException) -> None:
    """Remove dynconf's frames from the tracebacks of an error, and of those that Python shows with it."""
    cleaned: set[int] = set()
    pending: list[BaseException | None] = [error]
    while pending:
        each = pending.pop()
        if each is not None and id(each) not in cleaned:
            cleaned.add(id(each))
            each.__traceback__ = _without_own_frames(each.__traceback__)
            pending += [each.__cause__, each.__context__]


def _without_own_frames(trace: TracebackType | None) -> TracebackType | None:
    """Return a traceback without the frames by which `dynconf run` is between the program and Python."""
    trace = _behind_own(trace)
    last = trace
    while last is not None:
        rest = _behind_own(last.tb_next)
        if rest is not last.tb_next:  # setting it walks to the end, which is far away after a RecursionError
            last.tb_next = rest
        last = rest
    return trace


def _behind_own(trace: TracebackType | None) -> TracebackType | None:
    """Return the rest of a traceback behind dynconf's frames, if it begins with such."""
    if trace is None or _module_of(trace) not in _OWN_MODULES:
        return trace
    while trace is not None and _module_of(trace).partition(".")[0] == "dynconf":
        trace = trace.tb_next
    return trace


def _module_of(trace: TracebackType) -> str:
    return str(trace.tb_frame.f_globals.get("__name__"))


_OWN_MODULES = (
    __name__,
    "dynconf.tools.run.program",
    "dynconf.live.after_import",
    "dynconf.live.assignments",
    "dynconf.live.torch.door",
    "dynconf.tools.audit.watch",
    "dynconf.tools.audit.writes",
)
"""The modules that run the program, or stand between it and torch, and that call others of dynconf's.

Frames of a function that the program calls itself stay: they are in its traceback under Python, too.
"""
