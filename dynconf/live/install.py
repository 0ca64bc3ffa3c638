"""Installing values until further notice, and taking everything back."""

from collections.abc import Collection, Iterable, Mapping
from contextvars import ContextVar
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, NoReturn

from dynconf.catalogue.flags.types import is_same_value
from dynconf.errors import InvalidValueError
from dynconf.live.assignments import forget_assignments, watch_assignments
from dynconf.live.binding import bind, loaded
from dynconf.live.chain import chain_for
from dynconf.live.change import Change, storage_of, warn_of_context, writable
from dynconf.live.frame import ProcessVar
from dynconf.live.guard import drop_leftovers, guard_writes
from dynconf.live.installed import INSTALLED, InstalledValues
from dynconf.live.layers import DEFAULTS, HOLDS, Layer
from dynconf.live.listeners import installing
from dynconf.live.torch.lock import locked
from dynconf.live.torch.slot import Slot
from dynconf.live.validation import check_rules_in_force, slots_of, warn_of_no_effect
from dynconf.provenance import Caller, Origin
from dynconf.release import Release
from dynconf.state import SettingValue, State

if TYPE_CHECKING:
    from typing_extensions import Self

Scope = Literal["process", "context"]

_BLOCKS: dict[Scope, Any] = {"process": ProcessVar(), "context": ContextVar("dynconf:blocks", default=None)}
"""How many ``with`` blocks of each installation are open, by its scope; the mappings are never changed."""


class Installation(Change):
    """Values that are in force until they are uninstalled, below every patch; also a context manager.

    Installations stack, and may be uninstalled in any order: the values of a later one stay until it is
    uninstalled itself.

    Attributes:
        changes: The values by the newest names of their flags; a copy.
    """

    def __init__(
        self,
        values: Mapping[Slot, Any],
        origins: Mapping[Slot, Origin],
        scope: Scope,
        caller: Caller,
        place: Layer | None = None,
    ) -> None:
        super().__init__(values, 0, storage_of(values))
        self._origins = origins
        self._caller = caller
        self._scope: Scope = scope
        self.is_for_context = scope == "context"
        self._holds: Installation | None = None  # of those of its flags that a file or an option holds
        self._place: InstalledValues | Layer = INSTALLED if place is None else place

    @property
    def origins(self) -> dict[str, Origin]:
        """Where the values came from, by the newest names of their flags."""
        return {slot.setting.newest: origin for slot, origin in self._origins.items()}

    @property
    def package(self) -> str:
        """The package of the line that made it, which may change its own values without a warning."""
        return self._caller.package

    def __repr__(self) -> str:
        state = "installed" if self.is_installed() else "uninstalled"
        return f"<dynconf.Installation of {self.changes!r} for the {self._scope}, {state}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "an Installation belongs to this process and can be neither copied nor pickled: send its"
            " `changes`, and install those"
        )

    def is_installed(self) -> bool:
        """Tell whether any of the values is installed; `dynconf.reset` may have dropped them."""
        return self._place.holds(self)

    def prepare(self) -> Mapping[Slot, Any]:
        """Check the rules on the state that would then be in force; return the values to install."""
        if not self.is_installed():
            is_checked = not isinstance(self._place, Layer)
            check_rules_in_force(
                self._values_that_count(), self._caller, self._origins, is_checked=is_checked
            )
        return super().prepare()  # which may run code of others

    def _values_that_count(self) -> Mapping[Slot, Any]:
        """Return the values that would then be in force: in place of torch's defaults, not all of them."""
        if self._place is not DEFAULTS:
            return self.slot_values
        return {
            slot: value
            for slot, value in self.slot_values.items()
            if slot.seen_by_torch() is slot.storage.unset or is_same_value(slot.read(), slot.default())
        }

    def install(self) -> "Self":
        """Install the values; if they already are, this does nothing.

        Raises:
            ConflictError: The values contradict those that are in force by now.
        """
        return self._install(self.prepare())

    def _install(self, values: Mapping[Slot, Any]) -> "Self":
        try:
            self._enter(values)  # which does nothing if they are
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
        """Return the origin of the value that was installed for a flag."""
        return self._origins[slot]

    def _enter(self, values: Mapping[Slot, Any]) -> None:
        self._place.enter_below(self, values)
        if self._holds is not None:
            self._holds._install(writable(self._holds.slot_values))
        self.storage.check_implications()

    def _leave(self) -> None:
        self._place.leave(self)
        if self._holds is not None:
            self._holds.uninstall()

    def __enter__(self) -> "Self":
        values = self.prepare()
        # Counting and installing are one step: another thread may be leaving the last block at this moment.
        with locked:
            self._install(values)
            self._set_blocks(self._blocks() + 1)
        return self

    def __exit__(self, *_error: object) -> None:
        with locked:
            blocks, is_here = self._blocks(), self.is_installed()
            self._set_blocks(blocks - 1)
            if blocks <= 1:
                self.uninstall()
        if self._scope == "context" and not blocks and not is_here:
            warn_of_context(self)

    def _blocks(self) -> int:
        """Return how many ``with`` blocks of the installation are open, in the process or in this context."""
        found: int = (_BLOCKS[self._scope].get() or {}).get(self, 0)
        return found

    def _set_blocks(self, count: int) -> None:
        others = {
            each: blocks for each, blocks in (_BLOCKS[self._scope].get() or {}).items() if each is not self
        }
        _BLOCKS[self._scope].set({**others, self: count} if count > 0 else others)


def install_state(state: State, caller: Caller, scope: Scope = "process") -> Installation:
    """Install everything in a state, for the process or for the running thread or task.

    The state is trusted: its values were checked when they entered it, and checked against the rules
    together. Objects in it must have been looked up.

    Raises:
        UnknownFlagError: The live torch lacks a flag.
        InvalidValueError: This torch does not support that scope.
        ConflictError: The values contradict those in force.
    """
    if scope not in ("process", "context"):
        raise InvalidValueError(f"scope: {scope!r} is not valid: expected 'process' or 'context'")
    entries = slots_of(state)
    for slot in entries:
        _check_scope(scope, slot)
    values = {slot: each.value for slot, each in entries.items()}
    origins = {slot: each.origin for slot, each in entries.items()}
    # A value comes from where a source had it from, else from the line that installs it.
    kept, here = ("file", "env", "forced", "option", "class", "source", "inherited"), caller.origin("install")
    origins = {
        slot: origin if origin.kind in kept else replace(here, held=origin.held)
        for slot, origin in origins.items()
    }
    made = _with_holds(Installation(values, origins, scope, caller), caller)
    prepared = made.prepare()
    warn_of_no_effect(values, caller, is_checked=True)
    watch_assignments()
    for tell in installing:
        tell(state, caller)
    return made._install(prepared)


def hold_values(values: Mapping[Slot, Any], origins: Mapping[Slot, Origin], caller: Caller) -> Installation:
    """Hold these values, which have been checked, above whatever is set, for the process.

    Raises:
        ConflictError: The values contradict those in force.
    """
    made = Installation(values, origins, "process", caller, HOLDS)
    prepared = made.prepare()
    held = {slot.setting: SettingValue(value, origins[slot]) for slot, value in values.items()}
    for tell in installing:
        tell(State(Release.at_hand(), held), caller)
    warn_of_no_effect(values, caller)
    guard_writes()
    return made._install(prepared)


def set_defaults(state: State, caller: Caller) -> Installation:
    """Put everything in a state in force in place of torch's defaults, for the process.

    The state is trusted, as that of `install_state`.

    Raises:
        ConflictError: The values contradict those in force.
    """
    entries = slots_of(state)
    values = {slot: each.value for slot, each in entries.items()}
    origins = {slot: each.origin for slot, each in entries.items()}
    made = _with_holds(Installation(values, origins, "process", caller, DEFAULTS), caller)
    prepared = made.prepare()
    guard_writes()
    drop_leftovers(entries)
    return made._install(prepared)


def _with_holds(made: Installation, caller: Caller) -> Installation:
    """Return the installation, which will also hold those of its values that are to be held."""
    held = {slot: value for slot, value in made.slot_values.items() if made.origin_of(slot).held}
    if held:
        guard_writes()
        origins = {slot: made.origin_of(slot) for slot in held}
        made._holds = Installation(held, origins, "process", caller, HOLDS)
    return made


def _check_scope(scope: Scope, slot: Slot) -> None:
    if scope == "context" and not slot.storage.per_context:
        raise InvalidValueError(
            "scope: 'context' needs torch 2.12 or newer; before that overrides belong to the process,"
            f" as in torch {slot.setting.release.version}"
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
    defaults = {slot: slot.without_override() for slot in slots}
    forget_assignments(slots)
    INSTALLED.drop(slots)
    for chain in {chain_for(slot.storage) for slot in slots}:
        chain.forget({slot: value for slot, value in defaults.items() if chain_for(slot.storage) is chain})
