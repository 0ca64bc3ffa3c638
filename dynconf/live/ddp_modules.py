"""DDP modules that exist, and the modes of ``optimize_ddp`` that they were built under."""

import gc
import sys
import weakref
from types import ModuleType
from typing import Any

from dynconf.ddp import FLAG, mode_of
from dynconf.errors import ConflictWarning, InvalidValueError
from dynconf.live.slot import Slot
from dynconf.live.torch_internals import python_reducer_mode
from dynconf.modules.dynamo import DdpMode
from dynconf.origin import Caller

_built_under: "weakref.WeakKeyDictionary[Any, DdpMode]" = weakref.WeakKeyDictionary()
"""DDP modules that were built while dynconf's resolver was installed, with their modes."""


def remember(module: Any, mode: DdpMode) -> None:
    """Remember under which mode a DDP module was built."""
    _built_under[module] = mode


def warn_of_other_modes(slot: Slot, value: object, caller: Caller) -> None:
    """Warn if ``optimize_ddp`` is about to be set to *value* while a DDP module of another mode exists.

    DDP keeps the reducer that it was built with, and compiled code keeps its graphs.
    """
    new, release = mode_of(value), slot.setting.release.minor
    for module in _ddp_modules():
        built, known = _mode_of_module(module, slot)
        if built is new:
            continue
        how = f"under {built.value!r}" if known else f"with the C++ reducer, as under {built.value!r}"
        advice = (
            "compiled code keeps its graphs, unless dynconf.patch(...).recompile() drops them"
            if new.has_python_reducer(release) is built.has_python_reducer(release)
            else "it keeps its reducer, so build it anew under the new mode"
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

    Unless the resolver was installed, the module itself only shows which reducer it has. Of the modes with
    the C++ reducer, the one in force is named: most likely the module was built under it.
    """
    if module in _built_under:
        return _built_under[module], True
    python_reducer = python_reducer_mode(module)
    if python_reducer is not None:
        return DdpMode(python_reducer), True
    default = mode_of(slot.setting.default_value())
    try:
        now = mode_of(slot.read())
    except InvalidValueError:
        now = default
    return default if now.has_python_reducer(slot.setting.release.minor) else now, False


def _ddp_modules() -> list[Any]:
    """Return the DDP modules that still have a process group; without one they are useless."""
    kind = ddp_class()
    distributed = sys.modules.get("torch.distributed")
    if kind is None or not (distributed and distributed.is_available() and distributed.is_initialized()):
        return []
    # torch keeps no list of them. Looking through all objects takes a tenth of a second, in such a process.
    found = [each for each in gc.get_objects() if kind in type(each).__mro__]
    return [each for each in found if _has_group(each, distributed)]


def _has_group(module: Any, distributed: ModuleType) -> bool:
    """Tell whether the module can still communicate: hooks of the Python reducer keep dead modules alive."""
    try:
        distributed.get_backend(module.process_group)
    except (AssertionError, AttributeError, RuntimeError, TypeError, ValueError):
        return False
    return True


def ddp_class() -> type[Any] | None:
    """Return torch's class of DDP modules, if it has been imported."""
    module = sys.modules.get("torch.nn.parallel.distributed")
    return getattr(module, "DistributedDataParallel", None)
