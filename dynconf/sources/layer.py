"""A layer: what one source sets, by canonical flag name, each value with its origin.

Reading never stops at a mistake: a layer carries all of them, so that they can be told together, and nothing
is applied while there is one.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

from dynconf.catalogue import FLAGS
from dynconf.catalogue.names import advice, canonical, require
from dynconf.catalogue.record import Flag
from dynconf.errors import (
    ConflictError,
    DynconfError,
    DynconfWarning,
    EnvironmentWarning,
    ForcedFlagWarning,
    InertFlagWarning,
    UnknownFlagError,
)
from dynconf.provenance import Origin
from dynconf.values import Mismatch, invalid, same, shown
from dynconf.versions import AtHand

Missing = Literal["error", "warn", "skip"]
"""What to do about a flag that the release at hand does not have."""


@dataclass(frozen=True, slots=True)
class Layer:
    """What one source sets, or several of them merged.

    Attributes:
        values: Flag (canonical name) to value.
        origins: The same flags to where their values came from.
        errors: The mistakes in the source; values are good for use only where there are none.
        notes: What to warn of.
    """

    values: dict[str, Any] = field(default_factory=dict)
    origins: dict[str, Origin] = field(default_factory=dict)
    errors: tuple[DynconfError, ...] = ()
    notes: tuple[DynconfWarning, ...] = ()


class LayerBuilder:
    """Collects the settings of one source, mistakes included."""

    def __init__(self, at: AtHand, missing: Missing = "error") -> None:
        self.at = at
        self.missing = missing
        self.values: dict[str, Any] = {}
        self.origins: dict[str, Origin] = {}
        self.errors: list[DynconfError] = []
        self.notes: list[DynconfWarning] = []

    def add(self, name: str, origin: Origin, read: Callable[[Flag], Any], given: object) -> None:
        """Add the setting *name*, whose value *read* makes of *given* once the flag is known."""
        newest = canonical(name)
        try:
            flag = require(name, self.at.minor, self.at.version)
        except UnknownFlagError as error:
            self._absent(name, origin, error)
            return
        try:
            value = read(flag)
        except Mismatch as problem:
            self.errors.append(invalid(flag, given, problem, origin))
            return
        if newest in self.values and not same(self.values[newest], value):
            first = f"{shown(self.values[newest])} (from {self.origins[newest]})"
            second = f"{shown(value)} (from {origin}, as {name!r})"
            self.errors.append(
                ConflictError(f"{newest} is set twice: {first} and {second}; keep one of them", flag=newest)
            )
            return
        self.values[newest], self.origins[newest] = value, origin
        if flag.status_in(self.at.minor) == "no-op":
            self.notes.append(InertFlagWarning(inert_message(flag, self.at.version, origin), flag=flag.name))

    def _absent(self, name: str, origin: Origin, error: UnknownFlagError) -> None:
        message = f"{error} (from {origin})"
        if name not in FLAGS or self.missing == "error":
            self.errors.append(UnknownFlagError(message, flag=name))
        elif self.missing == "warn":
            self.notes.append(EnvironmentWarning(f"{message}; skipped", flag=name))

    def done(self) -> Layer:
        """Return the layer."""
        return Layer(self.values, self.origins, tuple(self.errors), tuple(self.notes))


def inert_message(flag: Flag, version: str, origin: Origin | None = None) -> str:
    """Say that setting a no-op flag has no effect."""
    place = f" (from {origin})" if origin else ""
    return f"{flag.name}{place} does nothing in torch {version}; {advice(flag.instead)}"


def merged(layers: Iterable[Layer]) -> Layer:
    """Return one layer of several; a later one beats the earlier ones.

    A variable that torch puts above every assignment, and that beats another value, gives a note.
    """
    whole = Layer()
    errors: list[DynconfError] = []
    notes: list[DynconfWarning] = []
    for layer in layers:
        for name, origin in layer.origins.items():
            if (
                origin.kind == "forced"
                and name in whole.values
                and not same(whole.values[name], layer.values[name])
            ):
                lost = f"{shown(whole.values[name])} (from {whole.origins[name]})"
                notes.append(
                    ForcedFlagWarning(
                        f"{name}: {lost} has no effect: {origin} beats every other setting", flag=name
                    )
                )
        whole.values.update(layer.values)
        whole.origins.update(layer.origins)
        errors += layer.errors
        notes += layer.notes
    return Layer(whole.values, whole.origins, tuple(errors), tuple(notes))
