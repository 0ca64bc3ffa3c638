"""A config module of an unknown kind, such as the next release of torch may have.

The problem: nobody can tell where such a module keeps its overrides, so no object can be put in their place,
and an assignment may be seen by the running thread or task alone. The idea: its flags are read and assigned
as programs do it. From the first installation, hold or default of a flag on, its override is kept here, and
what torch is to read is assigned whenever that changes. The module is given a subclass of its own class, by
which every thread and task, when it next touches the module, catches up with what has changed since::

    thread 1    install(x=32)       the override of x is kept here; torch's x is assigned 32
    thread 2    config.x            catches up: torch's x is assigned 32 there, too, and read
    thread 1    uninstall()         torch's x is assigned the override, or the default if there is none
    thread 2    config.get_hash()   catches up: the same there

ARCHITECTURE.md says what is not promised. A flag that is deleted once it was installed may come back, too.
"""

import functools
import threading
import warnings
from collections.abc import Callable, Iterable, Mapping
from contextvars import Context, ContextVar
from operator import methodcaller
from types import FunctionType, MappingProxyType, ModuleType
from typing import Any

from dynconf.catalogue.catalogue import View
from dynconf.catalogue.flags.types import copy_containers, is_same_value
from dynconf.errors import InvalidValueError
from dynconf.live.torch.door import open_doors, own_classes
from dynconf.live.torch.override import Override
from dynconf.live.torch.restoring import know_machinery
from dynconf.live.torch.storage import (
    ABSENT,
    IMMUTABLE,
    ConfigStorage,
    FlagAccess,
    StoredFlag,
    is_own_write,
    write_unheard,
)

_NO_OVERRIDE: Any = object()


class GenericStorage(ConfigStorage):
    """The storage of a module that is like none that dynconf knows."""

    level = "generic"
    layers_need_stand_ins = True

    def __init__(self, module: ModuleType, view: View) -> None:
        super().__init__(module)
        self.unset = _NO_OVERRIDE
        know_machinery(module)
        self._view = view
        # In an empty context nothing is set, unless overrides belong to the process; what is set then, torch
        # itself tells. Reading a container may store a copy of it, which goes with the context.
        self._at_hand = Context().run(_values, module, view)
        self._changed = Context().run(_not_default, module)
        self.records = dict.fromkeys(sorted(self._at_hand))
        # What is kept for the flags that have a stand-in. Mappings are replaced, never changed.
        self._stand_ins: Mapping[str, Override] = {}
        self._outer: Mapping[str, tuple[Any, Any]] = {}  # what ranks above and below the override
        # The changes that all threads have to catch up with are counted; this is the last one of each flag.
        self._changes = 0
        self._last_change: Mapping[str, int] = {}
        self._seen = ContextVar("dynconf:seen", default=0)
        self._overrides: ContextVar[Mapping[str, Any]] = ContextVar(
            "dynconf:overrides", default=MappingProxyType({})
        )
        self._of_process: dict[str, Any] = {}
        self._access = functools.cache(self._made_access)

    @functools.cached_property
    def per_context(self) -> bool:  # type: ignore[override]  # found out when somebody asks
        return _is_per_context(self.module, self._at_hand)

    def access(self, name: str, /) -> FlagAccess:
        return self._access(name)

    def _made_access(self, name: str) -> FlagAccess:
        forced, lowest, default = self._at_import(name)
        below = lowest if forced is self.unset else forced
        below = default if below is self.unset else below
        owner, attribute = _owner(self.module, name)
        read = functools.partial(getattr, owner, attribute, ABSENT)
        write = functools.partial(_write, owner, attribute)
        is_constant = isinstance(default, IMMUTABLE)

        def stored() -> Any:
            has_stand_in = name in self._stand_ins
            if has_stand_in and name in self._kept():
                return self._kept()[name]
            # With a stand-in, this is what the thread or task had assigned before that. Without one, a
            # container is put back itself, because whoever has read it may change it later.
            value = read()
            can_be_default = is_constant or has_stand_in
            return self.unset if can_be_default and (value is below or is_same_value(value, below)) else value

        def store(value: Any) -> None:
            if name in self._stand_ins:
                self._keep(name, value)
            else:
                if value is self.unset:
                    value = below if is_constant else copy_containers(below)
                write(value)

        return FlagAccess(
            _Record(lambda: name in self._stand_ins and read() is ABSENT),
            stored,
            store,
            functools.partial(copy_containers, default),
            is_constant,
            forced,
            lowest,
        )

    def _at_import(self, name: str) -> tuple[Any, Any, Any]:
        """Return what a variable forces, what a variable has as the default, and torch's default.

        A value of which torch says that it is not the default is from a variable, or the program had assigned
        it already; then the catalogue knows the default best. Any other value is the default.
        """
        setting, value = self._view.get(name), self._at_hand[name]
        if setting is None or name not in self._changed:
            return self.unset, self.unset, value
        default = setting.default_value()
        found = setting.variable_behind(value, default)
        if found is None:
            # Not one that torch computes, as from the working directory: it knows that best.
            is_known = type(default) is type(value) and not setting.is_computed
            return self.unset, self.unset, default if is_known else value
        is_forced = found[0].rule == "force"
        return (value, self.unset, default) if is_forced else (self.unset, value, default)

    def replace_override(self, name: str, override: Override, /) -> None:
        if not self.per_context and name not in self._stand_ins:
            self._keep(name, self.access(name).read())
        self._stand_ins = {**self._stand_ins, name: override}
        self._watch()

    def replace_outer_layers(self, name: str, forced: Any, environment_default: Any, /) -> None:
        self._outer = {**self._outer, name: (forced, environment_default)}

    def mark_changed(self, flags: Iterable[StoredFlag], /) -> None:
        if self._stand_ins:
            for flag in flags:
                if flag.name in self._stand_ins:
                    self._show(flag.name)

    def expire_caches(self, flags: Iterable[StoredFlag], /) -> None:
        count = self._changes + 1
        self._last_change = {**self._last_change, **dict.fromkeys((flag.name for flag in flags), count)}
        self._changes = count
        self._catch_up()

    def deleted(self) -> list[str]:
        return [name for name in self.records if _read(self.module, name) is ABSENT]

    def undelete(self, name: str) -> None:
        _write(self.module, name, self._access(name).default())

    def _kept(self) -> Mapping[str, Any]:
        return self._overrides.get() if self.per_context else self._of_process

    def _keep(self, name: str, override: Any) -> None:
        if self.per_context:
            self._overrides.set({**self._overrides.get(), name: override})
        else:  # without the lock: who holds it may be waiting for this thread in torch's own code
            self._of_process[name] = override

    def _catch_up(self) -> None:
        """Make torch read, in the running thread or task, what it should read now."""
        seen, count = self._seen.get(), self._changes
        if seen != count:
            self._seen.set(count)  # first, because this touches the module as well
            for name, change in self._last_change.items():
                if change > seen and name in self._stand_ins and not self._access(name).record.hide:
                    self._show(name)

    def _show(self, name: str) -> None:
        access = self._access(name)
        kept = access.read()
        self._keep(name, kept)
        forced, lowest = self._outer.get(name, (access.forced, access.environment_default))
        value = access.default()
        # Not by a generator, which would end on its own where this is interrupted.
        for ranked in (lowest, self._stand_ins[name].get(), forced):
            if ranked is not self.unset:
                value = ranked
        # An equal value, too: it has torch renew its hash, of which each thread may have one of its own.
        _write(self.module, name, value)

    def _watch(self) -> None:
        """Give the module the subclass, once."""
        if getattr(type(self.module), "dynconf_flags", None) is self.records:
            return
        kind: Any = type(self.module)
        methods: dict[str, Any] = {"__slots__": (), "dynconf_flags": self.records, **self._setters(kind)}
        for owner in reversed(own_classes(kind)):
            for name, method in vars(owner).items():
                is_public = not name.startswith("_") or name in ("__getattr__", "__getattribute__")
                if is_public and isinstance(method, FunctionType):
                    methods[name] = self._after_catching_up(method)
                elif name in self.records:  # a descriptor, which is read past `__getattr__`
                    methods["__getattribute__"] = self._after_catching_up(kind.__getattribute__)
        # A config module takes an assignment of this attribute, as of any other, for that of a flag.
        has_it = issubclass(kind, _Unannounced) or not issubclass(kind, ModuleType)  # or cannot have it
        bases = (kind,) if has_it else (_Unannounced, kind)
        object.__setattr__(self.module, "__class__", type(kind.__name__, bases, methods))
        open_doors([type(self.module)])

    def _after_catching_up(self, method: Callable[..., Any]) -> Callable[..., Any]:
        seen = self._seen.get

        @functools.wraps(method)
        def caught_up(*args: Any, **kwargs: Any) -> Any:
            if seen() != self._changes:
                self._catch_up()
            return method(*args, **kwargs)

        return caught_up

    def _setters(self, kind: Any) -> dict[str, Any]:
        """Return the methods that set and delete a flag; the override of one with a stand-in is kept here."""

        @functools.wraps(kind.__setattr__)
        def assign(config: Any, name: str, value: object, *more: Any, **named: Any) -> None:
            stand_in = self._stand_ins.get(name)
            if stand_in is None or is_own_write():
                kind.__setattr__(config, name, value, *more, **named)
                return
            before = self._access(name).read()
            self._catch_up()
            stand_in.set(value, name)
            try:
                self._show(name)
            except InvalidValueError as error:  # torch's own, to which dynconf adds nothing
                self._keep(name, before)
                raise error.__cause__ or error from None

        @functools.wraps(kind.__delattr__)
        def delete(config: Any, name: str, *more: Any, **named: Any) -> None:
            stand_in = self._stand_ins.get(name)
            if stand_in is not None:
                self._catch_up()
                stand_in.set(self.unset, name)
            kind.__delattr__(config, name, *more, **named)

        return {"__setattr__": assign, "__delattr__": delete}


class _Record:
    """Tells whether a flag with a stand-in was deleted; assigning it brings it back."""

    hide = property(lambda record: record.is_deleted(), lambda _, __: None)

    def __init__(self, is_deleted: Callable[[], bool]) -> None:
        self.is_deleted = is_deleted


class _Unannounced:
    """A base of the subclass of a module's class, which may refuse to have any."""

    __slots__ = ()

    def __init_subclass__(cls) -> None: ...


def _values(module: ModuleType, view: View) -> dict[str, Any]:
    """Return the values of the flags: those that torch copies, or else those that the catalogue knows."""
    copied = _answer(methodcaller("get_config_copy"), module)
    copied = copied if isinstance(copied, Mapping) else {}
    found = {}
    with warnings.catch_warnings():  # torch's, of deprecated flags, which nobody here has set
        warnings.simplefilter("ignore")
        for name in copied or view.names:
            value, setting = copied.get(name), view.get(name)
            if isinstance(value, IMMUTABLE):  # reading a container would have torch store a copy of it
                # A flag that nobody can read is none.
                value = _answer(_read, module, name, otherwise=ABSENT)
            is_old_name = setting is not None and setting.name != name
            if value is not ABSENT and not (is_old_name or view.is_group(name) or name == "TYPE_CHECKING"):
                found[name] = copy_containers(value)
    return found


def _not_default(module: ModuleType) -> frozenset[str]:
    """Return the flags that torch itself says are not at their defaults; none where it cannot say so."""
    text = _answer(methodcaller("codegen_config"), module) or ""
    named = [line.partition(" = ")[0] for line in str(text).splitlines()]
    return frozenset(name.removeprefix(f"{module.__name__}.") for name in named)


def _answer(ask: Callable[..., Any], *arguments: Any, otherwise: Any = None) -> Any:
    """Return what torch answers, or *otherwise* where it has changed so that asking fails."""
    try:
        return ask(*arguments)
    except Exception:  # noqa: BLE001  whatever goes wrong there, it cannot answer
        return otherwise


def _read(module: Any, name: str) -> Any:
    """Return the value of a flag, `ABSENT` if it was deleted."""
    owner, name = _owner(module, name)
    return getattr(owner, name, ABSENT)


def _write(module: Any, name: str, value: object) -> None:
    """Assign a flag, or raise InvalidValueError if torch refuses the value."""
    owner, attribute = _owner(module, name)
    try:
        write_unheard(owner, attribute, value)
    except RecursionError:
        raise
    except Exception as error:
        problem = f"{name}: torch does not accept {value!r}: {type(error).__name__}: {error}"
        raise InvalidValueError(problem, flag=name) from error


def _owner(module: Any, name: str) -> tuple[Any, str]:
    """Return the object with the flag and its name there: a group may have become an object of its own."""
    group, _, bare = name.rpartition(".")
    if not group or hasattr(module, name):
        return module, name
    try:
        return functools.reduce(getattr, group.split("."), module), bare
    except AttributeError:
        return module, name


def _is_per_context(module: Any, values: Mapping[str, Any]) -> bool:
    """Tell whether an assignment to *module* is seen by the thread or task that made it alone.

    In an empty context a flag is assigned an equal value that is another object, so that nothing changes, and
    another thread looks which of the two it reads.
    """
    equals = {name: equal for name, value in values.items() if (equal := _equal_object(value)) is not value}
    if not equals:  # as far as anybody can see
        return True
    name, equal = next(iter(equals.items()))
    before, seen = _read(module, name), []
    Context().run(_write, module, name, equal)
    thread = threading.Thread(target=lambda: seen.append(_read(module, name)))
    thread.start()
    thread.join()
    if _read(module, name) is equal:  # where each thread has a place of its own, a context has none
        _write(module, name, before)
    return seen != [equal] or seen[0] is not equal


def _equal_object(value: Any) -> Any:
    """Return another object that equals the value, if there can be one."""
    text = str(value)
    return type(value)(text[:1] + text[1:]) if type(value) in (int, float, str) else value
