"""The sources of settings models, as pydantic-settings has them, and what one construction makes of them.

Each source is read by pydantic-settings, in the order in which `settings_customise_sources` returns them.
What it gives is recorded beside that, so that dynconf can merge by its own rules: a value is read once, all
mistakes are reported together, and the origin of a value is its source.
"""

import functools
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic.fields import FieldInfo
from pydantic_settings import (
    BaseSettings,
    CliSettingsSource,
    DotEnvSettingsSource,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
)
from typing_extensions import override

from dynconf.names import views
from dynconf.origin import Origin
from dynconf.release import Release
from dynconf.settings.construction import RUNNING, Given, release_in_question
from dynconf.settings.fields import is_flag
from dynconf.settings.tree import is_inner
from dynconf.sources.environment import read_environment
from dynconf.sources.gather import read_file
from dynconf.sources.missing import Missing
from dynconf.sources.reading import merge
from dynconf.state import SettingValue, State


class ProgramVariables(EnvSettingsSource):
    """The variables of a program for its own fields; flags have others.

    Models of flags have variables only if these have a prefix: ``TRITON`` may well be somebody else's.
    """

    @override
    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        if is_flag(field) or (is_inner(field) and not self.env_prefix):
            return None, field_name, False
        return super().get_field_value(field, field_name)


class EnvironmentSource(ProgramVariables):
    """The environment as dynconf reads it: torch's own variables and ``TORCHDYNAMO_<FLAG>``.

    Fields that are not flags are read as by pydantic-settings.

    Example:
        >>> import dynconf
        >>> class Settings(dynconf.DynamoSettings):
        ...     @classmethod
        ...     def settings_customise_sources(cls, settings_cls, init_settings, **_):
        ...         return dynconf.EnvironmentSource(settings_cls), init_settings
    """

    @override
    def __call__(self) -> dict[str, Any]:
        ordinary, _ = read_environment(os.environ, *_scope(self))
        return Given(self.settings_cls, ordinary, _of_other_fields(self))


class DotenvSource(ProgramVariables, DotEnvSettingsSource):
    """The files that ``env_file`` names, in which variables mean what they mean in the environment."""

    @override
    def __call__(self) -> dict[str, Any]:
        release, modules = _scope(self)
        written = {name.lower(): value for name, value in self.env_vars.items() if value is not None}
        known = [
            name for view in views(release, modules) for name in (*view.variables, *view.uniform_variables)
        ]
        environ = {name: written[name.lower()] for name in known if name.lower() in written}
        layer = merge(read_environment(environ, release, modules))
        files = self.env_file if isinstance(self.env_file, (list, tuple)) else [self.env_file]
        where = ", ".join(map(str, files))
        entries = {
            setting: SettingValue(value, Origin("env", origin.name, origin.raw, where))
            for setting, (value, origin) in layer.state.items()
        }
        return Given(self.settings_cls, replace(layer, state=State(release, entries)), _of_other_fields(self))


class FileSource(PydanticBaseSettingsSource):
    """A settings file: the one that is named, else ``DYNCONF_CONFIG``, else the nearest ``dynconf.toml``.

    Args:
        settings_cls: The model.
        path: A TOML or JSON file; None for the search.
        missing: What to do about flags that the release lacks: ``"error"``, ``"warn"`` or ``"skip"``; None
            for what the file says.

    Example:
        >>> import dynconf
        >>> class Settings(dynconf.DynamoSettings):
        ...     @classmethod
        ...     def settings_customise_sources(cls, settings_cls, init_settings, env_settings, **_):
        ...         return init_settings, env_settings, dynconf.FileSource(settings_cls)
    """

    def __init__(
        self, settings_cls: type[BaseSettings], path: str | Path | None = None, missing: Missing | None = None
    ) -> None:
        super().__init__(settings_cls)
        self.path = path
        self.missing: Missing | None = missing

    @override
    def __call__(self) -> dict[str, Any]:
        running, (release, modules) = RUNNING.get(), _scope(self)
        path, missing = self.path, self.missing
        if running is not None:
            path, missing = path or running.call.config, missing or running.call.missing
        return Given(self.settings_cls, read_file(release, path, missing, modules))

    @override
    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        return None, field_name, False


def _of_other_fields(source: EnvSettingsSource) -> dict[str, Any]:
    """Return what pydantic-settings itself reads for the fields that are not flags, if there are any."""
    asks = source.env_prefix or source.env_nested_delimiter
    if all(
        is_flag(each) or (is_inner(each) and not asks) for each in source.settings_cls.model_fields.values()
    ):
        return {}
    # The names of fields with aliases are taken in calls, but are no variables.
    config: Any = {**source.config, "populate_by_name": False}
    source.config = config
    return EnvSettingsSource.__call__(source)


def _scope(source: PydanticBaseSettingsSource) -> tuple[Release, tuple[str]]:
    """Return the release and the config modules that a source of a settings model is to be read for."""
    model: Any = source.settings_cls
    return release_in_question(), (model._module,)


def _note(source: object, given: dict[str, Any]) -> dict[str, Any]:
    """Note what a source gives in the construction that is under way."""
    running = RUNNING.get()
    if running is not None and running.layer is None:
        running.said.append((source, given))
    return given


@functools.cache
def _recording(kind: type[PydanticBaseSettingsSource]) -> type[PydanticBaseSettingsSource]:
    """Return a class of sources like *kind* that note what they give."""
    namespace = {
        "__call__": lambda source: _note(source, kind.__call__(source)),
        "__module__": kind.__module__,
        "__slots__": (),  # so that sources can be given this class
        "recorded_as": kind,
    }
    return type(kind.__name__, (kind,), namespace)


def _recorded(source: Any) -> Any:
    """Return the source, made to note what it gives."""
    # It stays the object that it is, of its own class: pydantic-settings asks for both.
    if not isinstance(source, PydanticBaseSettingsSource):  # a function
        return functools.wraps(source)(lambda: _note(source, source()))
    if not hasattr(source, "recorded_as") and not isinstance(source, CliSettingsSource):
        source.__class__ = _recording(type(source))
    return source


_SOURCES = ("init_settings", "env_settings", "dotenv_settings", "file_secret_settings")

Customise = Callable[..., tuple[PydanticBaseSettingsSource, ...]]


def recording(customise: Customise) -> Customise:
    """Have a `settings_customise_sources` get dynconf's sources, and note what those give that it returns."""

    @functools.wraps(customise)
    def customised(
        cls: Any, settings_cls: type[BaseSettings], *sources: Any, **named: Any
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        named |= zip(_SOURCES, sources, strict=False)  # pydantic-settings names them; a subclass may not
        for source in named.values():
            # They have been made with all options of pydantic-settings, which differ between its versions.
            source.__class__ = cls._ours.get(type(source), source.__class__)
        return tuple(map(_recorded, customise(cls, settings_cls, **named)))

    return customised
