"""One construction of settings by pydantic-settings: what its sources gave, and how that is merged."""

import functools
import os
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from pydantic_settings import EnvSettingsSource, InitSettingsSource

from dynconf.flags.types import same
from dynconf.origin import Origin
from dynconf.release import Release
from dynconf.settings.fields import settings_of
from dynconf.settings.validation import Call, Outer
from dynconf.sources.calls import read_data
from dynconf.sources.environment import read_environment
from dynconf.sources.gather import check_conflicts
from dynconf.sources.reading import Reading, merge
from dynconf.state import State


class Refused(Exception):
    """Carries a `DynconfError` through pydantic, which would make a ValidationError of it."""


class Given(dict[str, Any]):
    """What a source of dynconf gives pydantic-settings: plain values, with the layer that they are from."""

    def __init__(self, model: Any, layer: Reading, own: Mapping[str, Any] | None = None) -> None:
        flags = {setting.key: value for setting, (value, _) in layer.state.items()}
        super().__init__(_merged_dicts(_nested(flags, model._inner), own or {}))
        self.layer = layer


@dataclass(slots=True, eq=False)
class Construction:
    """One construction of settings: what its sources share, and what they gave.

    Attributes:
        model: The class.
        call: What makes the settings.
        keywords: What it passes.
        classes: The defaults of subclasses.
        said: What each source gave, highest first.
        layer: All of it, once it is merged.
        origins: Where the values of fields that are not flags came from.
    """

    model: Any
    call: Call
    keywords: Reading
    classes: Reading
    said: list[tuple[object, Mapping[str, Any]]] = field(default_factory=list)
    layer: Reading | None = None
    origins: dict[str, Origin] = field(default_factory=dict)

    def merge(self, state: Mapping[str, Any]) -> dict[str, Any]:
        """Return what the sources gave for the fields; pydantic-settings made *state* of it."""
        flags, others = self.model._plan.flags, self.model._plan.others
        layers: list[Reading] = []
        told: dict[str, Any] = {}
        for source, given in reversed(self.said):
            flat = {name: value for name, value, _ in self.model._flat(given)}
            layers.append(self._layer_of(source, given, flat))
            told = _merged_dicts(
                told, flat | {flags[name]: value for name, value in flat.items() if name in flags}
            )
            self.origins |= {
                others.get(name, name): self._origin_of(source) for name in given if name not in flags
            }
        # What none of these gave is from the command line, which pydantic-settings adds by itself.
        options = {
            name: value
            for name, value, _ in self.model._flat(state)
            if not any(same(told.get(each, ...), value) for each in (name, flags.get(name, name)))
        }
        layers.append(self._read(options, _option))
        # Defaults of models that are to be updated come without being noted, too.
        self.origins |= {
            others.get(name, name): _option(name, value)
            for name, value in options.items()
            if name not in flags and not isinstance(value, dict)
        }
        _, forced = read_environment(os.environ, self.call.release, (self.model._module,))
        whole = self.model._without_others(merge((self.classes, *layers, forced)))
        judged = check_conflicts(self.model._of_this_model(whole))
        self.layer = Reading(judged.resolved(), warnings=judged.warnings)
        own = {
            name: value
            for name, value in state.items()
            if name not in flags and name not in self.model._inner
        }
        found = {
            self.model._local(setting): value
            for setting, (value, origin) in self.layer.state.items()
            if origin.kind != "class"
        }
        return own | _nested(found, self.model._inner)

    def _layer_of(self, source: object, given: Mapping[str, Any], flat: Mapping[str, Any]) -> Reading:
        if kind_of(source) is InitSettingsSource:
            return self.keywords
        layer = given.layer if isinstance(given, Given) else Reading(State(self.call.release))
        changed = {each for each, (value, _) in layer.state.items() if flat.get(each.key, self) is not value}
        layer = layer.without(changed)
        names = {each.key for each in layer.state}
        rest = {name: value for name, value in flat.items() if name not in names}
        return merge((layer, self._read(rest, functools.partial(self._origin_in, source))))

    def _read(self, given: Mapping[str, Any], origin: Callable[[str, object], Origin]) -> Reading:
        flags, missing = self.model._plan.flags, self.call.missing or "error"
        called = {flags[name]: (value, origin(name, value)) for name, value in given.items() if name in flags}
        return read_data(called, self.call.release, missing, self.model._module, texts=True)

    def _origin_in(self, source: Any, name: str, value: object) -> Origin:
        if isinstance(source, EnvSettingsSource):
            outer = Outer((source.env_prefix or "").lower(), (source.env_nested_delimiter or "").lower())
            variable = outer.variable(name, value)
            if variable is not None:
                return Origin("env", variable, os.environ[variable])
        return self._origin_of(source)

    def _origin_of(self, source: object) -> Origin:
        if kind_of(source) is InitSettingsSource:
            return self.call.origin
        return Origin("source", getattr(source, "__name__", type(source).__name__))


def _option(name: str, raw: object) -> Origin:
    return Origin("option", f"--{name}", str(raw))


RUNNING: ContextVar[Construction | None] = ContextVar("dynconf_construction", default=None)
"""The construction that is under way in this thread or task."""


WRITTEN: ContextVar[Release | None] = ContextVar("dynconf_written", default=None)
"""The release of the settings that are being serialized, with whose defaults they are compared."""


def release_in_question() -> Release:
    """Return the release of the settings that are being made or serialized, else the one at hand."""
    running = RUNNING.get()
    return WRITTEN.get() or (Release.at_hand() if running is None else running.call.release)


def default_of(module: str, name: str) -> Any:
    """Return the default of a flag in that release."""
    return settings_of(module, release_in_question())[name].default_value()


def kind_of(source: object) -> type:
    """Return the class of a source as it was before it was made to note what it gives."""
    return getattr(source, "recorded_as", type(source))


def _merged_dicts(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Merge as pydantic-settings does: dicts within dicts too."""
    return {**below} | {
        name: _merged_dicts(below[name], value)
        if isinstance(value, dict) and isinstance(below.get(name), dict)
        else value
        for name, value in above.items()
    }


def apart(
    values: Mapping[str, Any], inner: Mapping[str, object]
) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Return what is given for fields, and what for each model of further flags."""
    if not inner:
        return dict(values), {}
    own: dict[str, Any] = {}
    within: dict[str, dict[str, Any]] = {}
    for name, value in values.items():
        head, dot, rest = name.partition(".")
        if dot and head in inner:
            within.setdefault(head, {})[rest] = value
        else:
            own[name] = value
    return own, within


def _nested(values: Mapping[str, Any], inner: Mapping[str, object]) -> dict[str, Any]:
    own, within = apart(values, inner)
    return {**own, **within}
