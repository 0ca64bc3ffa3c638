"""How a config module stores its flags, as the rest of dynconf sees it.

This is the interface of `internals.RecordStorage`, of `dicts.DictStorage`, and of `generic.GenericStorage`,
for a module that is like none that dynconf knows.

An *override* is a value that a program set, as opposed to torch's default and the environment. `unset` stands
for no override, so that the state of a flag that was never set can be put back exactly.
"""

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from contextvars import ContextVar
from functools import partial
from types import ModuleType
from typing import Any, Literal, NamedTuple, Protocol

from dynconf.live.torch.override import Override

IMMUTABLE = (bool, int, float, str, tuple, type(None))

ABSENT: Any = object()
"""Means no override where a module cannot tell, a deleted flag, or an argument that was not given."""


_own = threading.local()


def is_own_write() -> bool:
    """Tell whether this thread is in a write of dynconf's own, which listeners let pass."""
    return getattr(_own, "is_writing", False)


def write_unheard(module: object, name: str, value: object) -> None:
    """Assign a flag as any program does, but without calling the listeners."""
    # Not what it was before: an interruption in here would leave that True, and silence the thread forever.
    try:
        _own.is_writing = True
        setattr(module, name, value)
    finally:
        _own.is_writing = False


class ProcessVar:
    """A variable like a `ContextVar`, but one that all threads share, and without tokens; None at first."""

    def __init__(self) -> None:
        place: dict[str, Any] = {}
        self.get = partial(place.get, "value")
        self.set = partial(place.__setitem__, "value")


class FlagAccess(NamedTuple):
    """How a config module stores one flag."""

    record: Any  # torch's own record of it, or in its place an object with `hide`: whether it was deleted
    read: Callable[[], Any]  # returns the override, or the storage's `unset`
    write: Callable[[Any], object]  # replaces it
    default: Callable[[], Any]  # returns a fresh default, whatever the environment says
    default_is_constant: bool  # whether that is the same object every time, because it cannot be changed
    # Two values that torch read from variables while it was imported; else `unset`. In a module without
    # records a variable decides about the default itself.
    forced: Any = ABSENT  # the one that nothing overrules
    environment_default: Any = ABSENT  # the one in place of the default


class StoredFlag(Protocol):
    """A flag. Why not its name? Nearly always no cache asks, and listing names costs each patch."""

    name: str


Level = Literal["known", "checked", "generic"]


class ConfigStorage(ABC):
    """The way in which a config module stores its flags.

    Attributes:
        unset: The value of an override that is not set.
        records: The module's own record of each flag and alias.
        level: How well dynconf knows that way: from the catalogue's releases, by a check in a newer one, or
            not at all.
        per_context: Whether overrides belong to a thread or task, not to the process.
        layers_need_stand_ins: Whether a flag has to have a stand-in before it can be held or given a default.
        implications: The flags that others imply (torch 2.15), with torch's rules for them.
        dict_mark: A variable that is None while torch has no dict here, nor a hash, which it makes of one, so
            that `mark_changed` has nothing to do; in other modules never. Each patch asks twice.
    """

    level: Level = "known"
    per_context = False
    layers_need_stand_ins = False
    implications: Mapping[str, Any] = {}
    dict_mark: Any = ContextVar("dynconf:dict", default=True)

    def __init__(self, module: ModuleType) -> None:
        self.module = module
        self.unset = ABSENT
        self.records: Mapping[str, Any] = {}

    def alias_of(self, name: str) -> str | None:
        """Return the flag that torch forwards *name* to, with the full name of its module, if it does."""
        return getattr(self.records.get(name), "alias", None)  # from torch 2.7 on

    @abstractmethod
    def access(self, name: str, /) -> FlagAccess:
        """Return the ways to read and write the flag *name*."""

    @abstractmethod
    def mark_changed(self, flags: Iterable[StoredFlag], /) -> None:
        """Tell the module's own caches, its hash and its dicts, which of its flags may have changed."""

    @abstractmethod
    def expire_caches(self, flags: Iterable[StoredFlag], /) -> None:
        """Make every thread and task compute its hash and its dicts again; these flags have changed."""

    @abstractmethod
    def replace_override(self, name: str, override: Override, /) -> None:
        """Have torch read and write the override of the flag *name* through its stand-in."""

    @abstractmethod
    def replace_outer_layers(self, name: str, forced: Any, environment_default: Any, /) -> None:
        """Replace the two values of a flag that torch read from variables: see `FlagAccess`."""

    @abstractmethod
    def deleted(self) -> list[str]:
        """Return the flags and aliases that were deleted from the module."""

    @abstractmethod
    def undelete(self, name: str, /) -> None:
        """Undo the deletion of a flag or an alias."""

    def check_implications(self) -> None:
        """Raise ConflictError if flags that are in force imply different values for another."""
