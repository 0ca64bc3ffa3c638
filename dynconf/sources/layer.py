"""A layer: what one source sets, by setting, each value with its origin.

Values are checked as they enter a layer, and nowhere after that. Reading does not stop at a mistake: a layer
carries all of them, so that they can be reported together, and nothing is applied while there is one.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from dynconf import names
from dynconf.catalogue import Setting
from dynconf.errors import (
    ConflictError,
    DynconfError,
    DynconfWarning,
    EnvironmentWarning,
    ForcedFlagWarning,
    InertFlagWarning,
    InvalidValueError,
    UnknownFlagError,
    combined,
)
from dynconf.flags.flag import qualified
from dynconf.flags.types import AtLeast, Mismatch, same, shown
from dynconf.modules import catalogue
from dynconf.origin import Origin
from dynconf.release import Release

Missing = Literal["error", "warn", "skip"]
"""What to do about a flag that the release does not have."""

_MOST_SUGGESTIONS = 10
"""For how many unknown names of one source a similar one is searched, which takes time."""


Read = Callable[[Setting, Any], Any]
"""Returns the value that a setting makes of what is given; raises `Mismatch` if it does not accept that."""


def checked(setting: Setting, value: object) -> Any:
    """Read a Python value.

    Raises:
        Mismatch: The setting does not accept it.
    """
    return setting.type.check(value)


@dataclass(frozen=True, slots=True)
class Layer:
    """What one source sets, or several of them merged.

    Attributes:
        values: The checked values. Objects that were read by name may still be `Named`: see `resolved`.
        origins: Where each of them came from.
        errors: The mistakes in the source; values may be applied only if there are none.
        notes: What to warn of.
    """

    values: dict[Setting, Any] = field(default_factory=dict)
    origins: dict[Setting, Origin] = field(default_factory=dict)
    errors: tuple[DynconfError, ...] = ()
    notes: tuple[DynconfWarning, ...] = ()

    def sound(self) -> "Layer":
        """Return the layer itself.

        Raises:
            DynconfError: There are mistakes in it; the error lists them all.
        """
        if self.errors:
            raise combined(self.errors)
        return self

    def resolved(self) -> "Layer":
        """Return the layer with objects in place of their names, ready to be put in force.

        Raises:
            DynconfError: There are mistakes in the layer, or objects that do not exist or may not be named;
                the error lists them all.
        """
        values, errors = self.values, list(self.errors)
        for setting, value in self.values.items():
            if setting.type.names_objects:
                try:
                    values = {**values, setting: setting.type.check(value)}
                except Mismatch as problem:
                    given = setting.type.show_data(value)
                    errors.append(setting.invalid(given, problem, self.origins[setting]))
        if errors:
            raise combined(errors)
        return self if values is self.values else Layer(values, self.origins, (), self.notes)

    def without(self, left_out: Collection[Setting], errors: Iterable[DynconfError]) -> "Layer":
        """Return the layer without these settings, and with further mistakes."""
        return Layer(
            {setting: value for setting, value in self.values.items() if setting not in left_out},
            {setting: origin for setting, origin in self.origins.items() if setting not in left_out},
            (*self.errors, *errors),
            self.notes,
        )


class LayerBuilder:
    """Collects the settings of one source, mistakes included.

    Args:
        release: The release that the settings are for.
        missing: What to do about flags that it lacks.
        module: The config module of bare names.
        newer: Settings of flags that are newer than the catalogue, by qualified name.
    """

    def __init__(
        self,
        release: Release,
        missing: Missing = "error",
        module: str = "dynamo",
        newer: Mapping[str, Setting] | None = None,
    ) -> None:
        self.release = release
        self.missing = missing
        self.module = module
        self.newer = newer or {}
        self.values: dict[Setting, Any] = {}
        self.origins: dict[Setting, Origin] = {}
        self.errors: list[DynconfError] = []
        self.notes: list[DynconfWarning] = []
        self._unknown = 0

    def add(
        self, name: str, origin: Origin, given: object, read: Read = checked, module: str | None = None
    ) -> None:
        """Add the setting *name*, whose value *read* makes of *given*.

        Args:
            name: Any name of the setting, old or new, bare or with its module in front.
            origin: Where it came from.
            given: What the source contains.
            read: Makes the value, once the setting is known.
            module: The module of a bare name, if it is not that of the builder.
        """
        module = module or self.module
        setting = names.find(name, self.release, module)
        if setting is None and self.newer:
            setting = self.newer.get(qualified(*names.split(name, module)))
        if setting is None:
            self.note_absent(name, origin, module)
        else:
            self.put(setting, name, origin, given, read)

    def put(self, setting: Setting, name: str, origin: Origin, given: object, read: Read) -> None:
        """Add a setting that the source calls *name*: as `add`, for those who have looked it up."""
        try:
            value = read(setting, given)
        except Mismatch as problem:
            self.errors.append(setting.invalid(given, problem, origin))
            return
        if setting in self.values and not same(self.values[setting], value):
            first = f"{shown(self.values[setting])} (from {self.origins[setting]})"
            second = f"{shown(value)} (from {origin}, as {name!r})"
            self.errors.append(
                ConflictError(
                    f"{setting.qualified} is set twice: {first} and {second}; keep one of them",
                    flag=setting.qualified,
                    place=origin.place,
                )
            )
            return
        self.values[setting], self.origins[setting] = value, origin
        if setting.inert:
            note = f"{setting.inert} (from {origin})"
            self.notes.append(InertFlagWarning(note, flag=setting.qualified, place=origin.place))

    def note_absent(self, name: str, origin: Origin, module: str) -> None:
        """Report a name that the release does not have, as `missing` asks; a misspelt one is an error."""
        home, bare = names.split(name, module)
        self._unknown += not names.is_known(bare, home)
        if self._unknown <= _MOST_SUGGESTIONS or names.is_known(bare, home):
            why = names.why_unknown(name, self.release, module)
        else:
            why = f"there is no {catalogue(home).noun} {shown(bare)}"
        message = f"{why} (from {origin})"
        if self.missing == "error" or bare not in catalogue(home).flags:
            self.errors.append(UnknownFlagError(message, flag=name, place=origin.place))
        elif self.missing == "warn":
            self.notes.append(EnvironmentWarning(f"{message}; skipped", flag=name, place=origin.place))

    def done(self) -> Layer:
        """Return the layer."""
        return Layer(self.values, self.origins, tuple(self.errors), tuple(self.notes))


def merged(layers: Iterable[Layer]) -> Layer:
    """Return one layer of several; a later one beats the earlier ones.

    If a variable that torch ranks above every assignment beats another value, a note says so.
    """
    whole = Layer()
    errors: list[DynconfError] = []
    notes: list[DynconfWarning] = []
    for layer in layers:
        for setting, value in layer.values.items():
            origin, is_set = layer.origins[setting], setting in whole.values
            if origin.kind == "forced" and is_set and not same(whole.values[setting], value):
                lost = f"{shown(whole.values[setting])} (from {whole.origins[setting]})"
                message = f"{setting.qualified}: {lost} has no effect: {origin} beats every other setting"
                notes.append(ForcedFlagWarning(message, flag=setting.qualified))
            if type(value) is AtLeast:
                below = whole.values[setting] if is_set else setting.default_value()
                value = value.over(below)  # noqa: PLW2901  the same limit, raised
            whole.values[setting], whole.origins[setting] = value, origin
        errors += layer.errors
        notes += layer.notes
    return Layer(whole.values, whole.origins, tuple(errors), tuple(notes))


def without_internal(layer: Layer, *, silently: bool = False) -> Layer:
    """Return the layer without flags that are torch's own plumbing, which settings may not touch.

    Args:
        layer: What a source sets.
        silently: Whether to leave them out without an error: a saved state merely shows them.
    """
    internal = {setting: origin for setting, origin in layer.origins.items() if not setting.public}
    if not internal:
        return layer
    errors = [
        InvalidValueError(
            f"{setting.qualified} (from {origin}) is internal to torch and not a setting;"
            " `dynconf.patch` accepts it",
            flag=setting.qualified,
            place=origin.place,
        )
        for setting, origin in internal.items()
    ]
    return layer.without(internal, () if silently else errors)


def check_missing(missing: object, name: str = "_missing") -> None:
    """Refuse what is not one of the words, or None.

    Raises:
        InvalidValueError: It is something else.
    """
    if missing is not None and missing not in get_args(Missing):
        raise InvalidValueError(f"{name}: {shown(missing)} is not valid: expected 'error', 'warn' or 'skip'")
