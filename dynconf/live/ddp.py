"""The validated resolver of ``optimize_ddp`` in the live torch."""

import importlib
import sys
from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING, Any

from dynconf.ddp import FLAG, mode_of
from dynconf.errors import InvalidValueError
from dynconf.live import ddp_modules
from dynconf.live.binding import bind
from dynconf.live.install import Installation
from dynconf.live.lock import locked
from dynconf.live.origin import origin_of
from dynconf.live.slot import ABSENT, Slot

if TYPE_CHECKING:
    from typing_extensions import Self

OLD_NAME, NEW_NAME = "_get_optimize_ddp_mode", "get_optimize_ddp_mode"
"""torch's resolver: in the config module up to 2.6, in ``torch._dynamo.utils`` from 2.7 on."""

_users: list["ResolverInstallation"] = []
_resolvers: list[Callable[[], str]] = []
"""The resolver that was put in their place."""
_replaced: list[tuple[ModuleType, str, Any]] = []
"""What the resolver replaced: module, name, and the object, or `ABSENT`."""


class ResolverInstallation(Installation):
    """The validated resolver in the live torch, until it is uninstalled; see `install_ddp_resolver`."""

    def __init__(self) -> None:
        super().__init__({}, {}, "process")
        self._slot = bind().slot(FLAG)
        self._utils = importlib.import_module("torch._dynamo.utils")

    def __repr__(self) -> str:
        state = "in force" if self in _users else "uninstalled"
        return f"<dynconf.Installation of the optimize_ddp resolver, {state}>"

    @locked
    def put_in_force(self) -> "Self":
        """Install the resolver; if it already is, this does nothing."""
        if self not in _users:
            if not _users:
                self._replace()
            _users.append(self)
        return self

    @locked
    def uninstall(self) -> None:
        """Put torch's own resolver back, unless another installation is in force; twice is harmless."""
        if self in _users:
            _users.remove(self)
            if not _users:
                _put_back()

    def _replace(self) -> None:
        places = [(self._slot.binding.module, OLD_NAME)]
        if hasattr(self._utils, NEW_NAME):
            places.append((self._utils, NEW_NAME))
        # The config module refuses assignment of anything but flags, so both are written by their dicts.
        _replaced[:] = [(module, name, vars(module).get(name, ABSENT)) for module, name in places]
        resolver = _resolver(self._slot)
        for module, name in places:
            vars(module)[name] = resolver
        _resolvers[:] = [resolver]


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


def _put_back() -> None:
    for module, name, original in _replaced:
        if vars(module).get(name) not in _resolvers:
            continue  # something has replaced it since, and may put it back later
        if original is ABSENT:
            vars(module).pop(name, None)
        else:
            vars(module)[name] = original
    _replaced.clear()


def _resolver(slot: Slot) -> Callable[[], str]:
    bare = next((each for _, _, each in _replaced if each is not ABSENT), None)

    def get_optimize_ddp_mode() -> str:
        """Return the DDP mode in force, checked by dynconf."""
        if not _users and bare is not None:  # put back by something that had replaced it for a while
            return str(bare())
        value = slot.read()
        try:
            mode = mode_of(value)
        except InvalidValueError:
            mode = mode_of(value, origin_of(slot))  # the same error, with the origin of the value
        ddp_modules.remember(sys._getframe(1), mode)  # only the caller knows which module is being built
        return mode.value

    return get_optimize_ddp_mode
