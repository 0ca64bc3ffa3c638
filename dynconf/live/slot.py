"""A slot: one setting of a live config module, with the ways to read and write its override."""

import contextlib
import copy
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from dynconf.errors import UnknownFlagError
from dynconf.flags.types import same
from dynconf.flags.variable import IMPORT_ERRORS
from dynconf.origin import DEFAULT, Origin

if TYPE_CHECKING:
    from dynconf.catalogue import Setting
    from dynconf.errors import DynconfWarning
    from dynconf.live.binding import Binding
    from dynconf.live.override import Override

IMMUTABLE = (bool, int, float, str, tuple, type(None))

ABSENT: Any = object()
"""Means no override where a module cannot tell, a deleted flag, or an argument that was not given."""

RULES, NOTICES, COPIES, OTHER_MODULE = 1, 2, 4, 8
"""What setting flags may need besides checking their values: judging rules, warning that a value may not take
effect, copying it on each entering, and another config module than the one at hand."""


class Access(NamedTuple):
    """How a config module keeps one flag.

    Attributes:
        entry: torch's own record of the flag, or a `NoEntry`; its `hide` says that it was deleted.
        get: Returns the override, or the inside's `unset`.
        set: Writes it.
        default: Returns torch's default, a fresh object, with what torch read from the environment in it.
        forced: The value that a variable forces on the flag, read while torch was imported; else `unset`.
    """

    entry: Any
    get: Callable[[], Any]
    set: Callable[[Any], object]
    default: Callable[[], Any]
    forced: Any


class Slot:
    """One setting of a live module.

    Attributes:
        binding: The binding to its module.
        setting: The flag as the live release has it.
        name: The name by which the module knows it.
        entry, get, set, default, forced: See `Access`. What `get` returns may be marked: see `Override`.
        override: Stands in for the place of the override; None until the flag is installed for the process.
        seen: Returns what torch sees in that place: the override that counts, or what is installed.
        check: Returns a value as torch stores it, or raises `Mismatch`.
        fresh: Copies a value; None where values cannot be changed in place.
        notice: What to warn of when the flag is set: class and message.
        ruled: Whether a variable or another flag may override what is set.
        is_plain: Whether neither of them, nor a variable that sets a default, matters.
        needs: What setting the flag needs besides checking the value, as the sum of `RULES`, `NOTICES` and
            `COPIES`.
        resting: Where its value comes from while nothing is set; None until needed, and always None where a
            variable or another flag matters.
    """

    __slots__ = (
        "_rules",
        "binding",
        "check",
        "default",
        "entry",
        "forced",
        "fresh",
        "get",
        "is_plain",
        "name",
        "needs",
        "notice",
        "override",
        "resting",
        "ruled",
        "seen",
        "set",
        "setting",
    )

    def __init__(
        self,
        binding: "Binding",
        setting: "Setting",
        access: Access,
        notice: "tuple[type[DynconfWarning], str] | None",
    ) -> None:
        self.binding = binding
        self.setting = setting
        self.name = setting.name
        self.entry, self.get, self.set, self.default, self.forced = access
        self.override: Override | None = None
        self.seen = self.get
        self.check = setting.type.check
        self.fresh = setting.type.fresh if setting.type.mutable else None
        self.notice = notice
        inside = binding.inside
        self.ruled = self.forced is not inside.unset or self.name in inside.implications
        self.is_plain = not self.ruled and inside.process_value(self) is inside.unset
        self.needs = (
            RULES * bool(setting.rules)
            + NOTICES * bool(self.ruled or notice or setting.qualified == "optimize_ddp")
            + COPIES * bool(self.fresh)
        )
        self.resting: Origin | None = None
        self._rules: Sequence[tuple[Callable[..., bool], tuple[Slot, ...]]] | None = None

    def __repr__(self) -> str:
        return f"Slot({self.setting.qualified!r})"

    def rules(self) -> Sequence[tuple[Callable[..., bool], tuple["Slot", ...]]]:
        """Return the rules about the flag: a function that tells whether values break it, and its slots."""
        if self._rules is None:
            rules = []
            for here in self.setting.rules:
                with contextlib.suppress(UnknownFlagError):  # a torch newer than the catalogue may lack one
                    slots = tuple(self.binding.slot(setting.name) for setting in here.settings)
                    rules.append((here.rule.broken, slots))
            self._rules = rules
        return self._rules

    def own(self) -> Any:
        """Return the override that counts, or the inside's `unset`; not what is installed."""
        return self.get() if self.override is None else self.override.own()

    def is_at_rest(self) -> bool:
        """Tell whether nothing is set: the flag has torch's default."""
        return self.is_plain and self.seen() is self.binding.inside.unset

    def ruling(self) -> tuple[Any, Origin | None]:
        """Return the value that overrides whatever is set, and the variable or flag behind it.

        If there is none, these are the inside's `unset` and None.
        """
        inside = self.binding.inside
        value = inside.implied(self)
        if value is not inside.unset:
            return value, Origin("implication", self._implied_by())
        if self.forced is not inside.unset:
            return self.forced, self.imported_origin(self.forced, forced=True)
        return inside.unset, None

    def read(self) -> Any:
        """Return the effective value, without the side effects of reading torch's attribute.

        Values that can be changed in place are copied.
        """
        inside = self.binding.inside
        unset = inside.unset
        value = self.ruling()[0] if self.ruled else unset
        if value is unset:
            value = self.seen()
        if value is unset:
            value = inside.process_value(self)
        if value is unset:
            return self.default()
        return value if isinstance(value, IMMUTABLE) else copy.deepcopy(value)

    def imported_origin(self, value: Any, *, forced: bool = False) -> Origin:
        """Return the variable from which torch got *value* while it was imported, or `DEFAULT`."""
        setting = self.setting
        default = setting.default_value()
        for variable in setting.variables:
            raw = os.environ.get(variable.name)
            # An empty variable counts as unset, unless torch reads it as something.
            if raw is None or (not raw.strip() and same(value, default)):
                continue
            try:
                if same(variable.torch_value(raw, default), value):
                    return Origin("forced" if variable.rule == "force" else "env", variable.name, raw)
            except IMPORT_ERRORS:
                continue
        # A default that was derived while torch was imported, as from the working directory, may differ.
        if setting.variables and (forced or not (setting.is_computed or same(value, default))):
            # torch read the variable while it was imported; it has another text by now.
            return Origin("forced" if forced else "env", setting.variables[0].name)
        return DEFAULT

    def _implied_by(self) -> str:
        """Return the flags whose values imply that of this one."""
        rules = self.binding.inside.implications[self.name]
        return ", ".join(flag for flag, value, _ in rules if self.binding.slot(flag).read() == value)
