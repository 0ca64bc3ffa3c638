"""DDP modules that exist, and the modes of ``optimize_ddp`` that they were built under.

torch keeps no list of them, and looking through all objects takes up to half a second. So they are recorded
as they are built, once it matters: from the first change of the mode in a process group on, or from the
first installation of dynconf's resolver. Only those that were built earlier are searched for, once.
"""

import contextlib
import functools
import gc
import sys
import weakref
from collections.abc import Callable
from types import ModuleType
from typing import Any

from dynconf.catalogue.ddp import FLAG, mode_of
from dynconf.catalogue.modules.dynamo import DdpMode
from dynconf.errors import ConflictWarning, InvalidValueError
from dynconf.live.after_import import after_import
from dynconf.live.torch.internals import python_reducer_mode
from dynconf.live.torch.slot import Slot
from dynconf.provenance import Caller

_HOME = "torch.nn.parallel.distributed"
"""The module of torch with the class of DDP modules."""

_built_under: "weakref.WeakKeyDictionary[Any, DdpMode | None]" = weakref.WeakKeyDictionary()
"""The DDP modules that are known, with their modes where these are, too."""


@functools.cache
def record_modules(slot: Slot) -> None:
    """Record DDP modules with their modes from now on, for good."""
    after_import(_HOME, functools.partial(_replace_constructors, slot))


def _replace_constructors(slot: Slot) -> None:
    kind: Any = sys.modules[_HOME].DistributedDataParallel
    kind.__init__ = _recording(kind.__init__, slot)
    kind.__setstate__ = _recording(kind.__setstate__, slot)  # of one that is copied or unpickled


def _recording(construct: Callable[..., None], slot: Slot) -> Callable[..., None]:
    @functools.wraps(construct)
    def recording(self: Any, *args: Any, **kwargs: Any) -> None:
        construct(self, *args, **kwargs)
        _built_under[self] = _mode_in_force(slot)

    return recording


def _mode_in_force(slot: Slot) -> DdpMode | None:
    with contextlib.suppress(InvalidValueError):
        return mode_of(slot.read())
    return None


def warn_of_other_modes(slot: Slot, value: object, caller: Caller) -> None:
    """Warn if ``optimize_ddp`` is about to be set to *value* while a DDP module of another mode exists.

    DDP keeps the reducer that it was built with, and compiled code keeps its graphs.
    """
    new, release = mode_of(value), slot.setting.release.minor
    for module in _ddp_modules(slot, is_change=_mode_in_force(slot) is not new):
        built, known = _mode_of_module(module, slot)
        if built is new:
            continue
        how = f"under {built.value!r}" if known else f"with the C++ reducer, as under {built.value!r}"
        advice = (
            "compiled code keeps its graphs, unless dynconf.patch(...).recompile() drops them"
            if new.has_python_reducer(release) is built.has_python_reducer(release)
            else "it keeps its reducer, so build it again under the new mode"
        )
        caller.warn(
            ConflictWarning(
                f"optimize_ddp={new.value!r} while a DistributedDataParallel module exists that was built"
                f" {how}: {advice}",
                flag=FLAG,
                topic=f"{FLAG}: {advice}",
            )
        )


def _mode_of_module(module: Any, slot: Slot) -> tuple[DdpMode, bool]:
    """Return the mode that the module was built under, and whether that is certain.

    A module that was built before they were recorded only shows which reducer it has. Of the modes with the
    C++ reducer, the one in force is named: most likely the module was built under it.
    """
    recorded = _built_under.get(module)
    if recorded is not None:
        return recorded, True
    python_reducer = python_reducer_mode(module)
    if python_reducer is not None:
        return DdpMode(python_reducer), True
    default = mode_of(slot.setting.default_value())
    now = _mode_in_force(slot) or default
    return default if now.has_python_reducer(slot.setting.release.minor) else now, False


def _ddp_modules(slot: Slot, *, is_change: bool) -> list[Any]:
    """Return the DDP modules that still have a process group; without one they are useless.

    Only a change of the mode is worth a search for those that were built before they were recorded.
    """
    distributed = sys.modules.get("torch.distributed")
    if not (distributed and distributed.is_available() and distributed.is_initialized()):
        return []
    if is_change:
        _find_modules_from_before(slot)
    known = (reference() for reference in _built_under.keyrefs())
    return [each for each in known if each is not None and _has_group(each, distributed)]


@functools.cache
def _find_modules_from_before(slot: Slot) -> None:
    record_modules(slot)
    kind = getattr(sys.modules.get(_HOME), "DistributedDataParallel", None)
    for each in gc.get_objects() if kind is not None else ():
        if kind in type(each).__mro__:
            _built_under.setdefault(each, None)


def _has_group(module: Any, distributed: ModuleType) -> bool:
    """Tell whether the module can still communicate: hooks of the Python reducer keep dead modules alive."""
    try:
        distributed.get_backend(module.process_group)
    except (AssertionError, AttributeError, RuntimeError, TypeError, ValueError):
        return False
    return True
