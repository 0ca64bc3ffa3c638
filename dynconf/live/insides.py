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
    from dynconf.catalogue import Setting

NOT_FLAGS = frozenset({"TYPE_CHECKING"})
"""Names that a module keeps among its flags because its source imports them."""

_HIDDEN = attrgetter("hide")


class NoEntry:
    """Takes the place of torch's record of a flag in modules that have no records."""

    hide = False
    env_value_default = ABSENT


class Inside:
    """How a config module keeps its values; what all kinds have in common.

    Attributes:
        module: The module.
        unset: What the `get` of a slot returns if there is no override.
        per_context: Whether overrides belong to a thread or task, not to the process.
        stands_in: Whether a flag can be given an `Override`, for installations for the process.
        implications: The flags whose values others imply (torch 2.15), to torch's rules for them.
    """

    per_context = False
    stands_in = True
    implications: Mapping[str, Any] = {}

    def __init__(self, module: ModuleType) -> None:
        self.module = module
        self.unset = ABSENT
        self._vars = vars(module)
        self._entries: Mapping[str, Any] = {}

    def names(self) -> list[str]:
        """Return the names of all flags of the module, aliases included."""
        return [name for name in self._entries if name not in NOT_FLAGS]

    def has(self, name: str) -> bool:
        """Tell whether the module has a flag or an alias of that name."""
        return name in self._entries and name not in NOT_FLAGS

    def alias_of(self, name: str) -> str | None:
        """Return what torch forwards *name* to, with the full name of its module, if it does."""
        return getattr(self._entries.get(name), "alias", None)

    def default_of(self, name: str) -> Any:
        """Return torch's own default for the flag *name*; not a copy."""
        return self._entries[name]

    def has_fixed_default(self, name: str) -> bool:
        """Tell whether the default of the flag *name* is the same object every time."""
        is_asked_for = getattr(self._entries[name], "justknob", None) is not None
        return not is_asked_for and isinstance(self.default_of(name), IMMUTABLE)

    def access(self, name: str, setting: "Setting", /) -> Access:
        """Return the ways to read and write the flag *name*, which the catalogue knows as *setting*."""
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

    def implied(self, _slot: Slot, /) -> Any:
        """Return the value that other flags imply for this one (torch 2.15), or `unset`."""
        return self.unset

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
        self._entries = self._vars["_default"]

    def access(self, name: str, _setting: "Setting", /) -> Access:
        def read() -> Any:
            values = self._vars["_config"]
            return values.raw[name] if name in getattr(values, "raw", ()) else values.get(name, ABSENT)

        def write(value: Any) -> None:
            values = self._vars["_config"]
            (values.raw if name in getattr(values, "raw", ()) else values)[name] = value

        default = functools.partial(copy.deepcopy, self._entries[name])
        return Access(NoEntry, read, write, default, ABSENT)

    def stand_in(self, slot: Slot) -> None:
        values = self._vars["_config"]
        if not isinstance(values, WatchedValues):
            values = self._vars["_config"] = WatchedValues(values)
        values.raw[slot.name] = slot.get()
        slot.override = values.overrides[slot.name] = Override(slot, self.unset)
        slot.seen = slot.override.get

    def touch(self, slots: Iterable[Slot], /) -> None:
        super().touch(slots)
        values = self._vars["_config"]
        if isinstance(values, WatchedValues):
            for slot in slots:
                values.refresh(slot.name)

    def deleted(self) -> list[str]:
        values = self._vars["_config"]
        return [name for name in self._entries if name not in values]

    def bring_back(self, name: str) -> None:
        self._vars["_config"].setdefault(name, copy.deepcopy(self._entries[name]))


class EntryInside(Inside):
    """A record for each flag, with an override beside the default; what newer releases have in common."""

    _NEEDED = ("user_override", "env_value_default", "env_value_force", "default", "hide")

    @classmethod
    def fits(cls, module: ModuleType) -> bool:
        """Tell whether the module has this inside."""
        config = vars(module).get("_config")
        entry = next(iter(config.values()), None) if isinstance(config, dict) else None
        mechanics = sys.modules.get("torch.utils._config_module")
        return all(hasattr(entry, name) for name in cls._NEEDED) and hasattr(mechanics, "_UNSET_SENTINEL")

    def __init__(self, module: ModuleType) -> None:
        super().__init__(module)
        self.unset = sys.modules["torch.utils._config_module"]._UNSET_SENTINEL
        self._entries = self._vars["_config"]

    def default_of(self, name: str) -> Any:
        return self._entries[name].default

    def deleted(self) -> list[str]:
        if not any(map(_HIDDEN, self._entries.values())):  # nearly always, and asked after each test
            return []
        return [name for name, entry in self._entries.items() if entry.hide]

    def bring_back(self, name: str) -> None:
        self._entries[name].hide = False

    def access(self, name: str, _setting: "Setting", /) -> Access:
        entry = self._entries[name]
        default = functools.partial(copy.deepcopy, entry.default)
        if getattr(entry, "justknob", None) is not None:
            ask = importlib.import_module("torch._utils_internal").justknobs_check
            default = functools.partial(ask, name=entry.justknob, default=entry.default)
        elif isinstance(entry.default, IMMUTABLE):
            default = functools.partial(getattr, entry, "default")
        return Access(entry, *self._override(entry), default, entry.env_value_force)

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
        slot.override = Override(slot, self.unset)
        slot.seen = slot.override.get
        vars(slot.entry)["dynconf_override"] = slot.override
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
        """Tell whether the module has this inside."""
        if not super().fits(module):
            return False
        override = next(iter(vars(module)["_config"].values())).user_override
        return hasattr(override, "get") and hasattr(override, "set")

    def __init__(self, module: ModuleType) -> None:
        super().__init__(module)
        self.implications = self._vars.get("_implications") or {}
        self._hash_mark: Any = None
        self._dict_mark: Any = None
        if "_get_dict_dirty_keys_var" in self._vars:
            self._hash_mark = self._vars["_hash_dirty_var"]
            self._dict_mark = self._vars["_get_dict_dirty_keys_var"]

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

    def implied(self, slot: Slot, /) -> Any:
        if slot.name in self.implications:
            return self.module._get_implied_value(slot.name)
        return self.unset

    def refuse_conflicts(self) -> None:
        try:
            for name in self.implications:
                self.module._get_implied_value(name)
        except ValueError as error:
            raise ConflictError(f"{self.module.__name__}: {error}") from error

    def stand_in(self, slot: Slot) -> None:
        entry = slot.entry
        kind = OverrideWithImplications if self.implications else Override
        slot.override = kind(slot, self.unset, entry.user_override.reset)
        slot.seen = slot.override.get
        entry.user_override = slot.override

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

    def __init__(self, module: ModuleType, known: Iterable[str]) -> None:
        """Bind to *module*; *known* are the names of flags in the catalogue."""
        super().__init__(module)
        found = {name for name in known if hasattr(module, name)}
        found.update(getattr(module, "get_config_copy", dict)())
        self._entries = dict.fromkeys(sorted(found))
        self.per_context = keeps_threads_apart(module, self._entries)

    def default_of(self, name: str) -> Any:
        return copy.deepcopy(getattr(self.module, name))

    def access(self, name: str, setting: "Setting", /) -> Access:
        return Access(
            NoEntry,
            functools.partial(getattr, self.module, name, ABSENT),
            functools.partial(setattr, self.module, name),
            lambda: copy.deepcopy(setting.default_value()),
            ABSENT,
        )


def detect(module: ModuleType, known: Iterable[str]) -> Inside:
    """Return the inside that *module* has; *known* are the names of flags in the catalogue."""
    for inside in (ContextInside, AttributeInside, DictInside):
        if inside.fits(module):
            return inside(module)
    return PublicInside(module, known)
