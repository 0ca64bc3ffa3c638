"""The sources of settings, as ordinary sources of pydantic-settings.

Each returns a dict of what it sets, under the names of fields, in which every leaf is a `SourceValue`. What
concerns no single field, such as a mistake in a file, is under one key of its own (`HIDDEN`).
"""

import copy
import functools
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from pydantic.fields import FieldInfo
from pydantic_settings import (
    BaseSettings,
    DotEnvSettingsSource,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
)
from typing_extensions import override

from dynconf.catalogue import Setting
from dynconf.errors import DynconfError, InertFlagWarning
from dynconf.flags.variable import VARIABLE_RULES
from dynconf.names import module_views, split
from dynconf.origin import Origin
from dynconf.release import Release
from dynconf.settings.field import is_flag
from dynconf.settings.provenance import HIDDEN, SourceValue
from dynconf.sources.environment import plain_value, read_environment
from dynconf.sources.gather import read_file
from dynconf.sources.missing import Missing
from dynconf.sources.reading import Reading
from dynconf.state import State


class _Source(PydanticBaseSettingsSource):
    """What the sources of dynconf share."""

    @property
    def _release(self) -> Release:
        """The release that the call asks for, if the call ranks above this source; else the one at hand."""
        torch = self.current_state.get("_torch")
        try:
            return Release.at_hand() if torch is None else Release.named(torch)
        except DynconfError:  # the call is refused for it
            return Release.at_hand()

    @property
    def _modules(self) -> tuple[str, ...]:
        model: Any = self.settings_cls
        return tuple(model._reads)

    def _found(self, reading: Reading) -> dict[str, Any]:
        """Return the values of a reading by field, with its mistakes and warnings."""
        name = type(self).__name__
        warnings = [each for each in reading.warnings if not isinstance(each, InertFlagWarning)]
        hidden = {
            "errors": {name: reading.errors} if reading.errors else {},
            "warnings": {name: warnings} if warnings else {},
            # A dict would be merged with those of other sources; pydantic-settings goes on filling this one.
            "states": (self.settings_sources_data,) if self.settings_sources_data else None,
        }
        hidden = {key: each for key, each in hidden.items() if each}
        return _by_field(self.settings_cls, reading.state) | ({HIDDEN: hidden} if hidden else {})

    def _read(
        self, environ: Mapping[str, str], further: EnvSettingsSource, file: str | None = None
    ) -> dict[str, Any]:
        """Return what variables set; *further* reads the fields that are not flags."""
        reading, _ = read_environment(environ, self._release, self._modules, _text_of)
        located = {
            setting: each._replace(origin=Origin("env", each.origin.name, each.origin.raw, file))
            for setting, each in reading.state.items()
        }
        found = replace(reading, state=reading.state.with_entries(located))
        return _of_further_fields(further, self.settings_cls) | self._found(found)

    @override
    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        return None, field_name, False  # all fields are read at once


class EnvironmentSource(_Source):
    """The environment: the variables of flags, torch's own and ``TORCHDYNAMO_<FLAG>``.

    Texts are left to pydantic to read, as by any source, unless torch itself makes something else of them.

    Args:
        settings_cls: The model.
        further: The source that reads the fields which are not flags; None for one of pydantic-settings.
    """

    def __init__(self, settings_cls: type[BaseSettings], further: EnvSettingsSource | None = None) -> None:
        super().__init__(settings_cls)
        self._further = further or EnvSettingsSource(settings_cls)

    @override
    def __call__(self) -> dict[str, Any]:
        return self._read(os.environ, self._further)


class DotenvSource(_Source):
    """The files that ``env_file`` names, in which variables mean what they mean in the environment.

    Args:
        settings_cls: The model.
        dotenv: The source of pydantic-settings that reads the files; None for one with the model's options.
    """

    def __init__(self, settings_cls: type[BaseSettings], dotenv: DotEnvSettingsSource | None = None) -> None:
        super().__init__(settings_cls)
        self._dotenv = dotenv or DotEnvSettingsSource(settings_cls)

    @override
    def __call__(self) -> dict[str, Any]:
        written = {name.lower(): value for name, value in self._dotenv.env_vars.items() if value is not None}
        if not written:
            return {}
        known = (
            name
            for view in module_views(self._release, self._modules)
            for name in (*view.followers, *view.uniform_variables)
        )
        environ = {name: written[name.lower()] for name in known if name.lower() in written}
        files = self._dotenv.env_file
        place = ", ".join(map(str, files)) if isinstance(files, (list, tuple)) else str(files)
        return self._read(environ, self._dotenv, place)


class FileSource(_Source):
    """A settings file: the one that is named, else ``DYNCONF_CONFIG``, else the nearest ``dynconf.toml``.

    Args:
        settings_cls: The model.
        path: A TOML or JSON file; None for the one that the call names, or the search.
        missing: How to treat flags that the release lacks: ``"error"``, ``"warn"`` or ``"skip"``; None for
            what the call or the file says.
        trust: Whether a file that is named may set flags by which torch runs programs and the like.
    """

    def __init__(
        self,
        settings_cls: type[BaseSettings],
        path: str | Path | None = None,
        missing: Missing | None = None,
        *,
        trust: bool = False,
    ) -> None:
        super().__init__(settings_cls)
        self.path = path
        self.missing = missing
        self.trust = trust

    @override
    def __call__(self) -> dict[str, Any]:
        path = self.path or self.current_state.get("_config")
        missing: Any = self.missing or self.current_state.get("_missing")
        return self._found(read_file(self._release, path, missing, self._modules, trust=self.trust))


def forced_values(model: Any, release: Release) -> dict[str, Any]:
    """Return the values of variables that torch ranks above every assignment, by field, as a source does.

    They are no source: whatever the order of those, torch takes these values.
    """
    _, forced = read_environment(os.environ, release, tuple(model._reads))
    return _by_field(model, forced.state)


def _by_field(model: Any, state: State) -> dict[str, Any]:
    """Return values under the names of fields; those of flags in other config modules are left out."""
    found: dict[str, Any] = {}
    for setting, (value, origin) in state.items():
        full = ".".join(split(setting.newest))  # a bare name is dynamo's
        path = model._path_of(full) if setting.public else None
        if path is not None:
            inner = functools.reduce(lambda held, part: held.setdefault(part, {}), path[:-1], found)
            inner[path[-1]] = SourceValue(value, origin)
    return found


def _text_of(setting: Setting, text: str, rule: str = "text") -> Any:
    """Leave the text of a variable to pydantic, unless torch makes another value than it says."""
    return plain_value(setting, text, rule) if VARIABLE_RULES[rule].transforms else text


def _of_further_fields(source: Any, model: Any) -> dict[str, Any]:
    """Return what a source of pydantic-settings reads for the fields that are not flags.

    Models of further flags are among them only if variables have a prefix: ``TRITON`` may well be somebody
    else's.
    """
    fields = _further_fields(model, bool(source.env_prefix))
    if not fields:
        return {}
    # The same source for fewer fields: pydantic-settings takes its time for each. Names are no variables.
    narrowed = copy.copy(source)
    narrowed.settings_cls = SimpleNamespace(model_fields=fields)
    narrowed.config = {**source.config, "populate_by_name": False}
    return EnvSettingsSource.__call__(narrowed)


@functools.lru_cache(maxsize=64)
def _further_fields(model: Any, with_models: bool) -> dict[str, FieldInfo]:  # noqa: FBT001  cached
    return {
        name: field
        for name, field in model.model_fields.items()
        if not is_flag(field) and (with_models or name not in model._inner_models)
    }
