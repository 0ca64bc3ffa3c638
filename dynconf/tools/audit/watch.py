"""Watching who changes the config modules: torch's own ways of doing so, and dynconf's.

The problem: there are nine ways to change a flag, four of them dynconf's, and torch has no hook. Comparing
snapshots would find the changes, but not the lines that made them.

The idea: while somebody watches, each method that writes is replaced on its class by one that reads the flags
before and after, and reports the difference with its origin. One way of writing calls another: entering
torch's patch assigns. So only the outermost call reports::

    with config.patch(x=1):      # ConfigWrite("x", before=8, after=1, how="patch", line=1)
        config.x = 2             # ConfigWrite("x", before=1, after=2, how="assignment", line=2)

The stack leads to the line, with two exceptions. A setting that dynconf puts in force has its own origin:
under ``dynconf run`` the stack leads to the import of torch. And the options of ``torch.compile`` have the
line of that call, which only the compiler's object knows: when torch patches the options, the stack leads to
a call of the compiled function.

Reading is never touched. Without a watcher writing is not either, but for the record of assignments.
"""

import functools
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from contextvars import ContextVar
from functools import partial
from types import FrameType, MappingProxyType, ModuleType
from typing import Any

from dynconf.catalogue._generated.index import FOREIGN
from dynconf.catalogue.flags.types import is_same_value
from dynconf.catalogue.modules import module_path, modules_set_by
from dynconf.live import install
from dynconf.live.after_import import after_import
from dynconf.live.assignments import live_slot, watch_assignments
from dynconf.live.binding import loaded
from dynconf.live.chain import Chain, SharedChain
from dynconf.live.change import Change
from dynconf.live.torch.door import Write, config_classes, ignore, listen, replace_method
from dynconf.live.torch.internals import CLOSURE_PATCHER, COMPILER, stored_flags
from dynconf.live.torch.lock import locked
from dynconf.live.torch.restoring import MECHANICS
from dynconf.live.torch.slot import Slot
from dynconf.live.torch.storage import ABSENT
from dynconf.provenance import Origin
from dynconf.tools.at_exit import attempt
from dynconf.tools.audit.writes import (
    ENVIRONMENT,
    NotedFlag,
    NotedFlags,
    Watcher,
    noted,
    noting,
    origin_outside_torch,
    watchers,
)
from dynconf.tools.baseline import Baseline

_replaced: list[tuple[Any, str, Any, Any]] = []


@locked  # all of it: a second thread would otherwise go on before its changes are reported
def watch(watcher: Watcher) -> None:
    """Call *watcher* with every change from now on, in the thread that makes it."""
    watchers.append(watcher)
    if len(watchers) > 1:
        return
    watch_assignments()
    _replace_ours()
    for name in ("__setitem__", "__delitem__"):
        _replace(os._Environ, name, partial(noting, ENVIRONMENT, _variable))
    after_import("torch", _replace_compiler)
    after_import(MECHANICS, _replace_torchs)


@locked
def unwatch(watcher: Watcher) -> None:
    """Stop calling *watcher*; once the last one is gone, nothing but the record of assignments is left."""
    watchers.remove(watcher)
    if watchers:
        return
    ignore(_noting_assignment)
    while _replaced:
        owner, name, before, ours = _replaced.pop()
        if vars(owner).get(name) is ours:  # somebody else may have put theirs on top
            replace_method(owner, name, before)


def _replace(owner: Any, name: str, make: Callable[[Any], Any]) -> None:
    before = vars(owner)[name]
    ours = make(before)
    _replaced.append((owner, name, before, ours))
    replace_method(owner, name, ours)


# Changes by dynconf.


def _replace_ours() -> None:
    # A patch and an installation undo these themselves if they raise.
    for chain in (Chain, SharedChain):
        _replace(chain, "enter", partial(noting, "dynconf.patch", _entered))
        _replace(chain, "leave", partial(noting, "dynconf.patch", _left))
    kind = install.Installation
    _replace(kind, "_enter", partial(noting, "dynconf.install", _entered))
    _replace(kind, "_leave", partial(noting, "dynconf.install", _left))
    # A block holds the lock while it is left, and must not while watchers run: it reports itself.
    _replace(kind, "__exit__", partial(noting, "dynconf.install", _left))
    _replace(install, "_drop", partial(noting, "dynconf.reset", _dropped))
    _replace(
        Baseline, "_restore", partial(noting, "dynconf.preserve", lambda _, changed, *__: _dropped(changed))
    )


def _entered(*arguments: Any) -> NotedFlags:
    """Return the flags of a change, which is one of the arguments, with the origins of their new values."""
    change = next(each for each in arguments if isinstance(each, Change))
    return {
        slot.setting.newest: NotedFlag(partial(_read, slot), change.origin_of(slot))
        for slot in change.slot_values
    }


def _left(*arguments: Any) -> NotedFlags:
    """Return the same without origins: earlier values are back because of the line that leaves."""
    return {flag: each._replace(origin=None) for flag, each in _entered(*arguments).items()}


def _dropped(slots: Iterable[Slot]) -> NotedFlags:
    return {slot.setting.newest: NotedFlag(partial(_read, slot)) for slot in slots}


# Changes by torch.


def _replace_torchs() -> None:
    if not watchers:
        return
    listen(_noting_assignment)
    ways: dict[str, Callable[[Any], Any]] = {
        "__delattr__": partial(noting, "deletion", lambda module, name: _values(module, [name])),
        "patch": _patching,
        "load_config": partial(
            noting, "load_config", lambda module, *_, **__: _values(module, stored_flags(module))
        ),
        CLOSURE_PATCHER: _patching_quickly,
    }
    for owner in config_classes():
        for name in vars(owner).keys() & ways.keys():
            _replace(owner, name, ways[name])


def _noting_assignment(write: Write) -> AbstractContextManager[None]:
    return noted(_values(write.module, [write.name]), "assignment", write.caller)


def _patching(do: Any) -> Any:
    def patching(self: Any, arg1: Any = None, arg2: Any = None, **changes: Any) -> Any:
        made = do(self, arg1, arg2, **changes)
        values = {arg1: arg2} if isinstance(arg1, str) else dict(arg1 or changes)
        # Now, because the patch of a backward pass is entered when the compiler has long returned.
        options = _options.get() if self.__name__ == module_path("inductor") else {}
        both = [name for name in values if name in options and is_same_value(values[name], options[name][0])]
        origins = {name: options[name][1] for name in both}
        how = "torch.compile" if origins else "patch"
        note = partial(noting, how, lambda *_, **__: _values(self, values, origins))
        # Other patches may be of the same class, and where torch makes them by a generator, all others' too.
        kind: Any = type(made)
        end = kind.__exit__
        methods = {
            "__enter__": note(kind.__enter__, lambda _, patch: end(patch, None, None, None)),
            "__exit__": note(end),
        }
        made.__class__ = type(kind.__name__, (kind,), {"__slots__": (), **methods})
        return made

    return patching


def _patching_quickly(do: Any) -> Any:
    def patching(self: Any, **changes: Any) -> Any:
        note = partial(noting, "patch", lambda: _values(self, changes))
        change = note(do(self, **changes), lambda put_back: put_back())
        return lambda: note(change())

    return patching


def _values(
    module: ModuleType, names: Iterable[str], origins: Mapping[str, Origin] = MappingProxyType({})
) -> NotedFlags:
    """Return flags of a config module, with the effective values."""
    found: dict[str, NotedFlag] = {}
    for name in names:
        slot = live_slot(module, name)
        if slot is not None:
            found[slot.setting.newest] = NotedFlag(partial(_read, slot), origins.get(name))
        else:
            found[f"{module.__name__}.{name}"] = NotedFlag(partial(getattr, module, name, ABSENT))
    return found


# Changes by the options of `torch.compile`.

_options: ContextVar[Mapping[str, tuple[Any, Origin]]] = ContextVar("options", default=MappingProxyType({}))
"""The options of the compiler that is running, each with the line that gave it."""


def _replace_compiler() -> None:
    compiler = getattr(sys.modules["torch"], COMPILER, None)
    if watchers and compiler is not None:
        _replace(compiler, "__init__", _making_compiler)
        _replace(compiler, "__call__", _compiling)


def _making_compiler(do: Any) -> Any:
    @functools.wraps(do)
    def making(self: Any, *args: Any, **named: Any) -> None:
        do(self, *args, **named)
        origin = origin_outside_torch(_beyond_wrapper(sys._getframe(1)))
        # No object of dynconf's: torch may pickle the compiler, for a process without dynconf.
        self._called_at = origin.file, origin.line

    return making


def _beyond_wrapper(frame: FrameType) -> FrameType:
    """Return the frame that called `torch.compile`, in whose place Lightning puts a function of its own."""
    wrapper = getattr(sys.modules["torch"].compile, "__code__", None)
    outer: FrameType | None = frame
    while outer and outer.f_code is not wrapper:
        outer = outer.f_back
    return (outer and outer.f_back) or frame


def _compiling(do: Any) -> Any:
    @functools.wraps(do)
    def compiling(self: Any, *args: Any, **named: Any) -> Any:
        origin = origin_outside_torch(sys._getframe(1))
        if hasattr(self, "_called_at"):  # it was not made before anybody watched
            origin = Origin("assignment", None, None, *self._called_at)
        note_changes()
        token = _options.set({name: (value, origin) for name, value in self.config.items()})
        try:
            return do(self, *args, **named)
        finally:
            _options.reset(token)

    return compiling


# Changes in place of containers, which call nothing of torch's: what one held when its flag was set, or when
# the audit began, is compared with what it holds when torch next compiles, and at the end.

_known: dict[Slot, tuple[Any, Any]] = {}
"""The object that torch had last of each flag that was set, and its content."""

_first: ContextVar[Watcher | None] = ContextVar("first", default=None)
"""The watcher that began in this context, whose values are known; those of other threads are not."""


def _read(slot: Slot) -> Any:
    """Return the value of a flag that may be about to be set, and keep what it holds."""
    value = slot.read()
    if slot.copy_value is not None:
        _known[slot] = slot.seen_by_torch(), value
    return value


def begin(watcher: Watcher) -> None:
    """Keep what all containers hold, before *watcher* is the first; not under the lock: it copies them."""
    _known.clear()
    for slot, _ in _containers():
        _read(slot)
    _first.set(watcher)


def note_changes() -> None:
    """Report the containers that hold something else than when they were set, or than torch's default."""
    if _first.get() in watchers:
        attempt("the search for changes in place", _note_changes)


def _note_changes() -> None:
    changed, nobody = {}, Origin("source", "an unknown line")
    for slot, value in _containers():
        # One that was never set is a copy of the default, which torch made for whoever read the flag.
        known, before = _known.get(slot, (value, slot.value_at_import()))
        now = _read(slot)
        if known is value:
            changed[slot.setting.newest] = NotedFlag(iter((before, now)).__next__, nobody)
    with noted(changed, "in place"):
        pass


def _containers() -> Iterator[tuple[Slot, Any]]:
    """Yield the flags of which torch has an object that can be changed in place, with that."""
    for slot in (slot for binding in loaded() for slot in binding.flags() if slot.copy_value):
        value = slot.seen_by_torch()
        if value is not slot.storage.unset:
            yield slot, value


# Changes of variables.


def _variable(environ: Any, name: Any, *_: Any) -> NotedFlags:
    """Return a variable that torch reads, or will read: it sets flags as torch is imported."""
    is_torchs = isinstance(name, str) and (modules_set_by({name}) or name in FOREIGN)
    return {name: NotedFlag(partial(environ.get, name))} if is_torchs else {}
