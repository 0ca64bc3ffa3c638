"""How a config module stores its flags, as the rest of dynconf sees it.

torch has stored its flags in three ways so far, and `dynconf.live.torch.internals` has a class for each. This
module has their common interface, and the class for a module that is like none of them.

An *override* is a value that a program set, as opposed to torch's default and the environment. `unset` stands
for no override, so that the state of a flag that was never set can be put back exactly.
"""

import functools
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from types import ModuleType
from typing import Any, NamedTuple, Protocol

from dynconf.catalogue.catalogue import View
from dynconf.catalogue.flags.types import copy_containers
from dynconf.live.torch.stand_ins import StandIn

IMMUTABLE = (bool, int, float, str, tuple, type(None))

ABSENT: Any = object()
"""Means no override where a module cannot tell, a deleted flag, or an argument that was not given."""


_own = threading.local()


def is_own_write() -> bool:
    """Tell whether this thread is in a write of dynconf's own, which listeners let pass."""
    return getattr(_own, "is_writing", False)


def write_unheard(module: object, name: str, value: object) -> None:
    """Assign a flag of a module whose storage is unknown, as everybody does, but without being heard."""
    before, _own.is_writing = is_own_write(), True
    try:
        setattr(module, name, value)
    finally:
        _own.is_writing = before


class NoRecord:
    """Takes the place of torch's record of a flag in modules that have no records."""

    hide = False


class FlagAccess(NamedTuple):
    """How a config module stores one flag."""

    record: Any  # torch's own record of it, or `NoRecord`; its `hide` says that the flag was deleted
    read: Callable[[], Any]  # returns the override, or the storage's `unset`
    write: Callable[[Any], object]  # replaces it
    default: Callable[[], Any]  # returns a fresh default, whatever the environment says
    default_is_constant: bool  # whether that is the same object every time, because it cannot be changed
    # Two values that torch read from variables while it was imported; else `unset`. In a module without
    # records a variable decides about the default itself.
    forced: Any = ABSENT  # the one that nothing overrules
    environment_default: Any = ABSENT  # the one in place of the default


class StoredFlag(Protocol):
    """A flag of any module. Why not names? Nearly always no cache asks, and listing them costs each patch."""

    name: str
    storage: "ConfigStorage"


class ConfigStorage(ABC):
    """The way in which a config module stores its flags.

    Attributes:
        module: The config module.
        unset: The value of an override that is not set.
        records: The module's own record of each flag and alias.
        per_context: Whether overrides belong to a thread or task, not to the process.
        can_replace_overrides: Whether a flag can be given a stand-in, for installations for the process.
        implications: The flags that others imply (torch 2.15), with torch's rules for them.
    """

    per_context = False
    can_replace_overrides = True
    implications: Mapping[str, Any] = {}

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

    def mark_changed(self, _flags: Iterable[StoredFlag], /) -> None:
        """Tell the module's own caches, its hash and its dicts, which of its flags may have changed."""

    def expire_caches(self, flags: Iterable[StoredFlag], /) -> None:
        """Make every thread and task compute its hash and its dicts again; these flags have changed."""
        self.mark_changed(flags)

    @abstractmethod
    def replace_override(self, name: str, stand_in: StandIn, /) -> None:
        """Have torch read and write the override of the flag *name* through *stand_in*."""

    @abstractmethod
    def replace_outer_layers(self, name: str, forced: Any, environment_default: Any, /) -> None:
        """Replace the two values of a flag that torch read from variables: see `FlagAccess`."""

    def deleted(self) -> list[str]:
        """Return the flags and aliases that were deleted from the module."""
        return []

    def undelete(self, name: str) -> None:
        """Undo the deletion of a flag or an alias."""

    def check_implications(self) -> None:
        """Raise ConflictError if flags that are in force imply different values for another."""


class JointStorage:
    """The storages of several config modules, taken for one by a change of flags of all of them."""

    def __init__(self, storages: Iterable[ConfigStorage]) -> None:
        self._storages = tuple(storages)
        self.per_context = all(each.per_context for each in self._storages)
        self.can_replace_overrides = all(each.can_replace_overrides for each in self._storages)
        self.implications = any(each.implications for each in self._storages)

    def mark_changed(self, flags: Iterable[StoredFlag], /) -> None:
        for each in self._storages:
            each.mark_changed(flags)

    def expire_caches(self, flags: Iterable[StoredFlag], /) -> None:
        for each in self._storages:
            each.expire_caches(flags)

    def check_implications(self) -> None:
        for each in self._storages:
            each.check_implications()


class PublicStorage(ConfigStorage):
    """The storage of a module that is like none that dynconf knows: only its public attributes are used."""

    can_replace_overrides = False

    def __init__(self, module: ModuleType, view: View) -> None:
        super().__init__(module)
        self._view = view
        found = {name for name in view.catalogue.flags if hasattr(module, name)}
        found.update(getattr(module, "get_config_copy", dict)())
        found -= {name for name in found if view.is_group(name)}  # as `triton` is, an object of torch's
        self.records = dict.fromkeys(sorted(found))
        self.per_context = _is_per_thread(module, self.records)

    def access(self, name: str, /) -> FlagAccess:
        setting = self._view.get(name)
        default = getattr(self.module, name) if setting is None else setting.default_value()
        return FlagAccess(
            NoRecord,
            functools.partial(getattr, self.module, name, ABSENT),
            functools.partial(write_unheard, self.module, name),
            functools.partial(copy_containers, copy_containers(default)),
            default_is_constant=False,
        )

    def replace_override(self, name: str, _stand_in: StandIn, /) -> None:
        raise TypeError(f"dynconf does not know where torch keeps {self.module.__name__}.{name}")

    def replace_outer_layers(self, name: str, _forced: Any, _environment_default: Any, /) -> None:
        raise TypeError(f"dynconf does not know where torch keeps {self.module.__name__}.{name}")


def _is_per_thread(module: object, names: Iterable[str]) -> bool:
    """Find out whether a thread's assignment to *module* stays its own.

    Another thread assigns to a flag, and this one looks whether it sees that. The value must stay the same
    even if this is interrupted, so a flag is used whose value is a float: an equal float can be another
    object, while equal small integers, texts and None are mostly one and the same.
    """
    probe = next((name for name in names if isinstance(getattr(module, name, None), float)), None)
    if probe is None:
        return False
    original = getattr(module, probe)
    equal = float.fromhex(original.hex())
    thread = threading.Thread(target=write_unheard, args=(module, probe, equal))
    thread.start()
    thread.join()
    is_shared = getattr(module, probe) is equal
    if is_shared:
        write_unheard(module, probe, original)
    return not is_shared
