"""A slot: one setting of a live config module, with the ways to read and write its override."""

import contextlib
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from dynconf.catalogue.catalogue import ReleaseRule, Setting
from dynconf.catalogue.flags.flag import implied
from dynconf.catalogue.flags.types import copy_containers, is_same_value
from dynconf.errors import DynconfWarning, UnknownFlagError
from dynconf.live.torch.override import LayerValue, Override
from dynconf.live.torch.storage import ABSENT, ConfigStorage
from dynconf.provenance import DEFAULT, Kind, Origin

CHECK_RULES, WARN, COPY, OTHER_MODULE, RECOMPILE = 1, 2, 4, 8, 16
"""Steps that setting flags may take beyond checking and writing their values: checking rules over several
flags, warning that a value may not take effect, copying it on each entering, touching another config module
than the one at hand, dropping compiled code. Nearly all flags need none of them, and one test of a number
finds that out for a whole patch."""


class Slot:
    """One setting of a live module.

    Why are most of its methods attributes that are set to functions of torch's storage? Entering a patch
    calls them for every flag, and another call in between would cost more than everything else. The code
    there first copies them to local variables, because calling an attribute that is not a method is much
    slower.

    Args:
        find: Returns the slot of another flag of the same module, by any of its names.
        warning: The warning to issue when the flag is set: the class and the text.

    Attributes:
        stored: Returns the content of torch's place for the override: `storage.unset`, a value, or a
            `RankedOverride`.
        seen_by_torch: Returns the value that torch gets there: the override if it counts, else the installed
            value, else `storage.unset`.
        effective_override: Returns the override if it counts, or `storage.unset`; never an installed value.
        copy_value: Copies a value of the flag; None if its values cannot be changed in place.
        override: The stand-in for torch's place, from the first installation on.
        can_be_overruled: Whether a variable or another flag may beat whatever is set.
        depends_on_override_alone: Whether the flag certainly has torch's default while it has no override.
        default_origin: The origin of the value without an override, once somebody has asked for it.
        held: The value that is held, if one is; `library_default`, the one in place of torch's default: see
            `dynconf.live.layers`.
    """

    def __init__(
        self,
        storage: ConfigStorage,
        setting: Setting,
        find: Callable[[str], "Slot"],
        warning: tuple[type[DynconfWarning], str] | None,
    ) -> None:
        access = storage.access(setting.name)
        self.storage = storage
        self.setting = setting
        self.name = setting.name
        self.record = access.record
        self.stored = self.seen_by_torch = self.effective_override = access.read
        self.store = access.write
        self.default = access.default
        self.default_is_constant = access.default_is_constant
        self.check = setting.type.check
        self.copy_value = copy_containers if setting.type.mutable else None
        self.override: Override | None = None
        self.warning = warning
        self.default_origin: Origin | None = None
        self.held: LayerValue | None = None
        self.library_default: LayerValue | None = None
        self._find = find
        self._rules: list[tuple[ReleaseRule, list[Slot]]] | None = None
        self._forced = access.forced
        self._environment_default = access.environment_default
        is_forced = self._forced is not storage.unset
        self.can_be_overruled = is_forced or self.name in storage.implications
        self.depends_on_override_alone = (
            not self.can_be_overruled and self._environment_default is storage.unset
        )
        self.extra_steps = (
            CHECK_RULES * bool(setting.rules)
            + WARN * bool(self.can_be_overruled or warning or setting.qualified == "optimize_ddp")
            + COPY * bool(self.copy_value)
        )

    def __repr__(self) -> str:
        return f"Slot({self.setting.qualified!r})"

    @property
    def installed(self) -> LayerValue | None:
        """The value that was installed last, for the process or for this context, if there is one."""
        latest = None if self.override is None else self.override.latest()
        return latest if latest is not None and latest.rank else None

    @property
    def rules(self) -> list[tuple[ReleaseRule, list["Slot"]]]:
        """The rules about the flag, each with the slots of its settings."""
        # Why not `cached_property`? It has a slot keep its attributes in a dict, unlike those without rules,
        # and a loop over slots of both kinds reads every attribute much more slowly.
        if self._rules is None:
            rules = []
            for rule in self.setting.rules:
                with contextlib.suppress(UnknownFlagError):  # a torch newer than the catalogue may lack one
                    rules.append((rule, [self._find(setting.name) for setting in rule.settings]))
            self._rules = rules
        return self._rules

    def read_through(self, override: Override) -> None:
        """Have torch, and this slot, read and write the override through a stand-in."""
        self.storage.replace_override(self.name, override)
        self.seen_by_torch = override.get
        self.effective_override = override.effective_override
        self.override = override  # last: an interruption before it has all of this done again

    def replace_outer_layers(self, held: LayerValue | None, library_default: LayerValue | None) -> None:
        """Have torch read other values above and below the override; None for those of its own."""
        # These stay: it has to be found out each time from now on.
        self.depends_on_override_alone, self.default_origin = False, None
        self.can_be_overruled = True
        self.extra_steps |= WARN
        unset, forced, lowest = self.storage.unset, self._forced, self._environment_default
        if held is not None and forced is unset:
            forced = held.value
        if library_default is not None:
            lowest = library_default.value
        self.storage.replace_outer_layers(self.name, forced, lowest)
        # Last: as long as they are here, torch may read them.
        self.held, self.library_default = held, library_default

    def without_override(self) -> Any:
        """Return the value to store for no override: the default where a module cannot store its absence."""
        # Below a library's default it is one object that counts as no override, and not a copy of it.
        nothing = self.storage.unset if self.override is None else self.override.none
        return self.default() if nothing is ABSENT else nothing

    def has_default(self) -> bool:
        """Tell whether the flag has torch's default because nothing is set; False if that is not sure."""
        return self.depends_on_override_alone and self.seen_by_torch() is self.storage.unset

    def overruled_by(self, values: Mapping["Slot", Any] = MappingProxyType({})) -> tuple[Any, Origin | None]:
        """Return the value that beats whatever is set, and the variable or the flags behind it.

        Without one, these are the storage's `unset` and None. This alone decides it, for reading, origins and
        warnings; *values* are about to be set.
        """
        unset = self.storage.unset

        def value_of(flag: str) -> Any:
            source = self._find(flag)
            return values[source] if source in values else source.read()

        implications = self.storage.implications.get(self.name, ())
        value, origin = implied(implications, value_of, self.setting.module)
        if origin is not None:
            return value, origin
        if self.held is not None and self._forced is unset:
            return self.held.value, self.held.origin
        return self._forced, None if self._forced is unset else self.origin_at_import()

    def deciding(self) -> Any:
        """Return the value that somebody has set, as the very object, or the storage's `unset`."""
        if self.depends_on_override_alone:  # the common case
            return self.seen_by_torch()
        unset, seen = self.storage.unset, self.seen_by_torch
        value = self.overruled_by()[0] if self.can_be_overruled else unset
        if value is unset:
            value = seen()
        if value is unset and self.library_default is not None:
            value = self.library_default.value
        return value

    def judged(self, decided: dict["Slot", Any]) -> Any:
        """Return the value in force, checked, for rules to judge; note in *decided* what decides it."""
        decided[self] = value = self.deciding()
        default = self.default
        is_default = value is self.storage.unset and self.depends_on_override_alone
        return default() if is_default else self.check(self.read())

    def read(self) -> Any:
        """Return the effective value, as a copy if it can be changed in place.

        Why not read torch's attribute? That stores a copy of a mutable default as an override, and issues
        torch's own warnings about deprecated flags.
        """
        if self.has_default():  # the common case
            return self.default()
        value = self.deciding()
        return copy_containers(self.value_at_import() if value is self.storage.unset else value)

    def value_at_import(self) -> Any:
        """Return the value with which torch was imported, environment included, whatever was set since."""
        unset = self.storage.unset
        value = self._environment_default if self._forced is unset else self._forced
        return self.default() if value is unset else value

    def origin_at_import(self) -> Origin:
        """Return the variable from which torch got that value, or `DEFAULT`.

        torch keeps the value, not the variable. So this looks for the variable whose present text explains
        the value: it may have been changed since torch read it.
        """
        setting = self.setting
        # A torch newer than the catalogue knows its defaults best.
        default = self.default() if setting.release.is_beyond_catalogue else setting.default_value()
        value = self.value_at_import()
        found = setting.variable_behind(value, default)
        if found is not None:
            variable, raw = found
            kind: Kind = "forced" if variable.rule == "force" else "env"
            return Origin.of_variable(kind, variable.name, raw)
        is_forced = self._forced is not self.storage.unset
        # A default that was derived while torch was imported, as from the working directory, may differ.
        may_differ = setting.is_computed
        if setting.variables and (is_forced or not (may_differ or is_same_value(value, default))):
            # torch read the variable while it was imported; it has another text by now.
            return Origin("forced" if is_forced else "env", setting.variables[0].name)
        return DEFAULT
