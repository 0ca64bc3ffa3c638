"""Dropping what Dynamo has compiled, which other threads may be running.

The problem: ``torch._dynamo.reset()`` frees the compiled versions of every code object at once. A thread that
is looking for one, or is compiling, has a pointer to them in C++, and the process ends with a segmentation
fault.

The idea: look at the stacks of all threads, and drop only at a moment when none may be inside Dynamo. The
look itself takes time, in which a thread may go on. So the versions are dropped by one call into C, during
which no other thread runs. It first compares where each thread is with where it was found, and does nothing
if one has moved. Example, with a second thread that calls ``compiled(x)`` in a loop:

=====================================  =======================================================================
the second thread was found            and then
=====================================  =======================================================================
in the loop, outside the call          it is not inside Dynamo: drop, if it is still there; else look again
in `_fn`, Dynamo's wrapper             it may be looking for a version in C++: look again, a millisecond later
in the graph, which `_fn` has called   it is outside until the graph returns: drop, if it is still there
in `convert_frame`                     it is compiling: look again, a millisecond later
=====================================  =======================================================================

If there is no such moment for a while, dropping is refused. Why is holding Dynamo's own lock not enough? It
is taken only to compile, and a thread that waits for it has the pointer already. And why keep the versions
until the end? Freeing one runs Python code, at which the interpreter's lock may change hands.
"""

import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from itertools import chain, compress, starmap
from operator import attrgetter, eq
from types import CodeType, FrameType
from typing import Any

from dynconf.errors import ConflictError

LONGEST_WAIT = 2.0
"""The seconds to wait for other threads to leave Dynamo."""

_instruction = attrgetter("f_lasti")


def drop_compiled_code() -> None:
    """Have Dynamo compile everything again, in the whole process.

    Raises:
        ConflictError: This thread is compiling, or others run compiled code all the time.
    """
    reason = drop_versions(codes_seen_by_dynamo, _reset_counters)
    if reason is not None:
        raise ConflictError(
            f"recompile(): {reason}, and dropping compiled code now could crash the process; all compiled"
            " code stays: enter and leave the patch while no other thread calls compiled functions"
        )


def codes_seen_by_dynamo() -> list[CodeType]:
    """Return the code objects that Dynamo has compiled or made, of which some have compiled versions."""
    from torch._dynamo import convert_frame

    trackers = convert_frame.input_codes, convert_frame.output_codes
    return [code for each in trackers for seen in list(each.seen) if (code := seen()) is not None]


def drop_versions(
    find_codes: Callable[[], list[CodeType]], then: Callable[[], object] = lambda: None
) -> str | None:
    """Drop the compiled versions of code objects, then call *then*; or return the reason why that cannot be.

    No other thread can begin to compile before *then* has returned.
    """
    from torch._dynamo import convert_frame

    lock: Any = convert_frame.compile_lock
    end = time.monotonic() + LONGEST_WAIT
    inside = threading.get_ident() if lock._is_owned() else None
    while inside != threading.get_ident():
        kept: list[Any] = []
        try:
            # Not `with`: another thread may compile for minutes, and one that a fork left behind for ever.
            if lock.acquire(timeout=max(end - time.monotonic(), 0)):
                inside = _drop_unless_inside(find_codes, kept, end)
                if inside is None:
                    then()
                    return None
        finally:
            if lock._is_owned():  # even if Ctrl-C came before that could be noted
                lock.release()
        if time.monotonic() > end:
            break
        time.sleep(0.001)
    names = {each.ident: each.name for each in threading.enumerate()}
    if inside is None:  # the lock was not free
        inside = _thread_inside(sys._current_frames(), {})
    if inside not in names:
        return "a thread that this process does not have, as after a fork, is compiling"
    return f"the thread {names[inside]!r} is compiling or running compiled code"


def _drop_unless_inside(find_codes: Callable[[], list[CodeType]], kept: list[Any], end: float) -> int | None:
    """Drop the compiled versions, which go to *kept*; or return the thread that is in the way."""
    from torch._dynamo import eval_frame
    from torch._dynamo.eval_frame import _debug_get_cache_entry_list

    reset_code: Any = vars(eval_frame)["reset_code"]  # on torch 2.4, its own module is no package
    own = threading.get_ident()
    outside: dict[int, Any] = {}
    while True:
        codes = find_codes()
        entries = [entry for code in codes for entry in _debug_get_cache_entry_list(code)]
        # What a compiled version owns; the version itself is memory of C++.
        owned = "code", "guard_manager", "check_fn", "backend"
        kept[:] = codes, [getattr(entry, name, None) for entry in entries for name in owned]
        threads = sys._current_frames()
        others = [frame for thread, frame in threads.items() if thread != own]
        places = tuple(map(_instruction, others))
        inside = _thread_inside(threads, outside)
        if inside is not None:
            return inside
        # Iterators of C, which compute nothing until `deque` runs them all in one call. A line of Python in
        # between, even an `if`, is a point at which another thread may run.
        are_same_frames = map(eq, [threads], starmap(sys._current_frames, [()]))
        are_in_place = map(eq, [places], starmap(tuple, [(map(_instruction, others),)]))
        unmoved = compress(compress([codes], are_same_frames), are_in_place)
        if len(deque(map(reset_code, chain.from_iterable(unmoved)))) == len(codes):
            return None
        if time.monotonic() > end:
            return next(thread for thread in threads if thread != own)


def _thread_inside(threads: Mapping[int, FrameType], outside: dict[int, Any]) -> int | None:
    """Return a thread that may be inside Dynamo, if there is one.

    *outside* remembers where each thread was found outside. Looking at hundreds of deep stacks takes longer
    than the turn of a thread, so that one would always have moved meanwhile if all were looked at each time.
    """
    for thread, frame in threads.items():
        place = frame, frame.f_back, frame.f_lasti
        if outside.get(thread) != place:
            if _may_be_inside(frame, is_own=thread == threading.get_ident()):
                return thread
            outside[thread] = place
    return None


def _reset_counters() -> None:
    """Forget what Dynamo counts for each function, and what backends keep.

    Why not by torch's reset? It would drop code again, of threads that have begun to compile since.
    """
    from torch._dynamo import convert_frame, eval_frame

    convert_frame.FRAME_COMPILE_COUNTER.clear()  # else the limit of recompilations would be reached
    eval_frame._reset_guarded_backend_cache()
    with suppress(ImportError):  # before torch 2.6
        from torch._dynamo import pgo

        pgo.reset_code_state()  # which sizes vary


def _may_be_inside(frame: FrameType | None, *, is_own: bool) -> bool:
    """Tell whether a thread may be inside Dynamo, which has few frames of its own: it is mostly C++.

    Another thread that called a compiled function may be, until it runs the graph's own code. This thread is
    only while it compiles: otherwise it would not be running Python code that drops anything.
    """
    from torch._dynamo import convert_frame, eval_frame

    constants = eval_frame.DisableContext.__call__.__code__.co_consts
    outside = [each for each in constants if isinstance(each, CodeType)]
    while frame is not None:
        if frame.f_globals is vars(convert_frame):
            return True
        if not is_own and frame.f_code in outside:
            return False
        if not is_own and frame.f_globals is vars(eval_frame):
            return True
        frame = frame.f_back
    return False
