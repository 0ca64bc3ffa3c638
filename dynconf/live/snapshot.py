"""The live state as data, and a state put into force."""

import sys
from dataclasses import dataclass
from types import FrameType
from typing import Any

from dynconf.catalogue.names import canonical
from dynconf.live.binding import Binding, live
from dynconf.live.install import Installation, Scope, checked_scope
from dynconf.live.origin import origin_of
from dynconf.live.patch import Patch, patch_from, validated
from dynconf.provenance import Origin
from dynconf.state import snapshot as data
from dynconf.state.snapshot import meant


# A snapshot is data, and the module that defines it may not know the live one; so the two ways of putting it
# into force are added here, as `DynamoSettings` adds `install` to the settings model.
@dataclass(frozen=True, slots=True)
class Snapshot(data.Snapshot):
    """Values of flags, by the names that the release itself uses, with the ways to put them into force.

    Attributes:
        torch: The release, such as ``2.13.0``.
        values: Flag to value; an old name that the release forwards has the value of the newer one. Flags
            that are not there have the release's default.
        origins: The same flags to where their values came from.
    """

    def patch(self) -> Patch:
        """Return a patch of what is set in the snapshot; what has its default there is left as it is.

        Raises:
            UnknownFlagError: The live torch lacks a flag.
            InvalidValueError: A value does not suit its flag.

        Example:
            >>> import dynconf
            >>> with dynconf.patch(recompile_limit=64):
            ...     state = dynconf.snapshot()
            >>> with state.patch():
            ...     dynconf.snapshot().values["recompile_limit"]
            64
        """
        caller = _caller()
        return patch_from(self._set(), caller.f_code, caller.f_lineno)

    def install(self, scope: Scope = "process") -> Installation:
        """Install what is set in the snapshot; what has its default there is left as it is.

        Args:
            scope: ``"process"``, or ``"context"`` for the thread or task alone (torch 2.12 and newer).

        Returns:
            The installation, in force.

        Raises:
            UnknownFlagError: The live torch lacks a flag.
            InvalidValueError: A value does not suit its flag, or this torch cannot do that scope.
        """
        binding = live()
        scope = checked_scope(binding, scope)
        set_here = {canonical(name): self.origins[name] for name in self.names_set()}
        slots, values = validated(binding, self._set(), stacklevel=3, origins=set_here)
        caller = _caller()
        here = Origin("install", file=caller.f_code.co_filename, line=caller.f_lineno)
        # A value out of a file goes on naming its line there, as with DynamoSettings.install.
        origins = {
            binding.slot(name).name: origin if origin.kind == "file" else here
            for name, origin in set_here.items()
        }
        return Installation(binding, dict(zip(slots, values, strict=True)), origins, scope).put_in_force()

    def _set(self) -> dict[str, Any]:
        return {name: meant(name, self.values[name]) for name in self.names_set()}


def _caller() -> FrameType:
    """Return the frame that called the caller of this."""
    return sys._getframe(2)  # noqa: SLF001  a traceback would cost more than the whole patch


def snapshot() -> Snapshot:
    """Return the effective values of all flags in the running thread or task, each with its origin.

    Example:
        >>> import dynconf
        >>> with dynconf.patch(recompile_limit=64):
        ...     state = dynconf.snapshot()
        >>> state.values["recompile_limit"], state.origins["recompile_limit"].kind
        (64, 'patch')
    """
    return snapshot_of(live())


def snapshot_of(binding: Binding) -> Snapshot:
    """Return the effective values of all flags of that module."""
    values: dict[str, Any] = {}
    origins: dict[str, Origin] = {}
    for name, slot, alias in binding.table():
        if slot.resting is not None and binding.is_at_rest(slot):
            # Nearly all flags, nearly always; the rest of the loop costs ten times as much.
            values[name] = slot.default()
            origins[name] = alias or slot.resting
        else:
            values[name] = binding.read(slot)
            origins[name] = alias or origin_of(binding, slot)
    return Snapshot(binding.version, values, origins)
