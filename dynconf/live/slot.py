"""A slot: one setting of a live config module, with the ways to read and write its override."""

import contextlib
import copy
import os
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from dynconf.errors import UnknownFlagError
from dynconf.flags.types import same
from dynconf.flags.variable import IMPORT_ERRORS
from dynconf.live.override import Installed
from dynconf.origin import DEFAULT, Origin

if TYPE_CHECKING:
    from dynconf.catalogue import Setting
    from dynconf.errors import DynconfWarning
    from dynconf.live.binding import Binding
    from dynconf.live.override import Override

IMMUTABLE = (bool, int, float, str, tuple, type(None))

ABSENT: Any = object()
"""Means no override where a module cannot tell, a deleted flag, or an argument that was not given."""

RULES, NOTICES, COPIES, OTHER_MODULE, RECOMPILES = 1, 2, 4, 8, 16
"""What setting flags may need besides checking their values: judging rules, warning that a value may not take
effect, copying it on each entering, another config module than the one at hand, dropping compiled code."""


class Access(NamedTuple):
    """How a config module keeps one flag."""

    entry: Any  # torch's own record of it, or a `NoEntry`; its `hide` says that the flag was deleted
    get: Callable[[], Any]  # returns the override, or the inside's `unset`
    set: Callable[[Any], object]  # writes it
    default: Callable[[], Any]  # returns a fresh default, with what torch read from the environment in it
    is_fixed: bool  # whether that is the same object every time, because it cannot be changed in place
    forced: Any  # what a variable forces on the flag, read while torch was imported; else `unset`


class Slot:
    """One setting of a live module."""

    def __init__(
        self,
        binding: "Binding",
        setting: "Setting",
        access: Access,
        notice: "tuple[type[DynconfWarning], str] | None",
    ) -> None:
        inside = binding.inside
        self.binding = binding
        self.setting = setting
        self.name = setting.name
        self.entry, self.get, self.set, self.default, self.is_fixed, self.forced = access
        # Stands in for the place of the override from the first installation on; `get` may return its marks.
        self.override: Override | None = None
        # Returns what torch sees in that place: the override that counts, or what is installed.
        self.seen = self.get
        # Returns the override that counts, or `unset`; not what is installed.
        self.own = self.get
        # What is installed for the process, the latest last, above a first one that installs nothing.
        self.layers: tuple[Installed, ...] = (Installed(0, None, inside.unset),)
        self.check = setting.type.check
        self.fresh = setting.type.fresh if setting.type.mutable else None
        self.notice = notice  # what to warn of when the flag is set
        # Whether a variable or another flag may override what is set.
        self.ruled = self.forced is not inside.unset or self.name in inside.implications
        # Whether neither of them, nor a variable that sets a default, matters.
        self.is_plain = not self.ruled and inside.process_value(self) is inside.unset
        self.needs = (
            RULES * bool(setting.rules)
            + NOTICES * bool(self.ruled or notice or setting.qualified == "optimize_ddp")
            + COPIES * bool(self.fresh)
        )
        # Where its value comes from while nothing is set, once that is known; only if it is plain.
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

    def put_in_place(self, override: "Override") -> "Override":
        """Have the override read and written through a stand-in; return it."""
        self.override, self.seen, self.own = override, override.get, override.own
        return override

    def is_at_rest(self) -> bool:
        """Tell whether nothing is set: the flag has torch's default."""
        return self.is_plain and self.seen() is self.binding.inside.unset

    def ruling(self, chosen: "Mapping[Slot, Any]" = MappingProxyType({})) -> tuple[Any, Origin | None]:
        """Return the value that overrides whatever is set, and the variable or flags behind it.

        If there is none, these are the inside's `unset` and None. *chosen* is what is about to be set.
        """
        inside = self.binding.inside
        value, behind = inside.unset, []
        for flag, condition, implied in inside.implications.get(self.name, ()):
            source = self.binding.slot(flag)
            if same(chosen[source] if source in chosen else source.read(), condition):
                value = implied
                behind.append(flag)
        if behind:
            return value, Origin("implication", ", ".join(behind))
        return self.forced, None if self.forced is inside.unset else self.imported_origin()

    def read(self) -> Any:
        """Return the effective value, without the side effects of reading torch's attribute.

        Values that can be changed in place are copied.
        """
        if self.is_at_rest():  # as nearly always
            return self.default()
        unset = self.binding.inside.unset
        value = self.ruling()[0] if self.ruled else unset
        if value is unset:
            value = self.seen()
        if value is unset:
            return self.imported()
        return value if isinstance(value, IMMUTABLE) else copy.deepcopy(value)

    def imported(self) -> Any:
        """Return the value with which torch was imported, environment included, whatever was set since."""
        inside = self.binding.inside
        value = inside.process_value(self) if self.forced is inside.unset else self.forced
        return self.default() if value is inside.unset else value

    def imported_origin(self) -> Origin:
        """Return the variable from which torch got that value, or `DEFAULT`."""
        setting = self.setting
        value, default = self.imported(), setting.default_value()
        for variable in setting.variables:
            raw = os.environ.get(variable.name)
            # An empty variable counts as unset, unless torch reads it as something.
            if raw is None or (not raw.strip() and same(value, default)):
                continue
            with contextlib.suppress(*IMPORT_ERRORS):
                if same(variable.torch_value(raw, default), value):
                    return Origin("forced" if variable.rule == "force" else "env", variable.name, raw)
        is_forced = self.forced is not self.binding.inside.unset
        # A default that was derived while torch was imported, as from the working directory, may differ.
        if setting.variables and (is_forced or not (setting.is_computed or same(value, default))):
            # torch read the variable while it was imported; it has another text by now.
            return Origin("forced" if is_forced else "env", setting.variables[0].name)
        return DEFAULT
