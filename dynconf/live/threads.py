"""Values that belong to the running thread or task, and carrying them into another."""

import functools
import types
from collections.abc import Callable, Mapping
from typing import Any, ParamSpec, TypeVar

from dynconf.live.binding import bind, loaded
from dynconf.live.chain import chain_for
from dynconf.live.change import storage_of
from dynconf.live.decorate import is_coroutine_function, wrapped
from dynconf.live.origin import origin_of
from dynconf.live.patch import Patch
from dynconf.live.torch.slot import COPY, Slot
from dynconf.live.torch.storage import ABSENT
from dynconf.provenance import Caller, Origin, caller
from dynconf.state import SettingValue

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

_NOT_SET_HERE = frozenset({"default", "forced", "implication", "defaults", "hold"})
_BY_CODE = frozenset({"patch", "assignment"})


def set_here() -> dict[Slot, Origin]:
    """Return the flags that the running thread or task itself has set, with the origins.

    Those were patched, assigned, or installed for the context; values that every thread has do not count.
    """
    found = {}
    for binding in loaded():
        for slot in binding.flags():
            override, installed = slot.effective_override(), slot.installed
            is_installed_here = installed is not None and installed.installation.is_for_context
            if (override is binding.storage.unset or override is ABSENT) and not is_installed_here:
                continue
            origin = origin_of(slot)
            # Where overrides belong to the process, so does all else that an override can come from.
            per_context = binding.storage.per_context
            if origin.kind not in _NOT_SET_HERE if per_context else origin.kind in _BY_CODE:
                found[slot] = origin
    return found


class CarriedPatch(Patch):
    """A patch of the values that another thread or task had set, each with its own origin."""

    __slots__ = ("entries",)

    def __init__(self, caller: Caller, entries: Mapping[Slot, SettingValue]) -> None:
        storage, values = storage_of(entries), {slot: each.value for slot, each in entries.items()}
        self._fill(caller, chain_for(storage), values, COPY, storage)
        self.entries = entries

    def origin_of(self, slot: Slot, /) -> Origin:
        """Return the origin of the value of a flag, in the thread or task that it is carried from."""
        return self.entries[slot].origin


class _Propagated:
    """A callable that enters a patch around each call; it can be pickled if the callable can."""

    def __init__(self, patch: CarriedPatch, function: Callable[..., Any]) -> None:
        functools.update_wrapper(self, function)
        self._patch = patch
        self._function = function
        self._body = wrapped(lambda: patch, function)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._body(*args, **kwargs)

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        """Bind as a method if the callable itself does."""
        binds = instance is not None and hasattr(self._function, "__get__")
        return types.MethodType(self, instance) if binds else self

    def __repr__(self) -> str:
        return f"dynconf.propagate({self._function!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        sent = {slot.setting.newest: each for slot, each in self._patch.entries.items()}
        return _arrived, (self._function, sent)


def _arrived(function: Callable[..., Any], sent: Mapping[str, SettingValue]) -> _Propagated:
    """Make a propagated callable again, in the process that it was sent to."""
    entries = {bind().slot(name): each for name, each in sent.items()}
    return _Propagated(CarriedPatch(caller(), entries), function)


def propagate(fn: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Return *fn* with the values that the running thread or task has set, in whatever thread it runs.

    These are the values that are patched, assigned, or installed for the context at the time of this call, in
    every config module. They are in force while *fn* runs, above those set there, and keep their origins.
    Values that are installed for the process are not carried: every thread has them anyway.

    The result can be sent to another process if *fn* and the values can be pickled.

    Args:
        fn: Any callable except a generator function; coroutine functions remain coroutine functions.

    Returns:
        A callable with the signature of *fn*; *fn* itself if nothing is set here.

    Example:
        >>> import dynconf
        >>> from concurrent.futures import ThreadPoolExecutor
        >>> def limit():
        ...     return dynconf.snapshot()["recompile_limit"]
        >>> with ThreadPoolExecutor() as pool, dynconf.patch(recompile_limit=64):
        ...     pool.submit(dynconf.propagate(limit)).result()
        64
    """
    if not callable(fn):
        raise TypeError(f"dynconf.propagate: expected a callable, not {fn!r}")
    entries = {slot: SettingValue(slot.read(), origin) for slot, origin in set_here().items()}
    if not entries:
        return fn
    patch = CarriedPatch(caller(), entries)
    if is_coroutine_function(fn):
        return wrapped(lambda: patch, fn)
    made: Callable[Arguments, Result] = _Propagated(patch, fn)
    return made
