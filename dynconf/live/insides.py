"""How torch's config modules work inside; the only module that knows torch's private names.

What a module can do decides how it is used, not its version number. These insides have existed so far:

==============  =====================================================  ===================  ================
torch           where an override is kept                              who sees it          class
==============  =====================================================  ===================  ================
2.4, 2.5        the dict ``_config``, with the defaults in `_default`  the process          `DictInside`
2.6 to 2.11     ``_config[name].user_override``, an attribute          the process          `AttributeInside`
2.12 on         ``_config[name].user_override``, a context variable    the thread or task   `ContextInside`
==============  =====================================================  ===================  ================

An *override* is what a program set, as opposed to torch's default and the environment. `Inside.unset` means
none, so that every state can be put back exactly. A module with none of these insides is used through its
public attributes alone, as a `PublicInside`.
"""

import copy
import functools
import importlib
import sys
from collections.abc import Callable, Iterable, Mapping
from operator import attrgetter
from types import ModuleType
from typing import TYPE_CHECKING, Any

from dynconf.errors import ConflictError
from dynconf.live.cells import Expiring, keeps_threads_apart
from dynconf.live.override import Override, OverrideWithImplications, WatchedValues
from dynconf.live.slot import ABSENT, IMMUTABLE, Access, Slot

if TYPE_CHECKING:
    from dynconf.catalogue import View

_HIDDEN = attrgetter("hide")


class NoEntry:
    """Takes the place of torch's record of a flag in modules that have no records."""

    hide = False
    env_value_default = ABSENT


class Inside:
    """How a config module keeps its values; what all kinds have in common."""

    per_context = False  # whether overrides belong to a thread or task, not to the process
    stands_in = True  # whether a flag can be given an `Override`, for installations for the process
    implications: Mapping[str, Any] = {}  # flags that others imply (torch 2.15), with torch's rules for them

    def __init__(self, module: ModuleType) -> None:
        self.module = module
        self.unset = ABSENT  # what the `get` of a slot returns if there is no override
        self.entries: Mapping[str, Any] = {}  # what the module keeps of each flag and alias
        self._vars = vars(module)

    def alias_of(self, name: str) -> str | None:
        """Return what torch forwards *name* to, with the full name of its module, if it does."""
        return getattr(self.entries.get(name), "alias", None)

    def access(self, name: str, /) -> Access:
        """Return the ways to read and write the flag *name*."""
        raise NotImplementedError

    def touch(self, _slots: Iterable[Slot], /) -> None:
        """Tell the module's own caches, its hash and its dicts, that these flags may have changed."""
        if "_is_dirty" in self._vars:
            self._vars["_is_dirty"] = True

    def no_override(self, slot: Slot) -> Any:
        """Return what to write for no override: `unset`, or the default where values are all there is."""
        return slot.default() if self.unset is ABSENT else self.unset

    def process_value(self, slot: Slot) -> Any:
        """Return what ranks above torch's default for the whole process, or `unset`."""
        return slot.entry.env_value_default

    def deleted(self) -> list[str]:
        """Return the flags and aliases that were deleted from the module."""
        return []

    def bring_back(self, name: str) -> None:
        """Undo the deletion of a flag or an alias."""

    def stand_in(self, slot: Slot) -> None:
        """Give the slot an `Override`, which torch then reads and writes in place of its own."""
        raise NotImplementedError

    def expire_caches(self, slots: Iterable[Slot], /) -> None:
        """Make every thread and task compute its hash and its dicts again; these flags have changed."""
        self.touch(slots)

    def refuse_conflicts(self) -> None:
        """Raise ConflictError if flags that are in force imply different values for another."""


class DictInside(Inside):
    """Two dicts, of values and of defaults, which do not say whether a value was set."""

    @classmethod
    def fits(cls, module: ModuleType) -> bool:
        """Tell whether the module has this inside."""
        return "_default" in vars(module) and "_config" in vars(module)

    def __init__(self, module: ModuleType) -> None:
        super().__init__(module)
        self.entries = _flags_in(self._vars["_default"])

    def access(self, name: str, /) -> Access:
        def read() -> Any:
            values = self._vars["_config"]
            return values.raw[name] if name in getattr(values, "raw", ()) else values.get(name, ABSENT)

        def write(value: Any) -> None:
            values = self._vars["_config"]
            (values.raw if name in getattr(values, "raw", ()) else values)[name] = value

        default = self.entries[name]
        is_fixed = isinstance(default, IMMUTABLE)
        return Access(NoEntry, read, write, functools.partial(copy.deepcopy, default), is_fixed, ABSENT)

    def stand_in(self, slot: Slot) -> None:
        values = self._vars["_config"]
        if not isinstance(values, WatchedValues):
            values = self._vars["_config"] = WatchedValues(values)
        values.raw[slot.name] = slot.get()
        values.overrides[slot.name] = Override(slot, self.unset)
        slot.put_in_place(values.overrides[slot.name])

    def touch(self, slots: Iterable[Slot], /) -> None:
        super().touch(slots)
        values = self._vars["_config"]
        if isinstance(values, WatchedValues):
            for slot in slots:
                values.refresh(slot.name)

    def deleted(self) -> list[str]:
        values = self._vars["_config"]
        return [name for name in self.entries if name not in values]

    def bring_back(self, name: str) -> None:
        self._vars["_config"].setdefault(name, copy.deepcopy(self.entries[name]))


class EntryInside(Inside):
    """A record for each flag, with an override beside the default; what newer releases have in common."""

    _NEEDED = ("user_override", "env_value_default", "env_value_force", "default", "hide")

    @classmethod
    def fits(cls, module: ModuleType) -> bool:
        config = vars(module).get("_config")
        entry = next(iter(config.values()), None) if isinstance(config, dict) else None
        mechanics = sys.modules.get("torch.utils._config_module")
        return all(hasattr(entry, name) for name in cls._NEEDED) and hasattr(mechanics, "_UNSET_SENTINEL")

    def __init__(self, module: ModuleType) -> None:
        super().__init__(module)
        self.unset = sys.modules["torch.utils._config_module"]._UNSET_SENTINEL
        self.entries = _flags_in(self._vars["_config"])

    def deleted(self) -> list[str]:
        if not any(map(_HIDDEN, self.entries.values())):  # nearly always, and asked after each test
            return []
        return [name for name, entry in self.entries.items() if entry.hide]

    def bring_back(self, name: str) -> None:
        self.entries[name].hide = False

    def access(self, name: str, /) -> Access:
        entry = self.entries[name]
        default = functools.partial(copy.deepcopy, entry.default)
        is_fixed = isinstance(entry.default, IMMUTABLE)
        if getattr(entry, "justknob", None) is not None:
            ask = importlib.import_module("torch._utils_internal").justknobs_check
            default = functools.partial(ask, name=entry.justknob, default=entry.default)
            is_fixed = False
        elif is_fixed:
            default = functools.partial(getattr, entry, "default")
        return Access(entry, *self._override(entry), default, is_fixed, entry.env_value_force)

    def _override(self, entry: Any) -> tuple[Callable[[], Any], Callable[[Any], object]]:
        raise NotImplementedError


class AttributeInside(EntryInside):
    """Overrides in plain attributes, which all threads share."""

    def _override(self, entry: Any) -> tuple[Callable[[], Any], Callable[[Any], object]]:
        kept = vars(entry)
        return (
            functools.partial(kept.get, "user_override", self.unset),
            functools.partial(kept.__setitem__, "user_override"),
        )

    def stand_in(self, slot: Slot) -> None:
        vars(slot.entry)["dynconf_override"] = slot.put_in_place(Override(slot, self.unset))
        kind: Any = type(slot.entry)
        slot.entry.__class__ = watched(kind)


@functools.cache
def watched(entry: Any) -> type:
    """Return torch's class of records with its attribute for the override replaced by a stand-in."""

    def read(self: Any) -> Any:
        return self.dynconf_override.get()

    def write(self: Any, value: Any) -> None:
        self.dynconf_override.assign(value, sys._getframe(1))

    return type(entry.__name__, (entry,), {"user_override": property(read, write)})


class ContextInside(EntryInside):
    """Overrides in context variables: each thread or task has its own."""

    per_context = True

    @classmethod
    def fits(cls, module: ModuleType) -> bool:
        if not super().fits(module):
            return False
        override = next(iter(vars(module)["_config"].values())).user_override
        return hasattr(override, "get") and hasattr(override, "set")

    def __init__(self, module: ModuleType) -> None:
        super().__init__(module)
        self.implications = self._vars.get("_implications") or {}
        # Both from torch 2.13 on.
        self._hash_mark: Any = self._vars.get("_hash_dirty_var")
        self._dict_mark: Any = self._vars.get("_get_dict_dirty_keys_var")

    def _override(self, entry: Any) -> tuple[Callable[[], Any], Callable[[Any], object]]:
        return entry.user_override.get, entry.user_override.set

    def touch(self, slots: Iterable[Slot], /) -> None:
        mark = self._hash_mark
        if mark is None:
            super().touch(slots)
            return
        if not mark.get():  # a variable is read much faster than it is set
            mark.set(True)
        if self._dict_mark.get() is not None:
            for slot in slots:
                self.module._mark_get_dict_dirty(slot.name)

    def refuse_conflicts(self) -> None:
        try:
            for name in self.implications:
                self.module._get_implied_value(name)
        except ValueError as error:
            raise ConflictError(f"{self.module.__name__}: {error}") from error

    def stand_in(self, slot: Slot) -> None:
        entry = slot.entry
        kind = OverrideWithImplications if self.implications else Override
        entry.user_override = slot.put_in_place(kind(slot, self.unset, entry.user_override.reset))

    def expire_caches(self, slots: Iterable[Slot], /) -> None:
        if self._hash_mark is None:
            super().expire_caches(slots)
            return
        if not isinstance(self._hash_mark, Expiring):
            self._vars["_hash_dirty_var"] = self._hash_mark = Expiring(stale=True)
            self._vars["_get_dict_dirty_keys_var"] = self._dict_mark = Expiring(stale=None)
        self._hash_mark.expire()
        self._dict_mark.expire()


class PublicInside(Inside):
    """Only what every module has: attributes."""

    stands_in = False

    def __init__(self, module: ModuleType, view: "View") -> None:
        super().__init__(module)
        self._view = view
        found = {name for name in view.catalogue.flags if hasattr(module, name)}
        found.update(getattr(module, "get_config_copy", dict)())
        self.entries = dict.fromkeys(sorted(found))
        self.per_context = keeps_threads_apart(module, self.entries)

    def access(self, name: str, /) -> Access:
        setting = self._view.get(name)
        default = getattr(self.module, name) if setting is None else setting.default_value()
        return Access(
            NoEntry,
            functools.partial(getattr, self.module, name, ABSENT),
            functools.partial(setattr, self.module, name),
            functools.partial(copy.deepcopy, copy.deepcopy(default)),
            False,
            ABSENT,
        )


def detect(module: ModuleType, view: "View") -> Inside:
    """Return the inside that *module* has; *view* is what the catalogue knows of it."""
    for inside in (ContextInside, AttributeInside, DictInside):
        if inside.fits(module):
            return inside(module)
    return PublicInside(module, view)


def _flags_in(entries: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entries of flags: not those of names that the module's source imports."""
    return {name: entry for name, entry in entries.items() if name != "TYPE_CHECKING"}
