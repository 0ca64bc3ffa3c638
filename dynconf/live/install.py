"""Installing values for good, and taking everything back.

On torch 2.12 and later, where overrides belong to a thread or task, an installation for the process goes
below all overrides, to where torch keeps the value of an environment variable: every thread sees it, also
those that run already. Before 2.12 overrides are the process's, and an installation is the lowest frame.
"""

import weakref
from collections.abc import Collection, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal

from dynconf.errors import InvalidValueError
from dynconf.live import frames
from dynconf.live.binding import Binding, live
from dynconf.live.slots import Slot
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
        return self._binding.alone(self._put_in_force)

    def _put_in_force(self) -> "Self":
        if self._in_force:
            return self
        try:
            self._enter()
            self._in_force = True
            return self
        except BaseException:
            self._leave()
            raise

    def origin_for(self, flag: str) -> Origin:
        """Return where the value that was installed for the flag came from."""
        return self.origins[flag]

    def uninstall(self) -> None:
        """Put back what stood before; doing it again does nothing.

        An override that an installation for the process found in its own thread or task comes back only if
        it is uninstalled there.
        """
        self._binding.alone(self._uninstall)

    def _uninstall(self) -> None:
        if not self._in_force:
            return
        try:
            self._leave()
            return
        except BaseException:
            self._leave()
            raise

    def _enter(self) -> None:
        slots = tuple(self._slots)
        values = frames.fresh(slots, tuple(self._slots.values()))
        if self._scope == "process" and self._binding.per_context:
            process_layer(self._binding).add(self, dict(zip(slots, values)))
            # Overrides of this thread or task would hide the values from it.
            values = [self._binding.unset for _ in slots]
        frames.enter_below(self._binding, self, slots, values)
        self._binding.refuse_conflicts()

    def _leave(self) -> None:
        frames.leave(self._binding, self)
        process_layer(self._binding).remove(self)
        self._in_force = False

    def __enter__(self) -> "Self":
        return self.put_in_force()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.uninstall()


Installed = tuple[Installation, dict[Slot, Any]]


class ProcessLayer:
    """What is installed for the process where overrides belong to threads and tasks (torch 2.12 on).

    Each method can be repeated when it was interrupted, and then ends as if it had not been.
    """

    def __init__(self, binding: Binding) -> None:
        self._binding = binding
        self._originals: dict[Slot, Any] = {}
        self._installed: list[Installed] = []

    def add(self, installation: Installation, values: dict[Slot, Any]) -> None:
        """Put the values, which are nobody else's, on top of what is installed."""
        for slot in values:
            self._originals.setdefault(slot, self._binding.process_value(slot))
            if slot.fresh is not None:
                self._binding.see_through_copies(slot, self._is_patched)
        self._installed.append((installation, values))
        self._write(values, self._installed)

    def remove(self, installation: Installation) -> None:
        """Take the installation's values out."""
        kept = [each for each in self._installed if each[0] is not installation]
        gone = {slot for owner, values in self._installed if owner is installation for slot in values}
        self._write(gone, kept)
        self._installed = kept

    def drop(self, slots: Collection[Slot]) -> None:
        """Take out everything that is installed for the slots."""
        kept = [
            (owner, {slot: value for slot, value in values.items() if slot not in slots})
            for owner, values in self._installed
        ]
        self._write({slot for _, values in self._installed for slot in values if slot in slots}, kept)
        self._installed = kept

    def owner_of(self, slot: Slot) -> Installation | None:
        """Return the installation whose value the process has, if any."""
        return next((owner for owner, values in reversed(self._installed) if slot in values), None)

    def original(self, slot: Slot) -> Any:
        """Return what the process had before anything was installed for the slot, or `unset`."""
        return self._originals.get(slot, self._binding.process_value(slot))

    def _write(self, slots: Collection[Slot], installed: Sequence[Installed]) -> None:
        if not slots:
            return
        for slot in slots:
            values = [values[slot] for _, values in installed if slot in values]
            self._binding.set_process_value(slot, values[-1] if values else self._originals[slot])
        self._binding.expire_caches()

    def _is_patched(self, value: object) -> bool:
        """Tell whether a patch in force, or an installation for the context, put the object there."""
        return any(
            value is each for frame in frames.chain(self._binding.stack.get()) for each in frame.values
        )


_process_layers: "weakref.WeakKeyDictionary[Binding, ProcessLayer]" = weakref.WeakKeyDictionary()


def process_layer(binding: Binding) -> ProcessLayer:
    """Return what is installed for the process in that module."""
    return binding.alone(_process_layers.setdefault, binding, ProcessLayer(binding))


def imported_value(binding: Binding, slot: Slot) -> Any:
    """Return the value with which torch was imported, environment included, whatever was set since."""
    if slot.forced is not binding.unset:
        return slot.forced
    value = process_layer(binding).original(slot)
    return slot.default() if value is binding.unset else value


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
            "scope: 'context' needs torch 2.12 or newer: before, overrides belong to the process,"
            f" as in torch {binding.version}"
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
    binding.alone(_reset, binding, slots)


def _reset(binding: Binding, slots: Collection[Slot]) -> None:
    process_layer(binding).drop(slots)
    frames.forget(binding, {slot: binding.no_override(slot) for slot in slots})
