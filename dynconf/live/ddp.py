"""The validated resolver of ``optimize_ddp`` in the live torch."""

import importlib
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

from dynconf.ddp import FLAG, mode_of
from dynconf.errors import InvalidValueError
from dynconf.live import ddp_modules
from dynconf.live.binding import bind
from dynconf.live.install import Installation
from dynconf.live.lock import locked
from dynconf.live.origin import origin_of
from dynconf.live.slot import ABSENT, Slot

OLD_NAME, NEW_NAME = "_get_optimize_ddp_mode", "get_optimize_ddp_mode"
"""torch's resolver: in the config module up to 2.6, in ``torch._dynamo.utils`` from 2.7 on."""

_users: list["ResolverInstallation"] = []
_replaced: list[tuple[ModuleType, str, Any, Callable[[], str]]] = []
"""What a resolver replaced: module, name, the object or `ABSENT`, and the resolver."""


class ResolverInstallation(Installation):
    """The validated resolver in the live torch, until it is uninstalled; see `install_ddp_resolver`."""

    def __init__(self) -> None:
        super().__init__({}, {}, "process")
        self._slot = bind().slot(FLAG)
        self._utils = importlib.import_module("torch._dynamo.utils")

    def __repr__(self) -> str:
        state = "in force" if self.is_in_force() else "uninstalled"
        return f"<dynconf.Installation of the optimize_ddp resolver, {state}>"

    def is_in_force(self) -> bool:
        return self in _users

    @locked
    def _enter(self) -> None:
        _users.append(self)
        if len(_users) == 1:
            _replace(self._slot, self._utils)

    @locked
    def _leave(self) -> None:
        if self.is_in_force():
            _users.remove(self)
            if not _users:
                _put_back()


def install_ddp_resolver() -> Installation:
    """Make torch ask dynconf which DDP mode is in force, so that nonsense is refused wherever it was set.

    A value that is not a mode is an `InvalidValueError` that lists the modes and the closest one, raised
    where torch asks: when a ``DistributedDataParallel`` module is built, and when Dynamo compiles a frame.
    The resolver replaces torch's own, and is ``torch._dynamo.config._get_optimize_ddp_mode`` in every
    release. Installing it twice is harmless: it stays until every installation is uninstalled.

    Returns:
        The installation, in force. Its `uninstall` puts back the very objects that were there.

    Example:
        >>> import torch._dynamo.config
        >>> with install_ddp_resolver():
        ...     torch._dynamo.config._get_optimize_ddp_mode()
        'ddp_optimizer'
    """
    return ResolverInstallation().put_in_force()


def _replace(slot: Slot, utils: ModuleType) -> None:
    places = [(slot.binding.module, OLD_NAME)]
    if hasattr(utils, NEW_NAME):
        places.append((utils, NEW_NAME))
    before = [vars(module).get(name, ABSENT) for module, name in places]
    resolver = _resolver(slot, next((each for each in before if each is not ABSENT), None))
    for (module, name), original in zip(places, before, strict=True):
        _replaced.append((module, name, original, resolver))
        # The config module refuses assignment of anything but flags, so both are written by their dicts.
        vars(module)[name] = resolver


def _put_back() -> None:
    for module, name, original, resolver in _replaced:
        if vars(module).get(name) is not resolver:
            continue  # something has replaced it since, and may put it back later
        if original is ABSENT:
            del vars(module)[name]
        else:
            vars(module)[name] = original
    _replaced.clear()


def _resolver(slot: Slot, torchs: Callable[[], object] | None) -> Callable[[], str]:
    def get_optimize_ddp_mode() -> str:
        """Return the DDP mode in force, checked by dynconf."""
        if not _users and torchs is not None:  # put back by something that had replaced it for a while
            return str(torchs())
        value = slot.read()
        try:
            mode = mode_of(value)
        except InvalidValueError:
            mode = mode_of(value, origin_of(slot))  # the same error, with the origin of the value
        ddp_modules.remember(sys._getframe(1), mode)  # only the caller knows which module is being built
        return mode.value

    return get_optimize_ddp_mode
