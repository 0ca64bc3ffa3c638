"""The validated resolver of ``optimize_ddp`` in the live torch."""

import importlib
import sys
from collections.abc import Callable
from typing import Any

from dynconf.catalogue.ddp import FLAG, mode_of
from dynconf.errors import InvalidValueError
from dynconf.live.binding import bind
from dynconf.live.ddp_modules import record_modules
from dynconf.live.install import Installation
from dynconf.live.layers import Layer
from dynconf.live.origin import origin_of
from dynconf.live.torch.internals import NEW_RESOLVER, OLD_RESOLVER
from dynconf.live.torch.slot import Slot
from dynconf.live.torch.storage import ABSENT
from dynconf.provenance import caller

_UTILS = "torch._dynamo.utils"

_replaced: list[tuple[dict[str, Any], str, Any, Any]] = []
"""What was replaced: a module's dict, the name in it, the object or `ABSENT`, and the replacement."""


class _Resolvers(Layer):
    """The validated resolver in the live torch, while anybody has it installed."""

    def show(self, _: object, /) -> None:
        if not self.entered:
            for contents, name, original, replacement in _replaced:
                if contents.get(name) is not replacement:  # something else's, which may put it back later
                    continue
                contents[name] = original
                if original is ABSENT:
                    del contents[name]
            _replaced.clear()
        elif not _replaced:
            slot, utils = bind().slot(FLAG), sys.modules[_UTILS]
            # A config module refuses the assignment of anything but flags; its dict does not.
            places = [(vars(slot.storage.module), OLD_RESOLVER)]
            if hasattr(utils, NEW_RESOLVER):
                places.append((vars(utils), NEW_RESOLVER))
            before = [contents.get(name, ABSENT) for contents, name in places]
            resolver = _resolver(slot, next((each for each in before if each is not ABSENT), None))
            for (contents, name), original in zip(places, before, strict=True):
                _replaced.append((contents, name, original, resolver))
                contents[name] = resolver
            record_modules(slot)


_RESOLVERS = _Resolvers()


class ResolverInstallation(Installation):
    """The validated resolver in the live torch, until it is uninstalled; see `install_ddp_resolver`."""

    def __repr__(self) -> str:
        state = "installed" if self.is_installed() else "uninstalled"
        return f"<Installation of the optimize_ddp resolver, {state}>"


def install_ddp_resolver() -> Installation:
    """Make torch ask dynconf which DDP mode is in force, and so refuse an invalid one wherever it was set.

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
    bind()  # before the lock is taken
    importlib.import_module(_UTILS)
    return ResolverInstallation({}, caller(), place=_RESOLVERS).install()


def _resolver(slot: Slot, torchs: Callable[[], object] | None) -> Callable[[], str]:
    def get_optimize_ddp_mode() -> str:
        """Return the DDP mode in force, checked by dynconf."""
        # Something that had replaced it for a while may have put it back.
        if torchs is not None and not _RESOLVERS.entered:
            return str(torchs())
        value = slot.read()
        try:
            return mode_of(value).value
        except InvalidValueError:
            return mode_of(value, origin_of(slot)).value  # the same error, with the origin of the value

    return get_optimize_ddp_mode
