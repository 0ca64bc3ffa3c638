"""The validated resolver of ``optimize_ddp`` in the live torch."""

import importlib
from collections.abc import Callable
from typing import Any

from dynconf.catalogue.ddp import FLAG, mode_of
from dynconf.errors import InvalidValueError
from dynconf.live.binding import bind
from dynconf.live.ddp_modules import record_modules
from dynconf.live.install import Installation
from dynconf.live.origin import origin_of
from dynconf.live.torch.internals import NEW_RESOLVER, OLD_RESOLVER
from dynconf.live.torch.lock import locked
from dynconf.live.torch.slot import Slot
from dynconf.live.torch.storage import ABSENT
from dynconf.provenance import caller

_installed: list["ResolverInstallation"] = []
_replaced: list[tuple[dict[str, Any], str, Any, Any]] = []
"""What was replaced: a module's dict, the name in it, the object or `ABSENT`, and the replacement."""


class ResolverInstallation(Installation):
    """The validated resolver in the live torch, until it is uninstalled; see `install_ddp_resolver`."""

    def __init__(self) -> None:
        super().__init__({}, caller())
        self._slot = bind().slot(FLAG)
        self._utils = importlib.import_module("torch._dynamo.utils")

    def __repr__(self) -> str:
        state = "installed" if self.is_installed() else "uninstalled"
        return f"<Installation of the optimize_ddp resolver, {state}>"

    def is_installed(self) -> bool:
        return self in _installed

    @locked
    def _enter(self, values: object) -> None:  # noqa: ARG002  a resolver has none
        if self.is_installed():
            return
        _installed.append(self)
        if len(_installed) == 1:
            # A config module refuses the assignment of anything but flags; its dict does not.
            places = [(vars(self._slot.storage.module), OLD_RESOLVER)]
            if hasattr(self._utils, NEW_RESOLVER):
                places.append((vars(self._utils), NEW_RESOLVER))
            before = [contents.get(name, ABSENT) for contents, name in places]
            resolver = _resolver(self._slot, next((each for each in before if each is not ABSENT), None))
            for (contents, name), original in zip(places, before, strict=True):
                _replaced.append((contents, name, original, resolver))
                contents[name] = resolver
            record_modules(self._slot)

    @locked
    def _leave(self) -> None:
        if self.is_installed():
            _installed.remove(self)
        if not _installed:
            for contents, name, original, replacement in _replaced:
                if contents.get(name) is not replacement:  # something else's, which may put it back later
                    continue
                contents[name] = original
                if original is ABSENT:
                    del contents[name]
            _replaced.clear()


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
    return ResolverInstallation().install()


def _resolver(slot: Slot, torchs: Callable[[], object] | None) -> Callable[[], str]:
    def get_optimize_ddp_mode() -> str:
        """Return the DDP mode in force, checked by dynconf."""
        if not _installed and torchs is not None:  # put back by something that had replaced it for a while
            return str(torchs())
        value = slot.read()
        try:
            return mode_of(value).value
        except InvalidValueError:
            return mode_of(value, origin_of(slot)).value  # the same error, with the origin of the value

    return get_optimize_ddp_mode
