"""The modes of ``optimize_ddp`` in the live torch: the validated resolver, and DDP modules that exist."""

import gc
import importlib
import sys
import threading
import weakref
from collections.abc import Callable, MutableMapping
from types import FrameType, ModuleType
from typing import Any

from dynconf.ddp import FLAG, DdpMode, mode_of
from dynconf.errors import ConflictWarning, InvalidValueError, warn_once
from dynconf.live.binding import Binding, live
from dynconf.live.install import Installation
from dynconf.live.origin import origin_of
from dynconf.live.slots import Slot

OLD_NAME, NEW_NAME = "_get_optimize_ddp_mode", "get_optimize_ddp_mode"
"""torch's resolver: in the config module up to 2.6, in ``torch._dynamo.utils`` from 2.7 on."""

_lock = threading.RLock()
_installed: "list[ResolverInstallation]" = []
_found: list[tuple[ModuleType, str, Any]] = []
"""What the installed resolver took the place of: module, name, and the object, or `_NOTHING`."""
_NOTHING = object()

_built_under: "MutableMapping[Any, DdpMode]" = weakref.WeakKeyDictionary()
"""DDP modules that were built while the resolver was installed, with their modes."""


class ResolverInstallation(Installation):
    """The validated resolver in the live torch, until it is uninstalled; see `install_ddp_resolver`."""

    def __init__(self, binding: Binding) -> None:
        super().__init__(binding, {}, {}, "process")

    def __repr__(self) -> str:
        state = "in force" if self in _installed else "uninstalled"
        return f"<dynconf.Installation of the optimize_ddp resolver, {state}>"

    def put_in_force(self) -> "ResolverInstallation":
        """Install the resolver; once it is, this does nothing."""
        with _lock:
            if self not in _installed:
                if not _installed:
                    _put(_resolver(self._binding), self._binding)
                _installed.append(self)
        return self

    def uninstall(self) -> None:
        """Put torch's own resolver back, unless another installation still holds; again does nothing."""
        with _lock:
            if self in _installed:
                _installed.remove(self)
                if not _installed:
                    _put_back()


def install_ddp_resolver() -> Installation:
    """Have torch ask dynconf which DDP mode is in force, so that nonsense is refused wherever it was set.

    A value that means no mode is an `InvalidValueError` with the modes and the nearest one, raised where
    torch asks: when a ``DistributedDataParallel`` module is built, and when Dynamo compiles a frame. The
    resolver takes the place of torch's own, and is ``torch._dynamo.config._get_optimize_ddp_mode`` in every
    release. Installing it twice is harmless: it stays until each installation is uninstalled.

    Returns:
        The installation, in force. Its `uninstall` puts back the very objects that stood there.

    Example:
        >>> import torch._dynamo.config
        >>> with install_ddp_resolver():
        ...     torch._dynamo.config._get_optimize_ddp_mode()
        'ddp_optimizer'
    """
    return ResolverInstallation(live()).put_in_force()


def _put(resolver: Callable[[], str], binding: Binding) -> None:
    places = [(binding.module, OLD_NAME)]
    utils = importlib.import_module("torch._dynamo.utils")
    if hasattr(utils, NEW_NAME):
        places.append((utils, NEW_NAME))
    # The config module refuses to be assigned what is no flag, so both are written by their dicts.
    _found[:] = [(module, name, vars(module).get(name, _NOTHING)) for module, name in places]
    for module, name in places:
        vars(module)[name] = resolver


def _put_back() -> None:
    for module, name, original in _found:
        if original is _NOTHING:
            vars(module).pop(name, None)
        else:
            vars(module)[name] = original
    _found.clear()


def _resolver(binding: Binding) -> Callable[[], str]:
    slot = binding.slot(FLAG.name)

    def get_optimize_ddp_mode() -> str:
        """Return the DDP mode in force, checked by dynconf."""
        value = binding.read(slot)
        try:
            mode = mode_of(value)
        except InvalidValueError:
            mode = mode_of(value, origin_of(binding, slot))  # the same error, saying where it came from
        _remember(sys._getframe(1), mode)  # noqa: SLF001  only the caller knows which module is being built
        return mode.value

    return get_optimize_ddp_mode


def _remember(caller: FrameType, mode: DdpMode) -> None:
    """Remember under which mode a DDP module is built, where the resolver's caller builds one."""
    kind = _ddp_class()
    if kind is not None and caller.f_code is kind.__init__.__code__:
        _built_under[caller.f_locals["self"]] = mode


def warn_of_other_modes(binding: Binding, slot: Slot, value: object, stacklevel: int) -> None:
    """Warn where ``optimize_ddp`` is about to change while a DDP module of another mode exists.

    DDP keeps the reducer that it was built with, and compiled code keeps its graphs.

    Args:
        binding: The live module.
        slot: The flag's slot.
        value: The valid value that is being set.
        stacklevel: As for `warnings.warn`, counted from here.
    """
    new = mode_of(value)
    python = new.has_python_reducer(binding.minor)
    for module in _ddp_modules():
        built, known = _mode_of_module(module, binding, slot)
        if built is new:
            continue
        built_python = built.has_python_reducer(binding.minor)
        how = f"under {built.value!r}"
        if not known:
            how = f"with the C++ reducer, as under {built.value!r}"
        advice = (
            "compiled code keeps its graphs until torch._dynamo.reset()"
            if python is built_python
            else "it keeps its reducer, so build it anew under the new mode"
        )
        warn_once(
            ConflictWarning(
                f"optimize_ddp={new.value!r} while a DistributedDataParallel module exists that was built"
                f" {how}: {advice}"
            ),
            stacklevel,
        )


def _mode_of_module(module: Any, binding: Binding, slot: Slot) -> tuple[DdpMode, bool]:
    """Return the mode that the module was built under, and whether that is known for sure.

    Unless the resolver was installed, the module itself only tells which reducer it has. Of the modes with
    the C++ reducer the one in force is named, which is most likely the one it was built under.
    """
    if module in _built_under:
        return _built_under[module], True
    if getattr(module, "_use_python_reducer", False):
        forced = getattr(module, "_force_to_disable_cpp_reducer", False)
        return DdpMode.python_reducer_without_compiled_forward if forced else DdpMode.python_reducer, True
    try:
        now = mode_of(binding.read(slot))
    except InvalidValueError:
        now = mode_of(FLAG.default_in(binding.minor))
    if now.has_python_reducer(binding.minor):
        now = mode_of(FLAG.default_in(binding.minor))
    return now, False


def _ddp_modules() -> list[Any]:
    """Return the DDP modules that have a process group still; without one they are of no use."""
    kind = _ddp_class()
    distributed = sys.modules.get("torch.distributed")
    if kind is None or distributed is None or not distributed.is_available():
        return []
    if not distributed.is_initialized():
        return []
    # torch keeps no list of them. Looking through all objects takes a tenth of a second, in such a process.
    found = [each for each in gc.get_objects() if kind in type(each).__mro__]
    return [each for each in found if _has_group(each, distributed)]


def _has_group(module: Any, distributed: ModuleType) -> bool:
    """Tell whether the module can still communicate; the Python reducer's hooks keep dead ones in memory."""
    try:
        distributed.get_backend(module.process_group)
    except (AssertionError, AttributeError, RuntimeError, TypeError, ValueError):
        return False
    return True


def _ddp_class() -> type[Any] | None:
    module = sys.modules.get("torch.nn.parallel.distributed")
    return getattr(module, "DistributedDataParallel", None)
