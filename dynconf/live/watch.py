"""Watching who changes the config modules: torch's own ways of doing so, and dynconf's.

The problem: there are nine ways to change a flag, four of them dynconf's, and torch has no hook. Comparing
snapshots would find the changes, but not the lines that made them.

The idea: while somebody watches, each method that writes is replaced on its class by one that reads the flags
before and after, and reports the difference with the calling line. One way of writing calls another: entering
torch's patch assigns. So only the outermost call reports, with the nearest line outside torch and dynconf::

    with config.patch(x=1):      # Write("x", before=8, after=1, how="patch", line=1)
        config.x = 2             # Write("x", before=1, after=2, how="assignment", line=2)

Reading is never touched. Without a watcher writing is not either, but for the record of assignments.
"""

import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from types import FrameType, ModuleType
from typing import Any, NamedTuple

from dynconf.after_import import after_import
from dynconf.flags.types import is_same_value
from dynconf.live import install
from dynconf.live.assignments import config_classes, frames_to_program, live_slot, watch_assignments
from dynconf.live.chain import Chain, SharedChain
from dynconf.live.change import Change
from dynconf.live.lock import locked
from dynconf.live.storage import ABSENT
from dynconf.live.torch_internals import CLOSURE_PATCHER, MECHANICS, stored_flags, warn_if_deprecated


class ConfigWrite(NamedTuple):
    """One change of one flag.

    The values are the effective ones in the thread that wrote. `how` is ``assignment``, ``deletion``,
    ``patch``, ``load_config``, or one of dynconf's own ways, such as ``dynconf.patch``.
    """

    flag: str  # its full name; with that of its config module if dynconf does not know that one
    before: Any
    after: Any
    how: str
    file: str
    line: int  # counted from 1
    thread: str


_ONLY_CHANGES = frozenset({"dynconf.install", "dynconf.reset", "load_config"})
"""Ways that report only flags with another value afterwards: they go through flags that nobody named."""

Watcher = Callable[[ConfigWrite], object]

Read = Callable[[], Any]

_watchers: list[Watcher] = []
_replaced: list[tuple[Any, str, Any, Any]] = []
_running = threading.local()


def watch(watcher: Watcher) -> None:
    """Call *watcher* with every change from now on, in the thread that makes it."""
    with locked:
        _watchers.append(watcher)
        is_first = len(_watchers) == 1
    if is_first:
        watch_assignments()
        _replace_ours()
        after_import(MECHANICS, _replace_torchs)


def unwatch(watcher: Watcher) -> None:
    """Stop calling *watcher*; once the last one is gone, nothing but the record of assignments is left."""
    with locked:
        _watchers.remove(watcher)
        if _watchers:
            return
        while _replaced:
            owner, name, before, ours = _replaced.pop()
            if vars(owner).get(name) is ours:  # somebody else may have put theirs on top
                setattr(owner, name, before)


def _replace(owner: Any, name: str, make: Callable[[Any], Any]) -> None:
    before = vars(owner)[name]
    ours = make(before)
    _replaced.append((owner, name, before, ours))
    setattr(owner, name, ours)


# Changes by dynconf.


def _replace_ours() -> None:
    for owner, name, how in (
        (Chain, "enter", "dynconf.patch"),
        (Chain, "leave", "dynconf.patch"),
        (SharedChain, "enter", "dynconf.patch"),
        (SharedChain, "leave", "dynconf.patch"),
        (install.Installation, "_enter", "dynconf.install"),
        (install.Installation, "_leave", "dynconf.install"),
        (install, "_drop", "dynconf.reset"),
    ):
        _replace(owner, name, partial(_noting, how, _of_ours))


def _of_ours(*arguments: Any) -> dict[str, Read]:
    """Return functions that read the flags of a change, which is an argument, or the flags that are reset."""
    change = next((each for each in arguments if isinstance(each, Change)), None)
    slots = arguments[0] if change is None else change.slot_values
    return {slot.setting.newest: slot.read for slot in slots}


# Changes by torch.


def _replace_torchs() -> None:
    if not _watchers:
        return
    ways: dict[str, Callable[[Any], Any]] = {
        "__setattr__": _assigning,
        "__delattr__": partial(_noting, "deletion", lambda module, name: _values(module, [name])),
        "patch": _patching,
        "load_config": partial(
            _noting, "load_config", lambda module, _: _values(module, stored_flags(module))
        ),
        CLOSURE_PATCHER: _patching_quickly,
    }
    for owner in config_classes():
        for name in vars(owner).keys() & ways.keys():
            _replace(owner, name, ways[name])


def _assigning(do: Any) -> Any:
    def assigning(self: Any, name: str, value: object) -> None:
        if name not in stored_flags(self):
            do(self, name, value)
            return
        warn_if_deprecated(self, name)
        with _noted(_values(self, [name]), "assignment"):
            do(self, name, value)

    return assigning


def _patching(do: Any) -> Any:
    def patching(self: Any, arg1: Any = None, arg2: Any = None, **changes: Any) -> Any:
        made = do(self, arg1, arg2, **changes)
        names = [arg1] if isinstance(arg1, str) else list(arg1 or changes)
        noting = partial(_noting, "patch", lambda *_: _values(self, names))
        kind: Any = type(made)  # torch makes a class for each patch, so this one is nobody else's
        kind.__enter__, kind.__exit__ = noting(kind.__enter__), noting(kind.__exit__)
        return made

    return patching


def _patching_quickly(do: Any) -> Any:
    def patching(self: Any, **changes: Any) -> Any:
        noting = partial(_noting, "patch", lambda: _values(self, changes))
        change = noting(do(self, **changes))
        return lambda: noting(change())

    return patching


def _values(module: ModuleType, names: Iterable[str]) -> dict[str, Read]:
    """Return a function that reads the effective value, for each flag by its full name."""
    found: dict[str, Read] = {}
    for name in names:
        slot = live_slot(module, name)
        if slot is not None:
            found[slot.setting.newest] = slot.read
        else:
            found[f"{module.__name__}.{name}"] = partial(getattr, module, name, ABSENT)
    return found


# Both.


def _noting(how: str, readers: Callable[..., Mapping[str, Read]], do: Any) -> Any:
    def noting(*args: Any) -> Any:
        with _noted(readers(*args), how):
            return do(*args)

    return noting


class _Place(NamedTuple):
    how: str
    file: str
    line: int


@contextmanager
def _noted(readers: Mapping[str, Read], how: str) -> Iterator[None]:
    """Report to the watchers the changes inside the block, unless an enclosing block does."""
    if getattr(_running, "is_noted", False) or not _watchers:
        yield
        return
    _running.is_noted = True
    done = False
    try:
        place = _place(sys._getframe(2), how)
        before = {flag: read() for flag, read in readers.items()}
        try:
            yield
            done = True
        finally:
            thread = threading.current_thread().name
            for flag, read in readers.items():
                after = read()
                if (done and how not in _ONLY_CHANGES) or not is_same_value(before[flag], after):
                    write = ConfigWrite(flag, before[flag], after, *place, thread)
                    for watcher in _watchers:
                        watcher(write)
    finally:
        _running.is_noted = False


def _place(start: FrameType, how: str) -> _Place:
    """Return the nearest line outside torch's config modules and dynconf, and how it changes the flag."""
    *between, line = frames_to_program(start)
    for frame in between:
        module = frame.f_globals.get("__name__")
        if module == MECHANICS and frame.f_code.co_name in ("__enter__", "__exit__"):
            how = "patch"
        elif module == "dynconf.run.installing":
            how = "dynconf run"  # the line imported the config module
    return _Place(how, line.f_code.co_filename, line.f_lineno)
