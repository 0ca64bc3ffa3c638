"""Readings: the result of reading a source, with all of its mistakes, and the merging of several.

A source may contain ten mistakes, and a user wants to see all of them at once, together with those of every
other source. So reading does not stop at a mistake: a `Reading` carries the settings that could be
read, the errors, and the warnings. Values are checked on the way in, and nowhere after that::

    file = ReadingBuilder(release)
    file.add("recompile_limit", Origin("file", ...), 64)
    file.add("verbos", Origin("file", ...), True)        # an error, kept
    merge((file.done(), environment)).checked()          # raised here, with those of the environment
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from dynconf.catalogue import names
from dynconf.catalogue.catalogue import Setting
from dynconf.catalogue.flags.flag import qualified
from dynconf.catalogue.flags.types import AtLeast, Mismatch, is_same_value, short_repr
from dynconf.catalogue.modules import catalogue
from dynconf.errors import (
    ConflictError,
    DynconfError,
    DynconfWarning,
    EnvironmentWarning,
    ForcedFlagWarning,
    InertFlagWarning,
    UnknownFlagError,
    combined,
)
from dynconf.provenance import Caller, Origin
from dynconf.release import Release
from dynconf.state import Missing, SettingValue, State

MOST_SUGGESTIONS = 10
"""For how many unknown names of one source a similar name is searched, because that takes time."""

Convert = Callable[[Setting, Any], Any]
"""Returns the value of a setting, from the data in a source; raises `Mismatch` if it accepts none of it."""


def check_value(setting: Setting, value: object) -> Any:
    """Convert a Python value, as a `Convert`."""
    return setting.type.check(value)


@dataclass(frozen=True, slots=True)
class Reading:
    """The result of reading one source, or several that were merged.

    The state has the settings that could be read, with objects still by name. It may be used only if there
    are no errors, and the warnings are issued when it is used. The values of the flags in `holds` will be
    held, whichever source they are from: see `dynconf.hold`. Those in `held_before` are held by the process
    that handed them on, so that their values in this reading are final. Of what was merged, `beaten` has the
    entries that each flag had before, the last one first; the state may still have one of them.
    """

    state: State
    errors: tuple[DynconfError, ...] = ()
    warnings: tuple[DynconfWarning, ...] = ()
    holds: Mapping[Setting, Origin] = field(default_factory=dict)
    held_before: frozenset[Setting] = frozenset()
    beaten: Mapping[Setting, Sequence[SettingValue]] = field(default_factory=dict)

    def checked(self) -> State:
        """Return the state; raise a `DynconfError` that lists all mistakes if there are any."""
        if self.errors:
            raise combined(self.errors)
        return self.state

    def resolved(self) -> State:
        """Return the state, ready to be put in force: as `checked`, with objects in place of their names."""
        found: dict[Setting, SettingValue] = {}
        errors = list(self.errors)
        for setting, (value, origin) in self.state.items():
            if setting.type.names_objects:
                try:
                    found[setting] = SettingValue(setting.type.check(value), origin)
                except Mismatch as problem:
                    errors.append(setting.invalid(setting.type.show_data(value), problem, origin))
        if errors:
            raise combined(errors)
        return self.state.with_entries(found) if found else self.state

    def used_by(self, call_site: Caller, *, inert: bool = True) -> State:
        """Return the state as `resolved`, with its warnings issued; those of no-op flags only if *inert*."""
        state = self.resolved()
        for warning in self.warnings:
            if inert or not isinstance(warning, InertFlagWarning):
                call_site.warn(warning)
        return state

    def without(self, settings: Collection[Setting], errors: Iterable[DynconfError] = ()) -> "Reading":
        """Return the reading without these settings, and with further mistakes."""
        if not settings:
            return self
        return replace(self, state=self.state.without(settings), errors=(*self.errors, *errors))

    def without_idle(self) -> "Reading":
        """Return the reading without flags that do nothing at their defaults, nor warnings of them.

        A state of all flags contains those. That they have no effect changes nothing for anybody.
        """
        idle = {
            setting: setting.newest
            for setting, (value, _) in self.state.items()
            if setting.inert and is_same_value(value, setting.default_value())
        }
        warnings = tuple(each for each in self.warnings if each.flag not in idle.values())
        return replace(self, state=self.state.without(idle), warnings=warnings) if idle else self

    def with_held_defaults(self) -> "Reading":
        """Return the reading with torch's default for each flag that is held and that no source sets."""
        entries: dict[Setting, SettingValue] = {}
        warnings = [*self.warnings]
        for setting, origin in self.holds.items():
            if setting in self.state:
                continue
            if setting.is_computed:
                # The live module alone knows such a default, as that from the number of processors.
                why = "nothing sets it, and torch computes its default"
                message = f"{setting.newest} is not held (from {origin}): {why}"
                warnings.append(EnvironmentWarning(message, flag=setting.newest, place=origin.place))
            else:
                entries[setting] = SettingValue(setting.default_value(), replace(origin, held=True))
        return replace(self, state=self.state.with_entries(entries), warnings=tuple(warnings))


class ReadingBuilder:
    """Collects the settings of one source, mistakes included.

    Args:
        release: The release that the settings are for.
        missing: How to treat flags that it lacks, and defaults of another release that it does not accept.
        module: The config module of bare names.
        newer: Settings of flags that are newer than the catalogue, by qualified name.
        has_tables: Whether the names may be in tables; otherwise the source has full names.
    """

    def __init__(
        self,
        release: Release,
        missing: Missing = "error",
        module: str = "dynamo",
        newer: Mapping[str, Setting] | None = None,
        *,
        has_tables: bool = True,
    ) -> None:
        self.release = release
        self.missing = missing
        self.module = module
        self.errors: list[DynconfError] = []
        self.warnings: list[DynconfWarning] = []
        self.holds: dict[Setting, Origin] = {}
        self._newer = newer or {}
        self._has_tables = has_tables
        self._entries: dict[Setting, SettingValue] = {}
        self._unknown = 0

    def add(
        self,
        name: str,
        origin: Origin,
        data: object,
        convert: Convert = check_value,
        *,
        is_default: bool = False,
    ) -> None:
        """Add the setting of that name: any that it has had, bare or with a module in front.

        Its value is made of *data*, as the source has it, by *convert*. It may be a default of another
        release, which this one need not accept.
        """
        setting = names.find(name, self.release, self.module)
        if setting is None and self._newer:
            setting = self._newer.get(qualified(*names.split(name, self.module)))
        if setting is None:
            self.add_absent(name, origin)
        else:
            self.put(setting, name, origin, data, convert, is_default=is_default)

    def put(
        self,
        setting: Setting,
        name: str,
        origin: Origin,
        data: object,
        convert: Convert = check_value,
        *,
        is_default: bool = False,
        may_be_inert: bool = False,
    ) -> None:
        """Add a setting that the source calls *name*: as `add`, for callers that have looked it up.

        With *may_be_inert* there is no warning of a flag that does nothing.
        """
        try:
            value = convert(setting, data)
        except Mismatch as problem:
            self._refuse(setting.invalid(data, problem, origin), optional=is_default)
            return
        other = self._entries.get(setting)
        if other is not None and not is_same_value(other.value, value):
            self.errors.append(
                ConflictError(
                    f"{setting.newest} is set twice: {short_repr(other.value)} (from {other.origin}) and"
                    f" {short_repr(value)} (from {origin}, as {name!r}); keep one of them",
                    flag=setting.newest,
                    place=origin.place,
                )
            )
            return
        self._entries[setting] = SettingValue(value, origin)
        if setting.inert and not may_be_inert:
            message = f"{setting.inert} (from {origin})"
            self.warnings.append(InertFlagWarning(message, flag=setting.newest, place=origin.place))

    def hold(self, name: str, origin: Origin) -> None:
        """Have the flag held, whatever its value will be."""
        setting = names.find(name, self.release, self.module)
        if setting is None:
            self.add_absent(name, origin)
        else:
            self.holds[setting] = origin

    def add_absent(self, name: str, origin: Origin) -> None:
        """Report a name that the release does not have, as `missing` asks; a misspelt one is an error."""
        module, bare = names.split(name, self.module)
        full = f"{module}.{bare}"  # *bare* may begin with another module, as a key in a table may
        is_known = names.is_known(full)
        self._unknown += not is_known
        if is_known or self._unknown <= MOST_SUGGESTIONS:
            place = origin if self._has_tables else replace(origin, kind="option")
            reason = names.why_unknown(full, self.release, origin=place)
        else:
            reason = f"there is no {catalogue(module).noun} {short_repr(bare)}"
        error = UnknownFlagError(f"{reason} (from {origin})", flag=name, place=origin.place)
        self._refuse(error, optional=bare in catalogue(module).flags)

    def _refuse(self, error: DynconfError, *, optional: bool) -> None:
        """Report an entry that cannot be used; one that is optional as `missing` asks."""
        if self.missing == "error" or not optional:
            self.errors.append(error)
        elif self.missing == "warn":
            skipped = EnvironmentWarning(f"{error}; skipped", flag=error.flag, place=error.place)
            self.warnings.append(skipped)

    def done(self) -> Reading:
        """Return the reading."""
        state = State(self.release, self._entries)
        return Reading(state, tuple(self.errors), tuple(self.warnings), self.holds)


def forced_warning(forced: Origin, flag: str, lost: str) -> ForcedFlagWarning:
    """Return the warning of a value that loses to a variable which torch ranks above every assignment."""
    why = f"the flag is {forced}, which beats every other setting"
    return ForcedFlagWarning(f"{flag}: {lost} has no effect: {why}", flag=flag)


def merge(readings: Iterable[Reading]) -> Reading:
    """Return one reading of several for the same release; a later one beats the earlier ones.

    A value that another process holds beats those, and a variable that torch forces beats all. A warning
    names each value that loses to one of these two.
    """
    entries: dict[Setting, SettingValue] = {}
    forced: dict[Setting, SettingValue] = {}
    errors: list[DynconfError] = []
    warnings: list[DynconfWarning] = []
    holds: dict[Setting, Origin] = {}
    held_before: frozenset[Setting] = frozenset()
    beaten: dict[Setting, list[SettingValue]] = {}
    readings = tuple(readings)
    for reading in readings:
        for setting, each in reading.state.items():
            entry = each
            below = entries.get(setting)
            before = (*reading.beaten.get(setting, ()), below, *beaten.get(setting, ()))
            beaten[setting] = [*filter(None, before)]
            if each.origin.kind == "forced":
                forced[setting] = each
                continue
            if type(each.value) is AtLeast:
                raised = each.value.over(setting.default_value() if below is None else below.value)
                decides = each if below is None or raised is each.value else below
                entry = SettingValue(raised, decides.origin)
            value = entry.value
            if below is None or setting not in held_before:
                entries[setting] = entry
            elif not is_same_value(below.value, int(value) if type(value) is AtLeast else value):
                name, held = setting.newest, replace(below.origin, held=False)
                why = f"it is held at {short_repr(below.value)} ({held})"
                lost = f"{name}: {short_repr(value)} (from {entry.origin}) has no effect"
                warnings.append(ForcedFlagWarning(f"{lost}: {why}", flag=name))
        errors += reading.errors
        warnings += reading.warnings
        holds |= reading.holds
        held_before |= reading.held_before
    for setting, (value, origin) in forced.items():
        below = entries.get(setting)
        if below is not None and not is_same_value(below.value, value):
            lost = f"{short_repr(below.value)} (from {below.origin})"
            warnings.append(forced_warning(origin, setting.newest, lost))
    entries |= forced
    for setting in holds.keys() & entries.keys():
        value, origin = entries[setting]
        entries[setting] = SettingValue(value, replace(origin, held=True))
    state = State(readings[0].state.release, entries)
    losers = {setting: before for setting, before in beaten.items() if before}
    return Reading(state, tuple(errors), tuple(warnings), holds, held_before, losers)
