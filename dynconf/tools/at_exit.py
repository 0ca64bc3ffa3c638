"""Actions at the end of this process."""

import atexit
import os
from collections.abc import Callable
from contextlib import suppress

_ends_by_interrupt = False


def at_exit(action: Callable[[], object]) -> None:
    """Call *action* when this process, not one forked from it, ends."""
    process = os.getpid()

    def act() -> None:
        if os.getpid() != process:
            return
        try:
            action()
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
