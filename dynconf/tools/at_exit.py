"""What dynconf does beside a program, as at its end: if it fails, one line on stderr says so."""

import atexit
import os
import sys
from collections.abc import Callable
from contextlib import suppress

from dynconf.errors import DynconfError

_ends_by_interrupt = False


def say(text: str) -> None:
    """Write a line on stderr, in one piece, because several processes may; the program may have closed it."""
    with suppress(AttributeError, OSError, ValueError):
        sys.stderr.write(f"dynconf: {text}\n")
        sys.stderr.flush()


def attempt(what: str, action: Callable[[], object]) -> None:
    """Call *action*, which is *what* for the user; the program may have left torch in any state."""
    try:
        action()
    except DynconfError as error:
        say(f"error: {error}")
    except Exception as error:  # noqa: BLE001  the program goes on, or ends as it wanted to
        say(f"error: {what} failed: {type(error).__name__}: {error}")


def at_exit(what: str, action: Callable[[], object]) -> None:
    """`attempt` it when this process, not one forked from it, ends."""
    process = os.getpid()

    def act() -> None:
        if os.getpid() != process:
            return
        try:
            attempt(what, action)
        finally:
            # After a KeyboardInterrupt that nothing handles, Python ends itself by SIGINT. But CPython
            # forgets it when a text is executed meanwhile, as each definition of a dataclass does.
            if _ends_by_interrupt:
                with suppress(KeyboardInterrupt):
                    exec("raise KeyboardInterrupt")  # noqa: S102

    atexit.register(act)


def end_by_interrupt() -> None:
    """Have this process, whose program a KeyboardInterrupt ends, end by the signal whatever the actions do.

    `sys.last_type` does not say so: a console stores the interruptions there that it has handled.
    """
    global _ends_by_interrupt  # noqa: PLW0603  it is about the process
    _ends_by_interrupt = True
