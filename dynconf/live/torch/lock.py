"""The one lock, around changes of state that belongs to the process."""

import contextlib
import functools
import os
import threading


class _Locked(contextlib.ContextDecorator):
    """Decorates functions that change state of the process: one call at a time.

    No foreign code runs meanwhile: values are copied, and torch is imported and asked, beforehand.

    The methods are the lock's own, in C, so that an interruption cannot come between a call and the release.
    A ``with`` block must have no loop in it: the jump at the end of one that ends with an `if` is outside of
    the block in Python 3.12 and 3.13, which handle signals there, so the lock would stay acquired.
    """

    lock = threading.RLock()
    __enter__ = lock.__enter__
    __exit__ = lock.__exit__


locked = _Locked()


def _let_go() -> None:
    with contextlib.suppress(RuntimeError):  # it was not acquired in time
        _Locked.lock.release()


if hasattr(os, "register_at_fork"):
    # A child gets a consistent state of the process, and a lock that nobody holds. The lock is held for
    # microseconds; should it ever take longer, a fork must not wait for it.
    os.register_at_fork(
        before=functools.partial(_Locked.lock.acquire, timeout=1),
        after_in_parent=_let_go,
        after_in_child=_Locked.lock._at_fork_reinit,  # type: ignore[attr-defined]
    )
