"""Actions at the end of this process."""

import atexit
import os
import sys
from collections.abc import Callable
from contextlib import suppress


def at_exit(action: Callable[[], object]) -> None:
    """Call *action* when this process, not one forked from it, ends."""
    process = os.getpid()

    def act() -> None:
        if os.getpid() != process:
            return
        action()
        # After a KeyboardInterrupt that nothing handles, Python ends itself by SIGINT. But CPython forgets it
        # when a text is executed meanwhile, as each definition of a dataclass in an import does.
        if getattr(sys, "last_type", None) is KeyboardInterrupt:
            with suppress(KeyboardInterrupt):
                exec("raise KeyboardInterrupt")  # noqa: S102

    atexit.register(act)
