"""The binding to a live config module: the only module that knows torch's private names.

What the module can do decides how it is bound, not its version number. The insides it has had so far:

==============  ==========================================================  =====================
torch           where an override is kept                                   who sees it
==============  ==========================================================  =====================
2.4, 2.5        the dict ``_config``, with the defaults in ``_default``     the process
2.6 to 2.11     ``_config[name].user_override``, a plain attribute          the process
2.12 on         ``_config[name].user_override``, a context variable         the thread or task
==============  ==========================================================  =====================

An *override* is what a program set, as against torch's default and the environment. A slot reads and writes
the override of one flag; `Binding.unset` stands for none, so that every state can be put back exactly. A
module with none of these insides is used through its public attributes alone.
"""

import copy
import functools
import importlib
import threading
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from types import ModuleType
from typing import Any

from dynconf.catalogue import FLAGS
from dynconf.catalogue.names import names_of, why_unknown
from dynconf.catalogue.record import Flag
from dynconf.catalogue.value_types import (
    Bool,
    Float,
    Int,
    ListOf,
    Mapping,
    Opaque,
    Optional,
    SetOf,
    Text,
    ValueType,
)
from dynconf.errors import DynconfWarning, InertFlagWarning, UncataloguedFlagWarning, UnknownFlagError
from dynconf.provenance import Origin
from dynconf.rules import Rule, rules_of
from dynconf.sources.layer import inert_message
from dynconf.values import Check, checker
from dynconf.versions import clamped, plain

CONFIG_MODULE = "torch._dynamo.config"
NOT_FLAGS = frozenset({"TYPE_CHECKING"})
"""Entries of the live module that are no flags: names that its source imports."""

_CACHES = {
    "_hash_dirty_var": True,
    "_hash_cache_var": None,
    "_get_dict_dirty_keys_var": None,
    "_get_dict_cache_var": None,
}
"""The context variables in which torch 2.13 and later keeps what it computed, with their defaults."""

_IMMUTABLE = (bool, int, float, str, tuple, type(None))


class ContextStack:
    """Where the patches of the running thread or task are kept: each has its own."""

    def __init__(self, name: str) -> None:
        variable: ContextVar[Any] = ContextVar(f"dynconf:{name}", default=None)
        self.get, self.set = variable.get, variable.set


class ProcessStack:
    """Where the patches of the process are kept, where torch's overrides are the process's too."""

    def __init__(self) -> None:
        self._top: Any = None

    def get(self) -> Any:
        """Return what was set last."""
        return self._top

    def set(self, top: Any) -> None:
        """Put *top* there."""
        self._top = top


class Slot:
    """One setting of a live module.

    Attributes:
        name: The name by which the module knows it.
        flag: Its record.
        check: Takes a value and returns it, or raises `dynconf.values.Mismatch`.
        fresh: Copies a value, where values can be changed in place; None where they cannot.
        get: Returns the override, or the binding's `unset`.
        set: Writes it.
        entry: torch's own record of the flag; None where there is none.
        notice: What to warn of when the flag is set.
        rules: The rules over several flags in which it takes part.
        forced: The value that a variable forces on the flag, read when torch was imported; else `unset`.
        resting: Where the value comes from while nothing is set; None until someone asked.
    """

    __slots__ = (
        "check",
        "entry",
        "flag",
        "forced",
        "fresh",
        "get",
        "name",
        "notice",
        "resting",
        "rules",
        "set",
    )

    def __init__(
        self, name: str, flag: Flag, entry: Any, get: Callable[[], Any], set_: Callable[[Any], Any]
    ) -> None:
        self.name = name
        self.flag = flag
        self.entry = entry
        self.get = get
        self.set = set_
        self.check: Check = checker(flag.type)
        self.fresh = _copier(flag.type)
        self.notice: DynconfWarning | None = None
        self.rules: tuple[Rule, ...] = ()
        self.forced: Any = None
        self.resting: Origin | None = None

    def __repr__(self) -> str:
        return f"Slot({self.name!r})"


class Binding:
    """A live config module, whatever its insides.

    Attributes:
        module: The module.
        version: torch's plain version.
        minor: The minor version whose facts answer for it.
        unset: What a slot's `get` returns where there is no override.
        stack: Where patches in force are kept.
        per_context: Whether overrides belong to a thread or task, not to the process.
        slots: The slots made so far, by every name that was asked for.
        lock: To be held while what belongs to the process changes.
        shared: The same lock where patches belong to the process, None where they do not.
    """

    def __init__(self, module: ModuleType) -> None:
        import torch  # noqa: PLC0415  only a live binding needs torch

        self.module = module
        self.version = plain(str(torch.__version__))
        self.minor = clamped(self.version)
        self._inside = vars(module)
        self._config: dict[str, Any] = self._inside.get("_config") or {}
        sample = next(iter(self._config.values()), None)
        override = getattr(sample, "user_override", None)
        self.per_context = isinstance(override, ContextVar) or (
            hasattr(override, "get") and hasattr(override, "set")
        )
        self.stack: ContextStack | ProcessStack = (
            ContextStack(module.__name__) if self.per_context else ProcessStack()
        )
        self.lock = threading.RLock()
        self.shared = None if self.per_context else self.lock
        self.unset: Any = _Absent.UNSET
        if self.per_context or hasattr(sample, "user_override"):
            self.unset = importlib.import_module("torch.utils._config_module")._UNSET_SENTINEL  # noqa: SLF001
            self._accessors = self._context_accessors if self.per_context else self._attribute_accessors
        elif "_default" in self._inside:
            self._accessors = self._dict_accessors
        else:
            self._accessors = self._public_accessors
        self.slots: dict[str, Slot] = {}
        self._table: list[tuple[str, Slot, Origin | None]] = []

    # -- which flags there are ------------------------------------------------------------------------------

    def names(self) -> list[str]:
        """Return the names of all flags of the module, aliases included."""
        known = (
            self._inside.get("_default")
            or self._config
            or [name for name in FLAGS if hasattr(self.module, name)]
        )
        return [name for name in known if name not in NOT_FLAGS]

    def uncatalogued(self) -> frozenset[str]:
        """Return the flags of the module that are newer than the catalogue."""
        return frozenset(name for name in self.names() if name not in FLAGS)

    def is_at_rest(self, slot: Slot) -> bool:
        """Tell whether nothing is set: the flag has torch's default, environment included."""
        return (
            slot.get() is self.unset
            and slot.forced is self.unset
            and (slot.entry is None or slot.entry.env_value_default is self.unset)
            and "_implications" not in self._inside
        )

    def alias_of(self, name: str) -> str | None:
        """Return the flag that torch forwards *name* to, if it does."""
        alias = getattr(self._config.get(name), "alias", None)
        return alias.rpartition(".")[2] if alias else None

    def table(self) -> list[tuple[str, Slot, Origin | None]]:
        """Return every name of the module, sorted, with its slot and, for an alias, the origin that says so."""
        if not self._table:
            self._table = [
                (name, self.slot(name), Origin("alias", target) if (target := self.alias_of(name)) else None)
                for name in sorted(self.names())
            ]
        return self._table

    def slot(self, name: str) -> Slot:
        """Return the slot of the setting that *name*, old or new, means.

        Raises:
            UnknownFlagError: The module has no such flag; the message says why.
        """
        slot = self.slots.get(name)
        return slot if slot is not None else self._new_slot(name)

    def _new_slot(self, name: str) -> Slot:
        there = set(self.names())
        found = next((each for each in names_of(name) if each in there and not self.alias_of(each)), None)
        if found is None and isinstance(name, str) and name in there:
            found = self.alias_of(name) or name
        if found is None:
            raise UnknownFlagError(why_unknown(name, self.minor, self.version))
        if found in self.slots:
            self.slots[name] = self.slots[found]
            return self.slots[found]
        get, set_ = self._accessors(found)
        flag = FLAGS.get(found) or _uncatalogued(found, self._default(found))
        entry = self._config.get(found) if self.unset is not _Absent.UNSET else None
        slot = Slot(found, flag, entry, get, set_)
        slot.forced = self.unset if entry is None else entry.env_value_force
        slot.rules = rules_of(found, self.minor)
        if found not in FLAGS:
            slot.notice = UncataloguedFlagWarning(
                f"{found} is newer than dynconf's catalogue: its value is only checked against its default"
            )
        elif flag.status_in(self.minor) == "no-op":
            slot.notice = InertFlagWarning(inert_message(flag, self.version))
        self.slots[found] = self.slots[name] = slot
        return slot

    # -- overrides, by the insides of the module ------------------------------------------------------------

    def _context_accessors(self, name: str) -> tuple[Callable[[], Any], Callable[[Any], Any]]:
        override = self._config[name].user_override
        return override.get, override.set

    def _attribute_accessors(self, name: str) -> tuple[Callable[[], Any], Callable[[Any], Any]]:
        entry = self._config[name]
        return functools.partial(getattr, entry, "user_override"), functools.partial(
            setattr, entry, "user_override"
        )

    def _dict_accessors(self, name: str) -> tuple[Callable[[], Any], Callable[[Any], Any]]:
        config, absent = self._config, self.unset

        def write(value: object) -> None:
            if value is absent:
                config.pop(name, None)
            else:
                config[name] = value

        return functools.partial(config.get, name, absent), write

    def _public_accessors(self, name: str) -> tuple[Callable[[], Any], Callable[[Any], Any]]:
        module = self.module
        return functools.partial(getattr, module, name), functools.partial(setattr, module, name)

    def hidden(self, slot: Slot) -> bool:
        """Tell whether the flag was deleted from the module (``del config.x``) and reads as absent."""
        return bool(slot.entry.hide) if slot.entry is not None else slot.get() is _Absent.UNSET

    def unhide(self, slot: Slot) -> None:
        """Bring a deleted flag back."""
        if slot.entry is not None:
            slot.entry.hide = False

    def touch(self, slots: Iterable[Slot]) -> None:
        """Tell the module's own caches, its hash and its dicts, that these flags may have changed."""
        inside = self._inside
        try:
            inside["_hash_dirty_var"].set(True)
        except KeyError:
            if "_is_dirty" in inside:
                inside["_is_dirty"] = True
            return
        if inside["_get_dict_dirty_keys_var"].get() is not None:
            for slot in slots:
                self.module._mark_get_dict_dirty(slot.name)  # noqa: SLF001

    # -- what stands below the overrides --------------------------------------------------------------------

    def base(self, slot: Slot) -> Any:
        """Return the value that the process has where no override stands; a fresh object each time."""
        value = self.process_value(slot)
        return self._default(slot.name) if value is self.unset else copy.deepcopy(value)

    def process_value(self, slot: Slot) -> Any:
        """Return what stands above torch's default for the whole process, or `unset`."""
        return self.unset if slot.entry is None else slot.entry.env_value_default

    def set_process_value(self, slot: Slot, value: Any) -> None:
        """Write what stands above torch's default for the whole process; `unset` for nothing.

        torch keeps the value of an environment variable there, so that every thread sees it at once and
        overrides go on top.
        """
        slot.entry.env_value_default = value

    def renew_caches(self) -> None:
        """Have every thread and task compute its hash and its dicts anew: each gets new, empty caches."""
        inside = self._inside
        for name, default in _CACHES.items():
            if name in inside:
                inside[name] = ContextVar(f"{self.module.__name__}.{name}", default=default)
        if "_is_dirty" in inside:
            inside["_is_dirty"] = True

    def see_through_copies(self, slot: Slot, patched: Callable[[Any], bool]) -> None:
        """Have the slot count as unset where its override is only the copy that reading the default made.

        torch copies a default that can be changed in place into the override of the thread that reads it. Such
        a copy would hide the process value from every thread that has read the flag before.

        Args:
            slot: A slot whose values can be changed in place.
            patched: Tells whether an override was put there by a patch, which counts whatever it is.
        """
        if not isinstance(slot.entry.user_override, _Override):
            slot.entry.user_override = _Override(slot.entry, self.unset, patched)
            slot.get, slot.set = slot.entry.user_override.get, slot.entry.user_override.set

    def _default(self, name: str) -> Any:
        if self.unset is _Absent.UNSET:
            if "_default" in self._inside:
                return copy.deepcopy(self._inside["_default"][name])
            flag = FLAGS.get(name)
            return flag.default_in(self.minor) if flag else getattr(self.module, name)
        default = self._config[name].default
        return default if isinstance(default, _IMMUTABLE) else copy.deepcopy(default)

    def default(self, slot: Slot) -> Any:
        """Return the default with which torch was imported, environment included."""
        return self._default(slot.name)

    def no_override(self, slot: Slot) -> Any:
        """Return what to write for no override: `unset`, or a copy of the default where values are all there is."""
        return self._default(slot.name) if self.unset is _Absent.UNSET else self.unset

    def implied(self, slot: Slot) -> Any:
        """Return the value that other flags imply for this one (torch 2.15), or `unset`."""
        implications = self._inside.get("_implications")
        if implications and slot.name in implications:
            return self.module._get_implied_value(slot.name)  # noqa: SLF001
        return self.unset

    def implied_by(self, slot: Slot) -> str | None:
        """Return the flags whose values imply that of this one."""
        rules = self._inside.get("_implications", {}).get(slot.name, ())
        active = [source for source, condition, _ in rules if getattr(self.module, source) == condition]
        return ", ".join(active) or None

    def tells_defaults(self, slot: Slot) -> bool:
        """Tell whether an override that equals the default was set by someone, and not by reading the flag."""
        return self.unset is not _Absent.UNSET and slot.fresh is None

    def read(self, slot: Slot) -> Any:
        """Return the effective value, without the side effects of reading the attribute.

        Values that can be changed in place are copied.
        """
        if self.is_at_rest(slot):
            return self._default(slot.name)
        value = self.implied(slot)
        if value is self.unset:
            value = slot.forced
        if value is self.unset:
            value = slot.get()
            if value is self.unset:
                return self.base(slot)
        return value if isinstance(value, _IMMUTABLE) else copy.deepcopy(value)

    def saved_ignores(self) -> frozenset[str]:
        """Return the flags that torch's own ``save_config`` leaves out."""
        name = "_save_config_ignore"
        return frozenset(self.read(self.slot(name))) if name in self.names() else frozenset()


class _Override:
    """Stands in for the context variable of an override; see `Binding.see_through_copies`."""

    __slots__ = ("_entry", "_patched", "_unset", "_variable", "reset", "set")

    def __init__(self, entry: Any, unset: object, patched: Callable[[Any], bool]) -> None:
        self._entry, self._unset, self._patched = entry, unset, patched
        self._variable = entry.user_override
        self.set = self._variable.set
        self.reset = self._variable.reset

    def get(self) -> Any:
        value = self._variable.get()
        installed = self._entry.env_value_default is not self._unset
        if (
            installed
            and value is not self._unset
            and value == self._entry.default
            and not self._patched(value)
        ):
            return self._unset
        return value


class _Absent:
    """The sentinel of modules that have none of their own."""

    UNSET = object()


def _copier(type_: ValueType) -> Callable[[Any], Any] | None:
    """Return what copies a value of the type, or None where values cannot be changed in place."""
    if isinstance(type_, SetOf):
        return set
    if isinstance(type_, ListOf):
        return list
    return copy.deepcopy if isinstance(type_, Mapping) else None


def _uncatalogued(name: str, default: object) -> Flag:
    """Return a record for a flag that is newer than the catalogue, typed by its default."""
    types: dict[type, ValueType] = {bool: Bool(), int: Int(), float: Float(), str: Text()}
    type_ = types.get(type(default), Opaque())
    return Flag(
        name=name, type=type_ if default is not None else Optional(Opaque()), default=default, summary=""
    )


@functools.cache
def live() -> Binding:
    """Return the binding to ``torch._dynamo.config``, importing it on the first call."""
    return Binding(importlib.import_module(CONFIG_MODULE))
