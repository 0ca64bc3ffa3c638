"""Installing values until further notice, and taking everything back."""

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, NoReturn

from dynconf.errors import DynconfError, InvalidValueError, UnknownFlagError, combined
from dynconf.live.binding import Binding, bind, loaded
from dynconf.live.chain import PER_CONTEXT, Chain, copies, parts_of
from dynconf.live.changes import judge, warn_of_no_effect
from dynconf.live.process import PROCESS, ProcessLayer
from dynconf.live.slot import Slot
from dynconf.origin import Caller, Origin
from dynconf.state import State

if TYPE_CHECKING:
    from typing_extensions import Self

Scope = Literal["process", "context"]


class Installation:
    """Values that are in force until they are uninstalled, below every patch; also a context manager.

    Installations stack, and may be uninstalled in any order: what a later one sets stays until it is
    uninstalled itself.

    Attributes:
        values: The values, by the names that the release at hand uses.
        origins: Where each of them came from.
        stamp: The number of the latest installation for the process when this one was entered.
    """

    def __init__(self, values: Mapping[Slot, Any], origins: Mapping[Slot, Origin], scope: Scope) -> None:
        self._values = values
        self._origins = origins
        self._scope = scope
        self._is_wanted = False
        self._depth = 0
        self.stamp: float = 0
        self.parts = parts_of(values)
        self._home: Chain | ProcessLayer = PROCESS
        if scope == "context" or not all(inside.stands_in for inside, _ in self.parts):
            self._home = next((slot.binding.chain for slot in values), PER_CONTEXT)
        self.values = {slot.setting.qualified: value for slot, value in values.items()}
        self.origins = {slot.setting.qualified: origins[slot] for slot in values}

    def __repr__(self) -> str:
        state = "in force" if self.is_in_force() else "uninstalled"
        return f"<dynconf.Installation of {self.values!r} for the {self._scope}, {state}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "an Installation is in force in this process and can be neither copied nor pickled: send its"
            " `values`, and install those"
        )

    def is_in_force(self) -> bool:
        """Tell whether any of the values is installed; `dynconf.reset` may have dropped them."""
        return self._home.holds(self) if self._values else self._is_wanted

    def put_in_force(self) -> "Self":
        """Install the values; if they already are, this does nothing."""
        if self.is_in_force():
            return self
        try:
            self._enter()
            self._is_wanted = True
            return self
        except BaseException:
            self._leave()
            raise

    def uninstall(self) -> None:
        """Take the values out; doing it again does nothing."""
        try:
            self._leave()
        except BaseException:
            self._leave()
            raise

    def origin_of(self, slot: Slot, /) -> Origin:
        """Return where the value that was installed for the flag came from."""
        return self._origins[slot]

    def _enter(self) -> None:
        self.stamp = PROCESS.stamp
        self._home.enter_below(self, copies(self._values))
        for inside, _ in self.parts:
            inside.refuse_conflicts()

    def _leave(self) -> None:
        self._home.leave(self)
        self._is_wanted = False

    def __enter__(self) -> "Self":
        self.put_in_force()
        self._depth += 1
        return self

    def __exit__(self, *_error: object) -> None:
        self._depth = max(self._depth - 1, 0)
        if not self._depth:
            self.uninstall()


def install_state(state: State, caller: Caller, scope: Scope = "process") -> Installation:
    """Put the values of a state in force, for the process or for the running thread or task.

    The state is trusted: its values were checked when they entered it, and judged together. Objects in it
    must have been looked up: see `Reading.resolved`.

    Raises:
        UnknownFlagError: The live torch lacks a flag.
        InvalidValueError: This torch does not support that scope.
        ConflictError: The values contradict what is in force.
    """
    if scope not in ("process", "context"):
        raise InvalidValueError(f"scope: {scope!r} is not valid: expected 'process' or 'context'")
    values: dict[Slot, Any] = {}
    origins: dict[Slot, Origin] = {}
    errors: list[DynconfError] = []
    for setting, (value, origin) in state.items():
        try:
            slot = bind(setting.module).slot(setting.name)
            values[slot], origins[slot] = value, origin
        except UnknownFlagError as error:
            errors.append(error)
    if errors:
        raise combined(errors)
    for binding in {slot.binding for slot in values}:
        _check_scope(scope, binding)
    judge(values, caller, origins, gathered=True)
    warn_of_no_effect(values, caller, gathered=True)
    origins = {slot: _installed(origin, caller) for slot, origin in origins.items()}
    return Installation(values, origins, scope).put_in_force()


def _installed(origin: Origin, caller: Caller) -> Origin:
    """Return the origin of an installed value: where settings say it is from, else the line that installs."""
    kept = ("file", "env", "forced", "option", "class", "source")
    return origin if origin.kind in kept else caller.origin("install")


def _check_scope(scope: Scope, binding: Binding) -> None:
    if scope == "context" and not binding.per_context:
        raise InvalidValueError(
            "scope: 'context' needs torch 2.12 or newer; before that overrides belong to the process,"
            f" as in torch {binding.release.version}"
        )
    if scope == "process" and binding.per_context and not binding.inside.stands_in:
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
        for binding in loaded():
            _drop(binding.flags())


def reset_in(module: str, flags: Iterable[str] = ()) -> None:
    """Drop overrides and installed values of a module's flags; of all if none is named."""
    binding = bind(module)
    _drop([binding.slot(flag) for flag in flags] or binding.flags())


def _drop(slots: Collection[Slot]) -> None:
    defaults = {slot: slot.binding.inside.no_override(slot) for slot in slots}
    PROCESS.drop(slots)
    for chain in {slot.binding.chain for slot in slots}:
        chain.forget({slot: value for slot, value in defaults.items() if slot.binding.chain is chain})
