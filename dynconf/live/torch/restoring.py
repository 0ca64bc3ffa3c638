"""Which code sets an override, and which restores one: everything that inspects a setter's frames.

The problem: torch's own patches, unittest.mock and pytest's monkeypatch restore by assigning the value that
they found, which is the same call as anybody's assignment. Only the stack tells them apart::

    config.x = 5                      __setattr__ <- the program
    with config.patch(x=5): ...       __setattr__ <- __enter__ of torch's config modules, later its __exit__

So these functions look at the names of functions and, where a patch enters, at the place in which it keeps
the values that it found. Where one is renamed, that patch counts as an ordinary assignment: it still restores
the value, but that then counts as set. The random programs of tests/live/test_programs.py find that out.
"""

from inspect import CO_GENERATOR
from types import FrameType, ModuleType
from typing import Any

MECHANICS = "torch.utils._config_module"
"""The module in which the classes of torch's config modules are; in all releases."""

RAW_SETTER = "_set_raw_values"
"""The method by which the patch of a module with implications sets flags, past ``__setattr__`` (2.15)."""

_PASSING_ON = frozenset({"__setattr__", "__delattr__", "_set_alias_val"})
"""Methods of a config module; the last one since 2.7."""

_MOCK, _MONKEYPATCH = frozenset({"unittest.mock", "mock.mock"}), "_pytest.monkeypatch"

_RESTORING = {
    # `patch` has `__exit__`, `_make_closure_patcher` has `revert`. Reading a default that can be changed in
    # place stores a copy of it, which is nobody's assignment either.
    MECHANICS: frozenset({"__exit__", "revert", "__getattr__"}),
    **dict.fromkeys(_MOCK, frozenset({"__exit__"})),
    _MONKEYPATCH: frozenset({"undo"}),
}
_ENTERING = ("__enter__", "change")


_MACHINERY = {MECHANICS}


def know_machinery(module: ModuleType) -> None:
    """Take the code of the classes of a config module for torch's machinery, wherever that is by now."""
    _MACHINERY.update(
        kind.__module__ for kind in type(module).__mro__ if kind.__module__.startswith("torch.")
    )


def is_machinery(frame: FrameType) -> bool:
    """Tell whether a frame is in the module with the classes of torch's config modules."""
    return module_of(frame) in _MACHINERY


def setter_of(frame: FrameType | None, name: str | None) -> tuple[FrameType | None, str | None]:
    """Return the frame that sets a flag, beyond functions that only pass it on, and the flag's name."""
    outermost = None
    while frame is not None:
        if is_machinery(frame):
            outermost = frame
            if frame.f_code.co_name in _PASSING_ON:
                name = frame.f_locals.get("name", name)
        elif not module_of(frame).startswith("dynconf.live."):
            break
        frame = frame.f_back
    if outermost is not None and outermost.f_code.co_name not in _PASSING_ON:
        frame = outermost
    if name is None and frame is not None and frame.f_code.co_name == "change":
        name = frame.f_locals.get("k")  # of `_make_closure_patcher`, which knows it only by its loop
    return frame, name


def is_restoring(frame: FrameType | None) -> bool:
    """Tell whether the frame assigns a value that it found earlier, or deletes the flag instead."""
    if frame is None:
        return False
    module = MECHANICS if is_machinery(frame) else module_of(frame)
    return _called(frame) in _RESTORING.get(module, ())


def is_entering(frame: FrameType | None) -> bool:
    """Tell whether the frame is that of a patch of torch's that assigns its values."""
    return frame is not None and is_machinery(frame) and _called(frame) in _ENTERING


def _called(frame: FrameType) -> str:
    """Return the name of a function; of a generator that is a context manager, which method of it runs."""
    back = frame.f_back
    if back is not None and frame.f_code.co_flags & CO_GENERATOR and module_of(back) == "contextlib":
        frame = back
    return frame.f_code.co_name


def keep_found(frame: FrameType | None, name: str | None, saved: Any) -> bool:
    """If the frame is that of a patch that is entering, make it restore *saved*, not what it found."""
    if frame is None:
        return False
    module, function, found = frame.f_globals.get("__name__"), frame.f_code.co_name, frame.f_locals
    if module in _MOCK and function == "__enter__":
        found["self"].temp_original = saved
        return True
    if module == _MONKEYPATCH and function in ("setattr", "delattr"):
        _have_undone(frame, saved)
        return True
    # A local variable of both functions, in all releases; `__enter__` has put it into its patch by now.
    prior = found.get("prior") if is_entering(frame) else None
    if name is None or not isinstance(prior, dict) or name not in prior:
        return False
    # A patch may set a flag under two names, an alias and the newer one. By the second one it has set the
    # flag itself, so the value that the first one found counts for both.
    mine = (each for each in prior.values() if getattr(each, "home", None) is saved.home)
    prior[name] = next(mine, saved)
    return True


def _have_undone(frame: FrameType, saved: Any) -> None:
    """Have a monkeypatch that is setting or deleting a flag put *saved* back when it undoes that."""
    found = frame.f_locals
    target, name, old, undone = found["target"], found["name"], found["oldval"], found["self"]._setattr
    # Up to pytest 9.1 the entry of this call is the last one. Later it is added afterwards, has no value, and
    # deletes the flag. Entries are undone in reverse, so ours comes after that, and brings the flag back.
    is_added = bool(undone) and undone[-1][0] is target and undone[-1][1:] == (name, old)
    if is_added and old is not frame.f_globals.get("NOTSET"):
        undone.pop()
    undone.append((target, name, saved))


def reads_to_restore(frame: FrameType) -> bool:
    """Tell whether torch's patch of a module with implications reads an override to put it back (2.15)."""
    return frame.f_code.co_name == RAW_SETTER


_BETWEEN = frozenset({"dynconf", "importlib", "_frozen_importlib", "contextlib", "functools", "os"})
_BETWEEN |= {"unittest.mock", "_pytest.monkeypatch", "collections.abc"}
"""Packages and modules through which a program changes a flag: the line that does it is further up."""


def frames_to_program(frame: FrameType | None, *, outside_torch: bool = False) -> list[FrameType]:
    """Return the frames from this one to the nearest beyond dynconf, the modules in between, and torch."""
    frames: list[FrameType] = []
    while frame is not None:
        frames.append(frame)
        module = module_of(frame)
        is_between = module in _BETWEEN or module in _MACHINERY or module.partition(".")[0] in _BETWEEN
        # Code that torch generates has no module.
        is_between |= outside_torch and (is_torchs(frame) or "__name__" not in frame.f_globals)
        frame = frame.f_back if is_between else None
    return frames


def module_of(frame: FrameType) -> str:
    """Return the name of the module that a frame runs in; "None" if it has none."""
    return str(frame.f_globals.get("__name__"))


def program_line(frame: FrameType, *, outside_torch: bool = False) -> FrameType:
    """Return the line by which a program changes a flag, or by which it called torch to do so."""
    return frames_to_program(frame, outside_torch=outside_torch)[-1]


def is_torchs(line: FrameType) -> bool:
    """Tell whether a line is in torch."""
    return module_of(line).partition(".")[0] in ("torch", "functorch")
