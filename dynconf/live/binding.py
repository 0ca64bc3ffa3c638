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

import contextlib
import copy
import functools
import importlib
import sys
import threading
from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any, TypeVar

from dynconf.catalogue import FLAGS
from dynconf.catalogue.names import names_of, why_unknown
from dynconf.errors import ConflictError, UnknownFlagError
from dynconf.live.cells import ContextCell, Expiring, ProcessCell, SeeThrough, keeps_threads_apart
from dynconf.live.slots import ABSENT, Row, Slot, flag_of, notice_of
from dynconf.provenance import Origin
from dynconf.rules import rules_of
from dynconf.values import same
from dynconf.versions import clamped, plain

CONFIG_MODULE = "torch._dynamo.config"
NOT_FLAGS = frozenset({"TYPE_CHECKING"})
"""Entries of the live module that are no flags: names that its source imports."""

_ENTRY = ("user_override", "env_value_default", "env_value_force", "default", "hide")
"""What torch's record of a flag must have to be used."""

_IMMUTABLE = (bool, int, float, str, tuple, type(None))
_PROBE = "repro_tolerance"
"""A flag of every release with a float for its value."""

Result = TypeVar("Result")


class NoEntry:
    """torch's own record of a flag, where the module keeps none."""

    hide = False
    env_value_default = ABSENT


class Binding:
    """A live config module, whatever its insides.

    Attributes:
        module: The module.
        version: torch's plain version.
        minor: The minor version whose facts answer for it.
        unset: What a slot's `get` returns where there is no override.
        per_context: Whether overrides belong to a thread or task, not to the process.
        stack: Holds the highest of the patches in force.
        slots: The slots made so far, by every name that was asked for.
        implications: The flags whose values others imply (torch 2.15), to the rules for them.
        lock: To be held while what belongs to the process changes.
    """

    def __init__(self, module: ModuleType) -> None:
        import torch  # noqa: PLC0415  only a live binding needs torch

        self.module = module
        self.version = plain(str(torch.__version__))
        self.minor = clamped(self.version)
        self.lock = threading.RLock()
        self.slots: dict[str, Slot] = {}
        self.unset = ABSENT
        self._inside = vars(module)
        config = self._inside.get("_config")
        self._config: dict[str, Any] = config if isinstance(config, dict) else {}
        self.implications: dict[str, Any] = {}
        self._table: list[Row] = []
        self._hash_mark: Any = None
        self._dict_mark: Any = None
        self._new: Callable[[str], Slot]
        entry = next(iter(self._config.values()), None)
        mechanics = sys.modules.get("torch.utils._config_module")
        if all(hasattr(entry, name) for name in _ENTRY) and hasattr(mechanics, "_UNSET_SENTINEL"):
            self.unset = mechanics._UNSET_SENTINEL  # type: ignore[union-attr]  # noqa: SLF001
            override = entry.user_override  # type: ignore[union-attr]
            self.per_context = hasattr(override, "get") and hasattr(override, "set")
            self._new = self._slot_of_variable if self.per_context else self._slot_of_attribute
            self.implications = self._inside.get("_implications") or {}
            if "_get_dict_dirty_keys_var" in self._inside:
                self._hash_mark = self._inside["_hash_dirty_var"]
                self._dict_mark = self._inside["_get_dict_dirty_keys_var"]
        elif "_default" in self._inside:
            self.per_context = False
            self._new = self._slot_of_dict
        else:
            self._config = {}
            self.per_context = keeps_threads_apart(module, _PROBE)
            self._new = self._slot_of_name
        self.stack = ContextCell(module.__name__) if self.per_context else ProcessCell()

    def alone(self, change: Callable[..., Result], *args: Any) -> Result:
        """Make a change while no other thread makes one."""
        # On one line, for nothing, be it an interruption, may come between the change and the release.
        with self.lock: return change(*args)  # noqa: E701  # fmt: skip

    def names(self) -> list[str]:
        """Return the names of all flags of the module, aliases included."""
        known = self._inside.get("_default") or self._config
        if not known:
            public = {name for name in FLAGS if hasattr(self.module, name)}
            known = public.union(getattr(self.module, "get_config_copy", dict)())
        return [name for name in known if name not in NOT_FLAGS]

    def uncatalogued(self) -> frozenset[str]:
        """Return the flags of the module that are newer than the catalogue."""
        return frozenset(name for name in self.names() if name not in FLAGS)

    def alias_of(self, name: str) -> str | None:
        """Return the flag that torch forwards *name* to, if it does."""
        alias = getattr(self._config.get(name), "alias", None)
        return alias.rpartition(".")[2] if alias else None

    def table(self) -> list[Row]:
        """Return a row for every name of the module, sorted."""
        if not self._table:
            self._table = [
                Row(name, self.slot(name), Origin("alias", target) if target else None)
                for name, target in ((name, self.alias_of(name)) for name in sorted(self.names()))
            ]
        return self._table

    def slot(self, name: str) -> Slot:
        """Return the slot of the setting that *name*, old or new, means.

        Raises:
            UnknownFlagError: The module has no such flag; the message says why.
        """
        slot = self.slots.get(name)
        if slot is None:
            slot = self.slots[name] = self.alone(self._slot_named, self._found(name))
        return slot

    def _slot_named(self, found: str) -> Slot:
        """Return the slot of that name, made at the first time."""
        if found not in self.slots:
            slot = self._new(found)
            slot.rules = rules_of(found, self.minor)
            slot.notice = notice_of(slot.flag, self.version)
            self.slots[found] = slot
        return self.slots[found]

    def _found(self, name: str) -> str:
        """Return the name by which the module knows the setting."""
        there = set(self.names())
        for each in names_of(name) if isinstance(name, str) else ():
            if each in there and not self.alias_of(each):
                return each
        target = self.alias_of(name)
        if target:
            return target
        raise UnknownFlagError(why_unknown(str(name), self.minor, self.version))

    def _slot_of_variable(self, name: str) -> Slot:
        entry = self._config[name]
        return self._slot_of_entry(name, entry, entry.user_override.get, entry.user_override.set)

    def _slot_of_attribute(self, name: str) -> Slot:
        entry = self._config[name]
        get = functools.partial(getattr, entry, "user_override")
        return self._slot_of_entry(name, entry, get, functools.partial(setattr, entry, "user_override"))

    def _slot_of_entry(
        self, name: str, entry: Any, get: Callable[[], Any], set_: Callable[[Any], object]
    ) -> Slot:
        default = functools.partial(copy.deepcopy, entry.default)
        if getattr(entry, "justknob", None) is not None:
            ask = importlib.import_module("torch._utils_internal").justknobs_check
            default = functools.partial(ask, name=entry.justknob, default=entry.default)
        elif isinstance(entry.default, _IMMUTABLE):
            default = functools.partial(getattr, entry, "default")
        return Slot(flag_of(name, entry.default), entry, get, set_, default, entry.env_value_force)

    def _slot_of_dict(self, name: str) -> Slot:
        standard = self._inside["_default"][name]
        get = functools.partial(self._config.get, name, ABSENT)
        set_ = functools.partial(self._config.__setitem__, name)
        return Slot(flag_of(name, standard), NoEntry, get, set_, functools.partial(copy.deepcopy, standard))

    def _slot_of_name(self, name: str) -> Slot:
        standard = copy.deepcopy(getattr(self.module, name))
        if name in FLAGS and FLAGS[name].exists_in(self.minor):
            standard = FLAGS[name].default_in(self.minor)
        get = functools.partial(getattr, self.module, name, ABSENT)
        set_ = functools.partial(setattr, self.module, name)
        return Slot(flag_of(name, standard), NoEntry, get, set_, functools.partial(copy.deepcopy, standard))

    def is_hidden(self, slot: Slot) -> bool:
        """Tell whether the flag was deleted (``del config.x``) from a module whose records outlive that."""
        return bool(slot.entry.hide)

    def unhide(self, slot: Slot) -> None:
        """Bring a deleted flag back."""
        if slot.entry.hide:
            slot.entry.hide = False

    def touch(self, slots: Iterable[Slot]) -> None:
        """Tell the module's own caches, its hash and its dicts, that these flags may have changed."""
        mark = self._hash_mark
        if mark is None:
            if "_is_dirty" in self._inside:
                self._inside["_is_dirty"] = True
            return
        if not mark.get():  # a variable is read much faster than it is set
            mark.set(True)
        if self._dict_mark.get() is not None:
            for slot in slots:
                self.module._mark_get_dict_dirty(slot.name)  # noqa: SLF001

    def process_value(self, slot: Slot) -> Any:
        """Return what stands above torch's default for the whole process, or `unset`."""
        return slot.entry.env_value_default

    def set_process_value(self, slot: Slot, value: Any) -> None:
        """Write what stands above torch's default for the whole process; `unset` for nothing.

        torch keeps the value of an environment variable there, so that every thread sees it at once and
        overrides go on top.
        """
        slot.entry.env_value_default = value

    def see_through_copies(self, slot: Slot, patched: Callable[[object], bool]) -> None:
        """Have the slot count as unset where its override is only the copy that reading the default made.

        Args:
            slot: A slot whose values can be changed in place.
            patched: Tells whether an override was put there by a patch, which counts whatever it is.
        """
        if not isinstance(slot.entry.user_override, SeeThrough):
            entry, unset = slot.entry, self.unset

            def is_copy(value: Any) -> bool:
                installed = entry.env_value_default is not unset
                return installed and same(value, entry.default) and not patched(value)

            entry.user_override = SeeThrough(entry.user_override, unset, is_copy)
            slot.seen = slot.entry.user_override.get

    def expire_caches(self) -> None:
        """Have every thread and task compute its hash and its dicts anew."""
        if "_is_dirty" in self._inside:
            self._inside["_is_dirty"] = True
        if self._hash_mark is None:
            return
        if not isinstance(self._hash_mark, Expiring):
            self._inside["_hash_dirty_var"] = self._hash_mark = Expiring(stale=True)
            self._inside["_get_dict_dirty_keys_var"] = self._dict_mark = Expiring(stale=None)
        self._hash_mark.expire()
        self._dict_mark.expire()

    def no_override(self, slot: Slot) -> Any:
        """Return what to write for no override: `unset`, or the default where values are all there is."""
        return slot.default() if self.unset is ABSENT else self.unset

    def implied(self, slot: Slot) -> Any:
        """Return the value that other flags imply for this one (torch 2.15), or `unset`."""
        if slot.name in self.implications:
            return self.module._get_implied_value(slot.name)  # noqa: SLF001
        return self.unset

    def refuse_conflicts(self) -> None:
        """Raise ConflictError where flags that are in force imply different values of another."""
        try:
            for name in self.implications:
                self.implied(self.slot(name))
        except ValueError as error:
            raise ConflictError(f"{self.module.__name__}: {error}") from error

    def is_at_rest(self, slot: Slot) -> bool:
        """Tell whether nothing is set: the flag has torch's default."""
        unset = self.unset
        is_set = slot.seen() is not unset or slot.entry.env_value_default is not unset
        return not (is_set or slot.forced is not unset or self.implications)

    def read(self, slot: Slot) -> Any:
        """Return the effective value, without the side effects of reading the attribute.

        Values that can be changed in place are copied.
        """
        unset = self.unset
        value = self.implied(slot) if self.implications else unset
        if value is unset:
            value = slot.forced
        if value is unset:
            value = slot.seen()
        if value is unset:
            value = self.process_value(slot)
        if value is unset:
            return slot.default()
        return value if isinstance(value, _IMMUTABLE) else copy.deepcopy(value)

    def saved_ignores(self) -> frozenset[str]:
        """Return the flags that torch's own ``save_config`` leaves out."""
        name = "_save_config_ignore"
        return frozenset(self.read(self.slot(name))) if name in self.names() else frozenset()


@functools.cache
def live() -> Binding:
    """Return the binding to ``torch._dynamo.config``, importing it on the first call."""
    with _binding_is_made:  # two threads that come first shall get the same
        return _bound()


_binding_is_made = threading.RLock()


@functools.cache
def _bound() -> Binding:
    binding = Binding(importlib.import_module(CONFIG_MODULE))
    # Where a patch is entered in code that Dynamo traces, it shall break the graph, as torch's own does,
    # and not be traced itself.
    rules = sys.modules.get("torch._dynamo.trace_rules")
    with contextlib.suppress(AttributeError):
        rules.add(__package__)  # type: ignore[union-attr]
    return binding


def compiled_call(module: Any) -> str | None:
    """Return the attribute in which a ``torch.nn.Module`` keeps the call that was compiled, if it was.

    ``torch.compile(module)`` keeps it in ``forward`` of a module of its own, ``module.compile()`` beside it.
    """
    if hasattr(module, "_torchdynamo_orig_callable"):
        return "forward"
    return "_compiled_call_impl" if getattr(module, "_compiled_call_impl", None) is not None else None
