"""Installing values for good, and taking everything back.

On torch 2.12 and later, where overrides belong to a thread or task, an installation for the process goes
below all overrides, to where torch keeps the value of an environment variable: every thread sees it, also
those that run already. Before 2.12 overrides are the process's, and an installation is the lowest frame.
"""

import weakref
from collections.abc import Mapping
from contextvars import ContextVar
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal

from dynconf.errors import InvalidValueError
from dynconf.live import frames
from dynconf.live.binding import Binding, Slot, live
from dynconf.provenance import Origin

if TYPE_CHECKING:
    from typing_extensions import Self

Scope = Literal["process", "context"]


class Installation:
    """Values that hold until they are uninstalled, below every patch; a context manager too.

    Installations stack, and may be uninstalled in any order: what a later one set holds until it is
    uninstalled itself.

    Attributes:
        values: The values, by the names that the release at hand uses.
        origins: The same flags to where their values came from.
    """

    below_patches = True

    def __init__(
        self, binding: Binding, values: dict[Slot, Any], origins: Mapping[str, Origin], scope: Scope
    ) -> None:
        self._binding = binding
        self._slots = values
        self._scope = scope
        self._in_force = False
        self.values = {slot.name: value for slot, value in values.items()}
        self.origins = dict(origins)

    def __repr__(self) -> str:
        state = "in force" if self._in_force else "uninstalled"
        return f"<dynconf.Installation of {self.values!r} for the {self._scope}, {state}>"

    def put_in_force(self) -> "Self":
        """Install the values; once they are, this does nothing."""
        if not self._in_force:
            if self._scope == "process" and self._binding.per_context:
                _process_layer(self._binding).add(self, self._slots)
            else:
                frames.enter_below(self._binding, self, tuple(self._slots), tuple(self._slots.values()))
            self._in_force = True
        return self

    def origin_for(self, flag: str) -> Origin:
        """Return where the value that was installed for the flag came from."""
        return self.origins[flag]

    def uninstall(self) -> None:
        """Put back what stood before; doing it again does nothing."""
        if self._in_force:
            if self._scope == "process" and self._binding.per_context:
                _process_layer(self._binding).remove(self)
            else:
                frames.leave(self._binding, self)
            self._in_force = False

    def __enter__(self) -> "Self":
        return self.put_in_force()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.uninstall()


class ProcessLayer:
    """What is installed for the process where overrides belong to threads and tasks (torch 2.12 on)."""

    def __init__(self, binding: Binding) -> None:
        self._binding = binding
        self._originals: dict[Slot, Any] = {}
        self._installed: dict[Slot, list[tuple[Installation, Any]]] = {}
        # Overrides of the installing context, which would hide what is installed there.
        self._aside: ContextVar[dict[tuple[int, Slot], Any] | None] = ContextVar(
            "dynconf:aside", default=None
        )

    def add(self, installation: Installation, values: Mapping[Slot, Any]) -> None:
        """Put the values on top of what is installed."""
        binding = self._binding
        with binding.lock:
            try:
                aside = dict(self._aside.get() or {})
                for slot, value in values.items():
                    self._originals.setdefault(slot, binding.process_value(slot))
                    fresh = value if slot.fresh is None else slot.fresh(value)
                    self._installed.setdefault(slot, []).append((installation, fresh))
                    if slot.fresh is not None:
                        binding.see_through_copies(slot, self._is_patched)
                    binding.set_process_value(slot, fresh)
                    aside[id(installation), slot] = frames.lay_aside(binding, slot, binding.unset)
                self._aside.set(aside)
                binding.renew_caches()
            except BaseException:
                self._aside.set(aside)
                self.remove(installation)
                raise

    def remove(self, installation: Installation) -> None:
        """Take the installation's values out; overrides that it hid in this context come back."""
        binding = self._binding
        with binding.lock:
            aside = dict(self._aside.get() or {})
            for slot, stack in self._installed.items():
                if not any(owner is installation for owner, _ in stack):
                    continue
                stack[:] = [(owner, value) for owner, value in stack if owner is not installation]
                binding.set_process_value(slot, stack[-1][1] if stack else self._originals[slot])
                hidden = aside.pop((id(installation), slot), binding.unset)
                if hidden is not binding.unset:
                    now = frames.lay_aside(binding, slot, hidden)
                    if now is not binding.unset:
                        frames.lay_aside(binding, slot, now)
            self._aside.set(aside)
            binding.renew_caches()

    def drop(self, slot: Slot) -> None:
        """Take out everything that is installed for the slot."""
        with self._binding.lock:
            if slot in self._originals:
                self._installed.pop(slot, None)
                self._binding.set_process_value(slot, self._originals.pop(slot))

    def owner_of(self, slot: Slot) -> Installation | None:
        """Return the installation whose value the process has, if any."""
        stack = self._installed.get(slot)
        return stack[-1][0] if stack else None

    def original(self, slot: Slot) -> Any:
        """Return what the process had before anything was installed for the slot, or `unset`."""
        return self._originals.get(slot, self._binding.process_value(slot))

    def _is_patched(self, value: object) -> bool:
        return any(
            value is each for frame in frames.chain(self._binding.stack.get()) for each in frame.values
        )


_process_layers: "weakref.WeakKeyDictionary[Binding, ProcessLayer]" = weakref.WeakKeyDictionary()


def _process_layer(binding: Binding) -> ProcessLayer:
    with binding.lock:
        return _process_layers.setdefault(binding, ProcessLayer(binding))


def installed_by(binding: Binding, slot: Slot) -> Installation | None:
    """Return the installation for the process whose value the slot's flag has, where there is one."""
    layer = _process_layers.get(binding)
    return layer.owner_of(slot) if layer else None


def imported_value(binding: Binding, slot: Slot) -> Any:
    """Return the value with which torch was imported, environment included, whatever was set since."""
    if slot.forced is not binding.unset:
        return slot.forced
    layer = _process_layers.get(binding)
    value = layer.original(slot) if layer else binding.process_value(slot)
    return binding.default(slot) if value is binding.unset else value


def checked_scope(binding: Binding, scope: str) -> Scope:
    """Return *scope*, if torch can do it.

    Raises:
        InvalidValueError: It is none, or it is ``context`` on a torch whose overrides are the process's.
    """
    if scope == "process":
        return "process"
    if scope != "context":
        raise InvalidValueError(f"scope: {scope!r} is not valid: expected 'process' or 'context'")
    if not binding.per_context:
        raise InvalidValueError(
            f"scope: 'context' needs torch 2.12 or newer; overrides of torch {binding.version} are the process's"
        )
    return "context"


def reset(*flags: str) -> None:
    """Drop overrides and installed values: the flags are back at torch's default or their variable's value.

    Overrides are dropped in the running thread or task (before torch 2.12: in the process), installed values
    in the process. A patch that is in force stays entered; leaving it brings nothing back.

    Args:
        *flags: The flags; all where none is named.

    Raises:
        UnknownFlagError: torch has no such flag.

    Example:
        >>> import torch._dynamo.config
        >>> torch._dynamo.config.recompile_limit = 64
        >>> reset("recompile_limit")
        >>> torch._dynamo.config.recompile_limit
        8
    """
    binding = live()
    names = flags or [name for name in binding.names() if not binding.alias_of(name)]
    slots = [binding.slot(name) for name in names]
    with binding.lock:
        layer = _process_layers.get(binding)
        for slot in slots:
            binding.unhide(slot)
            if layer:
                layer.drop(slot)
        frames.forget(binding, {slot: binding.no_override(slot) for slot in slots})
        binding.renew_caches()
