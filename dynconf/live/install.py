"""Installing values until further notice, and taking everything back."""

from collections.abc import Collection, Iterable, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from dynconf.errors import DynconfError, InvalidValueError, UnknownFlagError, combined
from dynconf.live.binding import Binding, bind, loaded
from dynconf.live.chain import PER_CONTEXT, copies, locked, parts_of
from dynconf.live.changes import judge, warn_of_no_effect
from dynconf.live.insides import ContextInside
from dynconf.live.process import PROCESS
from dynconf.live.slot import Slot
from dynconf.origin import Caller, Origin
from dynconf.sources.layer import Layer

if TYPE_CHECKING:
    from typing_extensions import Self

Scope = Literal["process", "context"]


class Installation:
    """Values that hold until they are uninstalled, below every patch; also a context manager.

    Installations stack, and may be uninstalled in any order: what a later one sets holds until it is
    uninstalled itself.

    Attributes:
        values: The values, by the names that the release at hand uses.
        origins: Where each of them came from.
    """

    below_patches: ClassVar[bool] = True

    def __init__(self, values: Mapping[Slot, Any], origins: Mapping[Slot, Origin], scope: Scope) -> None:
        self._values = values
        self._origins = origins
        self._scope = scope
        self._in_force = False
        self._chain = next((slot.binding.chain for slot in values), bind().chain)
        self.parts = parts_of(values)
        self.values = {slot.setting.qualified: value for slot, value in values.items()}
        self.origins = {slot.setting.qualified: origins[slot] for slot in values}

    def __repr__(self) -> str:
        state = "in force" if self._in_force else "uninstalled"
        return f"<dynconf.Installation of {self.values!r} for the {self._scope}, {state}>"

    @locked
    def put_in_force(self) -> "Self":
        """Install the values; if they already are, this does nothing."""
        if self._in_force:
            return self
        try:
            self._enter()
            self._in_force = True
            return self
        except BaseException:
            self._leave()
            raise

    @locked
    def uninstall(self) -> None:
        """Put back what was there before; doing it again does nothing.

        If an installation for the process found an override in its own thread or task, that comes back only
        if it is uninstalled there.
        """
        if not self._in_force:
            return
        try:
            self._leave()
        except BaseException:
            self._leave()
            raise

    def origin_of(self, slot: Slot, /) -> Origin:
        """Return where the value that was installed for the flag came from."""
        return self._origins[slot]

    def _enter(self) -> None:
        values = copies(self._values)
        if self._scope == "process" and self._chain is PER_CONTEXT:
            PROCESS.add(self, values)
            # Overrides of this thread or task would hide the values from it.
            values = {slot: slot.binding.inside.unset for slot in values}
        self._chain.enter_below(self, values)
        for inside, _ in self.parts:
            inside.refuse_conflicts()

    def _leave(self) -> None:
        self._chain.leave(self)
        PROCESS.remove(self)
        self._in_force = False

    def __enter__(self) -> "Self":
        return self.put_in_force()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.uninstall()


def install_layer(layer: Layer, caller: Caller, scope: Scope = "process") -> Installation:
    """Put the values of a layer in force, for the process or for the running thread or task.

    The layer is trusted: its values were checked when they entered it, and judged together. Objects in it
    must have been looked up: see `Layer.resolved`.

    Args:
        layer: What to install.
        caller: The line that installs it.
        scope: ``"process"``, or ``"context"`` for the running thread or task only (torch 2.12 and newer).

    Returns:
        The installation, in force.

    Raises:
        UnknownFlagError: The live torch lacks a flag.
        InvalidValueError: This torch does not support that scope.
        ConflictError: The values contradict what is in force.
    """
    _check_scope(scope)
    values: dict[Slot, Any] = {}
    origins: dict[Slot, Origin] = {}
    errors: list[DynconfError] = []
    for setting, value in layer.values.items():
        try:
            slot = bind(setting.module).slot(setting.name)
        except UnknownFlagError as error:
            errors.append(error)
            continue
        values[slot], origins[slot] = value, layer.origins[setting]
    if errors:
        raise combined(errors)
    judge(values, origins, caller, gathered=True)
    warn_of_no_effect(values, caller, gathered=True)
    origins = {slot: _installed(origin, caller) for slot, origin in origins.items()}
    return Installation(values, origins, scope).put_in_force()


def _installed(origin: Origin, caller: Caller) -> Origin:
    """Return the origin of an installed value: where settings say it is from, else the line that installs."""
    return origin if origin.kind in ("file", "env", "forced", "option", "class", "source") else caller.origin("install")


def _check_scope(scope: str) -> None:
    binding = bind()
    if scope not in ("process", "context"):
        raise InvalidValueError(f"scope: {scope!r} is not valid: expected 'process' or 'context'")
    if scope == "context" and not binding.per_context:
        raise InvalidValueError(
            "scope: 'context' needs torch 2.12 or newer; before that overrides belong to the process,"
            f" as in torch {binding.release.version}"
        )
    if scope == "process" and binding.per_context and not isinstance(binding.inside, ContextInside):
        raise InvalidValueError(
            "scope: 'process' is not possible: dynconf does not know how this torch keeps its flags;"
            " use 'context' in each thread"
        )


def reset(*flags: str) -> None:
    """Drop overrides and installed values: the flags are back at torch's default or their variable's value.

    Overrides are dropped in the running thread or task (before torch 2.12: in the process), installed values
    in the process. A patch that is in force stays entered; leaving it brings nothing back.

    Args:
        *flags: The flags; if there are none, all flags of every config module that is loaded.

    Raises:
        UnknownFlagError: torch has no such flag.

    Example:
        >>> import torch._dynamo.config
        >>> torch._dynamo.config.recompile_limit = 64
        >>> reset("recompile_limit")
        >>> torch._dynamo.config.recompile_limit
        8
    """
    if flags:
        reset_in("dynamo", flags)
    else:
        for binding in (bind(), *loaded()):
            _drop(_slots(binding))


def reset_in(module: str, flags: Iterable[str] = ()) -> None:
    """Drop overrides and installed values of a module's flags; of all if none is named."""
    binding = bind(module)
    _drop([binding.slot(flag) for flag in flags] or _slots(binding))


def _slots(binding: Binding) -> list[Slot]:
    return [row.slot for row in binding.table() if row.alias is None]


@locked
def _drop(slots: Collection[Slot]) -> None:
    PROCESS.drop(slots)
    for chain in {slot.binding.chain for slot in slots}:
        own = [slot for slot in slots if slot.binding.chain is chain]
        chain.forget({slot: slot.binding.inside.no_override(slot) for slot in own})
