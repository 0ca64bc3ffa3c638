"""torch's private names for its config modules; those for compiled code are in `compiled`.

Any torch release may change them. The abilities of a module decide how it is used, not its version number, so
a new release is treated like the one that it resembles. Each section says which releases have its names, and
how dynconf goes on without them.
"""

import copy
import functools
import importlib
import sys
from collections.abc import Callable, Iterable, Mapping
from contextvars import Context, ContextVar
from itertools import compress
from operator import attrgetter
from types import FunctionType, ModuleType
from typing import Any

from dynconf.catalogue.flags.types import is_same_value
from dynconf.errors import ConflictError
from dynconf.live.torch.override import Override
from dynconf.live.torch.restoring import MECHANICS
from dynconf.live.torch.storage import IMMUTABLE, ConfigStorage, FlagAccess, StoredFlag
from dynconf.live.torch.trial import passes

# -- how flags are stored -----------------------------------------------------------------------------------


def stored_flags(module: Any) -> Mapping[str, Any]:
    """Return the record of each flag and alias of a config module, or its default (torch 2.4 and 2.5)."""
    contents = getattr(module, "__dict__", {})
    kept = contents.get("_default") or contents.get("_config")
    return kept if isinstance(kept, Mapping) else getattr(type(module), "dynconf_flags", {})


_PLAIN_DATA = (*IMMUTABLE, list, set, dict, FunctionType)


class ExpiringVar:
    """Stands in for the variable that marks a cache of the running thread or task as stale.

    `expire` makes the caches of all threads stale. Why not set the mark of each thread? Nobody can reach it,
    and a thread may be computing its cache at this moment, from values that it read before. Its mark is only
    valid in the epoch in which the thread last asked, so that late answer is stale as well.
    """

    __slots__ = ("_epoch", "_stale", "_variable")
    __class__ = ContextVar  # type: ignore[assignment]  # for Dynamo, as that of `Override`

    def __init__(self, stale: object) -> None:
        self._stale = stale
        self._epoch = object()
        self._variable: ContextVar[tuple[object, Any]] = ContextVar("dynconf:cache", default=(None, stale))

    def expire(self) -> None:
        self._epoch = object()

    def get(self) -> Any:
        """Return the mark that this context set in the present epoch, else the mark for stale."""
        now = self._epoch
        epoch, mark = self._variable.get()
        if epoch is now:
            return mark
        self._variable.set((now, self._stale))
        return self._stale

    def set(self, mark: object) -> None:
        # The epoch stays that of the last `get`: torch asks, computes, and sets.
        self._variable.set((self._variable.get()[0], mark))


class KnownStorage(ConfigStorage):
    """The storage of a module that marks its own caches as stale in a known way."""

    def __init__(self, module: ModuleType) -> None:
        super().__init__(module)
        # torch takes a name that the modules import from typing for a flag.
        flags = stored_flags(module)
        self.records = {name: record for name, record in flags.items() if name != "TYPE_CHECKING"}
        self._contents = vars(module)
        # From 2.13 on. They say whether the hash is stale, and which entries of the dict are: a set of
        # names, or None if the dict has to be made anew.
        self._hash_mark: Any = self._contents.get("_hash_dirty_var")
        self.dict_mark = self._contents.get("_get_dict_dirty_keys_var", self.dict_mark)

    def mark_changed(self, flags: Iterable[StoredFlag], /) -> None:
        mark = self._hash_mark
        if mark is None:
            self.module._is_dirty = True  # type: ignore[attr-defined]
            return
        if not mark.get():  # a variable is read much faster than it is set
            mark.set(True)
        for flag in flags:
            self.module._mark_get_dict_dirty(flag.name)

    def expire_caches(self, flags: Iterable[StoredFlag], /) -> None:
        if self._hash_mark is None:
            kind: Any = type(self.module)  # each config module has a class of its own
            if "_is_dirty" not in vars(kind):
                # All threads share one hash, so one that has just computed it from older values could put it
                # in the place of the new one, which others then return.
                digest: Any = ContextVar("dynconf:hash", default=None)
                mark = ExpiringVar(stale=True)
                kind._hash_digest = property(lambda _: digest.get(), lambda _, new: digest.set(new))
                # Last, for it tells whether both are there.
                kind._is_dirty = property(
                    lambda _: mark.get(), lambda _, is_dirty: mark.expire() if is_dirty else mark.set(False)
                )
            self.mark_changed(flags)
            return
        # The one that is replaced last tells whether both are, should an interruption come in between.
        if not isinstance(self.dict_mark, ExpiringVar):
            self._contents["_hash_dirty_var"] = self._hash_mark = ExpiringVar(stale=True)
            self._contents["_get_dict_dirty_keys_var"] = self.dict_mark = ExpiringVar(stale=None)
        # The hash is made of the dict. In the other order a thread that asks in between would make the new
        # hash of the old dict.
        self.dict_mark.expire()
        self._hash_mark.expire()


class RecordStorage(KnownStorage):
    """A record for each flag, with an override beside the default; torch 2.6 and newer.

    A record has ``default``; ``user_override``; ``env_value_force`` and ``env_value_default``, which torch
    read from variables while it was imported; ``hide``, for a deleted flag; ``justknob``, a switch of Meta's
    own that decides the default; and from 2.7 on ``alias``. The override is a plain attribute up to 2.11, and
    then a context variable.
    """

    _NEEDED = ("user_override", "env_value_default", "env_value_force", "default", "hide")
    _MARKS = ({"_is_dirty"}, {"_hash_dirty_var", "_get_dict_dirty_keys_var"})
    """How a module learns that its caches are stale; one that has neither cannot be told."""

    @classmethod
    def fits(cls, module: ModuleType) -> bool:
        config = vars(module).get("_config")
        records = list(config.values()) if isinstance(config, dict) else [None]
        is_complete = all(hasattr(record, name) for record in records for name in cls._NEEDED)
        is_marked = any(marks <= vars(module).keys() for marks in cls._MARKS)
        return is_complete and is_marked and hasattr(sys.modules.get(MECHANICS), "_UNSET_SENTINEL")

    def __init__(self, module: ModuleType) -> None:
        super().__init__(module)
        self.unset = sys.modules[MECHANICS]._UNSET_SENTINEL
        place = next(iter(self.records.values())).user_override
        self.per_context = hasattr(place, "get") and hasattr(place, "set")
        self.implications = self._contents.get("_implications") or {}  # torch 2.15

    def is_as_known(self) -> bool:
        """Tell whether torch treats a module of this shape as it did in known releases."""
        records, places = [*self.records.values()], ContextVar if self.per_context else _PLAIN_DATA
        are_plain = all(
            (record.user_override is self.unset or isinstance(record.user_override, places))
            and type(record.hide) is bool
            and isinstance(getattr(record, "alias", None), (str, type(None)))
            for record in records
        )
        is_one_class = len({type(record) for record in records}) <= 1
        are_plain = are_plain and not isinstance(self.unset, _PLAIN_DATA)  # which might be a flag's value
        if not (are_plain and is_one_class):
            return False
        twin = self._twin()  # torch stores copies of the containers that it reads
        return Context().run(twin._reads_defaults) and passes(self, twin)

    def _reads_defaults(self) -> bool:
        """Tell whether the value of a flag that nothing sets is the default in its record."""
        copied = self.module.get_config_copy()
        return all(
            is_same_value(copied[name], record.default)
            for name, record in self.records.items()
            if name in copied
            and name not in self.implications
            and getattr(record, "justknob", None) is None
            and self._read_and_write(record)[0]() is self.unset
            and record.env_value_force is record.env_value_default is self.unset
        )

    def _twin(self) -> "RecordStorage":
        """Return the storage of another module like this one, with records of its own."""
        kind: Any = type(self.module)
        twin: Any = ModuleType.__new__(type(kind.__name__, (kind,), {}))
        records = copy.copy(self._contents["_config"])
        for name, record in self.records.items():
            records[name] = copy.copy(record)
        vars(twin).update(self._contents, _config=records)
        return RecordStorage(twin)

    def deleted(self) -> list[str]:
        # Asked after each test, so no line of Python runs for each flag.
        return list(compress(self.records, map(attrgetter("hide"), self.records.values())))

    def undelete(self, name: str) -> None:
        self.records[name].hide = False

    def replace_outer_layers(self, name: str, forced: Any, environment_default: Any, /) -> None:
        record = self.records[name]
        record.env_value_force, record.env_value_default = forced, environment_default

    def access(self, name: str, /) -> FlagAccess:
        record = self.records[name]
        record.hide = record.hide  # now its own attribute, which Python reads faster than one of its class
        default = functools.partial(copy.deepcopy, record.default)
        is_constant = isinstance(record.default, IMMUTABLE)
        if getattr(record, "justknob", None) is not None:
            ask = importlib.import_module("torch._utils_internal").justknobs_check
            default = functools.partial(ask, name=record.justknob, default=record.default)
            is_constant = False
        elif is_constant:
            default = functools.partial(getattr, record, "default")
        from_environment = record.env_value_force, record.env_value_default
        return FlagAccess(record, *self._read_and_write(record), default, is_constant, *from_environment)

    def _read_and_write(self, record: Any) -> tuple[Any, Any]:
        if self.per_context:
            return record.user_override.get, record.user_override.set
        # The attribute's place in the object itself, below any property of the class.
        read = functools.partial(vars(record).get, "user_override", self.unset)
        return read, functools.partial(vars(record).__setitem__, "user_override")

    def replace_override(self, name: str, override: Override, /) -> None:
        record = self.records[name]
        if self.per_context:
            override.reset = record.user_override.reset
            record.user_override = override
        else:
            vars(record)["dynconf_override"] = override
            kind: Any = type(record)
            record.__class__ = _asking_stand_in(kind)

    def check_implications(self) -> None:
        try:
            for name in self.implications:
                self.module._get_implied_value(name)
        except ValueError as error:
            raise ConflictError(f"{self.module.__name__}: {error}") from error


@functools.cache
def _asking_stand_in(record_class: Any) -> type:
    """Return a subclass of torch's class of records that reads and writes `dynconf_override`.

    Nobody would ask an object in the place of a plain attribute, and a change of torch's own class would slow
    down every flag.
    """
    override = property(
        lambda record: record.dynconf_override.get(),
        lambda record, value: record.dynconf_override.set(value),
    )
    return type(record_class.__name__, (record_class,), {"user_override": override})


# -- ways of changing flags ---------------------------------------------------------------------------------

CLOSURE_PATCHER = "_make_closure_patcher"
"""The method of all config modules that makes a pair of functions, to set flags and to put them back."""


def deprecation_of(module: Any, name: str) -> Callable[[], object] | None:
    """Return what issues torch's own warning of a deprecated flag for the line that called its caller."""
    record = stored_flags(module).get(name)
    if not getattr(record, "deprecated", False) or not hasattr(module, "_warn_if_deprecated"):
        return None
    return functools.partial(module._warn_if_deprecated, name, record)


# -- compiled code -------------------------------------------------------------------------------------------

TRACE_RULES = "torch._dynamo.trace_rules"


def break_graphs_at(package: str) -> None:
    """Have Dynamo break the graph at functions of *package*, as it does at torch's own patch."""
    add = getattr(sys.modules[TRACE_RULES], "add", None)
    if add is not None:  # otherwise Dynamo itself breaks the graph, at the first context variable
        add(package)


def compiled_function(target: object) -> Any:
    """Return the function that ``torch.compile`` wrapped in *target*; None if it wrapped none."""
    return getattr(target, "_torchdynamo_orig_callable", None)


def compiled_call_of(module: Any) -> str | None:
    """Return the attribute with the compiled call of a ``torch.nn.Module``; None if it is not compiled."""
    if compiled_function(module) is not None:  # `torch.compile(module)` made it
        return "forward"
    # `module.compile()` did.
    return "_compiled_call_impl" if getattr(module, "_compiled_call_impl", None) is not None else None


# -- options of torch.compile -------------------------------------------------------------------------------

COMPILER = "_TorchCompileInductorWrapper"  # in `torch`, in all releases: its objects have the options
DECLARED_TYPE = "value_type"
"""The attribute of a record by which torch checks options, and nothing else; before 2.6 it has none."""

OPTION_OWNER = "get_compile_option_owner"
"""The function that finds the config module of a device by an option, such as ``npu.tiles`` (2.15)."""

# -- the modes of DistributedDataParallel --------------------------------------------------------------------

OLD_RESOLVER, NEW_RESOLVER = "_get_optimize_ddp_mode", "get_optimize_ddp_mode"
"""torch's function: in the config module up to 2.6, in ``torch._dynamo.utils`` since 2.7."""


def python_reducer_mode(ddp_module: Any) -> str | None:
    """Return the mode of a DDP module that has the Python reducer; None for the C++ one."""
    if not getattr(ddp_module, "_use_python_reducer", False):
        return None
    is_forced = getattr(ddp_module, "_force_to_disable_cpp_reducer", False)
    return "python_reducer_without_compiled_forward" if is_forced else "python_reducer"
