"""Installing values until further notice, and undoing that."""

from collections.abc import Collection, Iterable, Mapping
from contextvars import ContextVar
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, NoReturn

from dynconf.catalogue.flags.types import is_same_value
from dynconf.errors import InvalidValueError
from dynconf.live import installing
from dynconf.live.assignments import forget_assignments, watch_assignments
from dynconf.live.binding import bind, loaded
from dynconf.live.chain import chain_for
from dynconf.live.change import Change, refuse_deleted, storage_of, warn_of_context, writable
from dynconf.live.guard import drop_leftovers, guard_writes
from dynconf.live.layers import DEFAULTS, HOLDS, INSTALLED, Layer
from dynconf.live.torch.lock import locked
from dynconf.live.torch.slot import Slot
from dynconf.live.torch.storage import ProcessVar
from dynconf.live.validation import broken_in_force, report_broken, slots_of, warn_of_no_effect
from dynconf.provenance import Caller, Origin
from dynconf.state import SettingValue, State

if TYPE_CHECKING:
    from typing_extensions import Self

Scope = Literal["process", "context"]

_BLOCKS: dict[Scope, Any] = {"process": ProcessVar(), "context": ContextVar("dynconf:blocks", default=None)}
"""The ``with`` blocks that are open, by scope: pairs of the installation and an object, or None."""


class Installation(Change):
    """Values that are in force until they are uninstalled, below every patch; also a context manager.

    Installations stack, and may be uninstalled in any order: the values of a later one stay until it is
    uninstalled itself.

    Attributes:
        changes: The values by the newest names of their flags; a copy.
    """

    def __init__(
        self,
        entries: Mapping[Slot, SettingValue],
        caller: Caller,
        scope: Scope = "process",
        place: Layer = INSTALLED,
    ) -> None:
        self.slot_values = {slot: each.value for slot, each in entries.items()}
        self.storage = storage_of(entries)
        self.is_for_context = scope == "context"
        self._entries = entries
        self._caller = caller
        self._scope: Scope = scope
        self._place = place
        self._places: dict[Layer, Collection[Slot]] = {place: self.slot_values}
        held = [slot for slot, each in entries.items() if each.origin.held]
        if held:  # by a file or an option
            self._places.setdefault(HOLDS, held)

    @property
    def origins(self) -> dict[str, Origin]:
        """Where the values came from, by the newest names of their flags."""
        return {slot.setting.newest: each.origin for slot, each in self._entries.items()}

    @property
    def package(self) -> str:
        """The package of the line that made it, which may change its own values without a warning."""
        return self._caller.package

    def __repr__(self) -> str:
        state = "installed" if self.is_installed() else "uninstalled"
        return f"<Installation of {self.changes!r} for the {self._scope}, {state}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "an Installation belongs to this process and can be neither copied nor pickled: send its"
            " `changes`, and install those"
        )

    def is_installed(self) -> bool:
        """Tell whether any of the values is installed; `dynconf.reset` may have dropped them."""
        return self in self._place.entered

    def install(self) -> "Self":
        """Install the values; if all of them already are, this does nothing.

        Raises:
            ConflictError: The values contradict those that are in force by now.
        """
        return self._install(self._prepared(), None)

    def uninstall(self) -> None:
        """Take the values out; doing it again does nothing."""
        try:
            self._leave()
        except BaseException:
            self._leave()
            raise

    def origin_of(self, slot: Slot, /) -> Origin:
        """Return the origin of the value that was installed for a flag."""
        return self._entries[slot].origin

    def _prepared(self) -> tuple[Mapping[Layer, Mapping[Slot, Any]], bool]:
        """Check the rules on the state that would then be in force.

        Returns:
            The values to install, and whether all of them are installed already.
        """
        there = self._place.entered.get(self)
        is_whole = there is not None and len(there.values) == len(self.slot_values)  # a reset drops some
        if not is_whole:
            counting = self.slot_values
            if self._place is DEFAULTS:  # not all of which take the place of torch's
                counting = {
                    slot: value
                    for slot, value in counting.items()
                    if slot.seen_by_torch() is slot.storage.unset
                    or is_same_value(slot.read(), slot.default())
                }
            broken, _ = broken_in_force(counting, is_checked=self._place is INSTALLED)
            if broken:
                report_broken(broken, counting, self._caller, self.origin_of)
        # Copying them may run foreign code, so it is done before the lock is taken.
        places = self._places.items()
        values = {each: writable({slot: self.slot_values[slot] for slot in slots}) for each, slots in places}
        return values, is_whole

    def _install(self, prepared: tuple[Mapping[Layer, Mapping[Slot, Any]], bool], block: object) -> "Self":
        """Install the values, and open a ``with`` block unless it is None; if that fails, take them out."""
        values, was_whole = prepared
        try:
            self._enter(values, block)
            if self.storage.implications:
                self.storage.check_implications()
            return self
        except BaseException:
            self._close([block], keep=True)
            if not was_whole:
                self._leave()
            raise

    @locked  # because another thread may be closing the last block at this moment
    def _enter(self, values: Mapping[Layer, Mapping[Slot, Any]], block: object) -> None:
        for place, its in values.items():
            place.enter_below(self, its)
        if block is not None:
            _BLOCKS[self._scope].set((*(_BLOCKS[self._scope].get() or ()), (self, block)))

    def _leave(self) -> None:
        for place, slots in self._places.items():
            place.leave(self, slots)

    def __enter__(self) -> "Self":
        return self._install(self._prepared(), object())

    def __exit__(self, *_error: object) -> None:
        is_elsewhere = self.is_for_context and self not in self._place.entered
        closed: list[object] = []
        try:
            self._close(closed)
        except BaseException:
            self._close(closed)
            raise
        if is_elsewhere and not closed:
            warn_of_context(self)

    @locked
    def _close(self, closed: list[object], *, keep: bool = False) -> None:
        """Close the block in *closed*, or else the last one, which *closed* gets; uninstall with the last."""
        opened = _BLOCKS[self._scope].get() or ()
        closed += () if closed else [block for of, block in opened if of is self][-1:]
        left = tuple((of, block) for of, block in opened if block not in closed)
        _BLOCKS[self._scope].set(left)
        if not (keep or any(of is self for of, _ in left)):
            self.uninstall()


_KEPT = frozenset({"file", "env", "forced", "option", "class", "source", "inherited", "hold", "defaults"})
"""The origins of values that stay when these are installed; others become the line that does so."""


def install_state(
    state: State, caller: Caller, scope: Scope = "process", place: Layer = INSTALLED
) -> Installation:
    """Put everything in a state in force: installed, held or in place of torch's defaults.

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
    here = caller.origin("install")
    for slot, (value, origin) in entries.items():
        if scope == "context" and not slot.storage.per_context:
            raise InvalidValueError(
                "scope: 'context' needs torch 2.12 or newer; before that overrides belong to the process,"
                f" as in torch {slot.setting.release.version}"
            )
        if origin.kind not in _KEPT:
            entries[slot] = SettingValue(value, replace(here, held=origin.held))
    made = Installation(entries, caller, scope, place)
    prepared = made._prepared()
    if place is not DEFAULTS:
        for tell in installing:
            tell(state, caller)
        warn_of_no_effect(made.slot_values, caller, is_checked=place is INSTALLED)
    if place is INSTALLED:
        watch_assignments()
    if made._places.keys() != {INSTALLED}:
        guard_writes()
    if place is DEFAULTS:
        refuse_deleted(entries)
        drop_leftovers(entries)
    return made._install(prepared, None)


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
            reset_in(binding.catalogue.name)


def reset_in(module: str, flags: Iterable[str] = ()) -> None:
    """Drop overrides and installed values of a module's flags; of all if none is named."""
    binding = bind(module)
    slots = [binding.slot(flag) for flag in flags] or binding.flags()
    _drop(slots)
    for name in binding.storage.deleted():  # an old name, which torch forwards
        if binding.slot(name) in slots:
            binding.storage.undelete(name)


def _drop(slots: Collection[Slot]) -> None:
    defaults = {slot: slot.without_override() for slot in slots}
    forget_assignments(slots)
    INSTALLED.drop(slots)
    for chain in {chain_for(slot.storage) for slot in slots}:
        chain.forget({slot: value for slot, value in defaults.items() if chain_for(slot.storage) is chain})
