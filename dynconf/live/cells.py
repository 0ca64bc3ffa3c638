"""Where one value is kept, for each thread or task or for the process; and stand-ins for torch's own cells.

From torch 2.12 on a config module keeps each override in a context variable, and from 2.13 on its caches as
well. A context variable cannot be written for all threads at once. The stand-ins replace one and add what an
installation for the process needs.
"""

import threading
from collections.abc import Iterable
from contextvars import ContextVar
from typing import Any


class ProcessCell:
    """A value that all threads share; None at first."""

    _value: Any = None

    def get(self) -> Any:
        return self._value

    def set(self, value: Any) -> None:
        self._value = value


class Expiring:
    """Stands in for the variable that says whether a cache of the running thread or task is stale.

    `expire` makes it stale in all of them. So is what a thread computed from values that it read earlier:
    its answer belongs to the epoch in which it asked.
    """

    __slots__ = ("_epoch", "_stale", "_variable")

    def __init__(self, stale: object) -> None:
        self._stale = stale
        self._epoch = object()
        self._variable: ContextVar[tuple[object, Any]] = ContextVar("dynconf:cache", default=(None, stale))

    def expire(self) -> None:
        self._epoch = object()

    def get(self) -> Any:
        """Return what this context set, or that its cache is stale."""
        now = self._epoch
        epoch, value = self._variable.get()
        if epoch is now:
            return value
        self._variable.set((now, self._stale))
        return self._stale

    def set(self, value: object) -> None:
        self._variable.set((self._variable.get()[0], value))


def keeps_threads_apart(module: object, names: Iterable[str]) -> bool:
    """Find out whether what a thread assigns to *module* stays its own.

    The first of *names* whose value is a float is tried: another thread assigns an equal object.
    """
    probe = next((name for name in names if isinstance(getattr(module, name, None), float)), None)
    if probe is None:
        return False
    here = getattr(module, probe)
    equal = float.fromhex(here.hex())
    thread = threading.Thread(target=setattr, args=(module, probe, equal))
    thread.start()
    thread.join()
    shared = getattr(module, probe) is equal
    if shared:
        setattr(module, probe, here)
    return not shared
