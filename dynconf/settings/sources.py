"""Models of flags that read sources, and these sources, as ordinary ones of pydantic-settings.

A source returns a dict of values under the names of fields, in which every leaf is a `SettingValue`. Things
that concern no single field, such as a mistake in a file, are in the source itself, under one `KEY`.
"""

import copy
import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

from pydantic import ValidationError
from pydantic.fields import FieldInfo
from pydantic_settings import (
    BaseSettings,
    DotEnvSettingsSource,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)
from typing_extensions import override

from dynconf.catalogue import Setting
from dynconf.errors import DynconfError, InertFlagWarning
from dynconf.flags.types import is_same_value, short_repr
from dynconf.flags.variable import VARIABLE_RULES
from dynconf.origin import Origin
from dynconf.release import Release
from dynconf.settings.field import FieldPath, paths
from dynconf.settings.validation import KEY, Call, Validation, has_names, holder_at, values_at
from dynconf.sources.environment import plain_value, read_environment
from dynconf.sources.gather import read_file
from dynconf.sources.missing import Missing, check_missing
from dynconf.sources.reading import Reading, forced_warning
from dynconf.state import SettingValue, State


class _Source(PydanticBaseSettingsSource):
    """The part that the sources of dynconf share."""

    reading: Reading
    """The result of the last call, with its mistakes and warnings."""

    @property
    def _call(self) -> Validation:
        """The validation of the call; a new one if this source ranks above the call."""
        found: Validation | None = self.current_state.get(KEY, {}).get("call")
        return found or Validation.of_call(self.settings_cls)

    def _found(self, reading: Reading, found: dict[str, Any]) -> dict[str, Any]:
        """Add the values of a reading to those of further fields, and the source, if there is more to say."""
        warnings = tuple(each for each in reading.warnings if not isinstance(each, InertFlagWarning))
        self.reading = replace(reading, warnings=warnings)
        for path, value in _by_path(self.settings_cls, reading.state).items():
            _put(found, path, value)
        has_more = warnings or reading.errors or self.settings_sources_data
        return {**found, KEY: {type(self).__name__: self}} if has_more else found

    @override
    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        return None, field_name, False  # all fields are read at once


class EnvironmentSource(_Source):
    """The environment: the variables of flags, torch's own and ``TORCHDYNAMO_<FLAG>``.

    Texts are left to pydantic to read, as by any source, unless torch itself makes something else of them.

    `further` is the source of pydantic-settings that reads the fields which are not flags.
    """

    _KIND: ClassVar[type[EnvSettingsSource]] = EnvSettingsSource

    def __init__(
        self, settings_cls: type[BaseSettings], further: PydanticBaseSettingsSource | None = None
    ) -> None:
        super().__init__(settings_cls)
        self._further: Any = further or self._KIND(settings_cls)

    @override
    def __call__(self) -> dict[str, Any]:
        return self._read(os.environ, None)

    def _read(self, environ: Mapping[str, str], file: str | None) -> dict[str, Any]:
        model: Any = self.settings_cls
        reading, _ = read_environment(environ, self._call.release, model._modules, _text_of, file)
        # Models of further flags are among them only with a prefix: ``TRITON`` may be somebody else's.
        fields = {
            name: field
            for name, field in model._further_fields.items()
            if self._further.env_prefix or name not in model._inner_models
        }
        # The same source for fewer fields: pydantic-settings takes its time for each.
        narrowed = copy.copy(self._further)
        narrowed.settings_cls = SimpleNamespace(model_fields=fields)
        narrowed.config = {**narrowed.config, "populate_by_name": False}  # names are no variables
        return self._found(reading, EnvSettingsSource.__call__(narrowed))


class DotenvSource(EnvironmentSource):
    """The files that ``env_file`` names; variables in them mean the same as in the environment.

    `further` is the source of pydantic-settings that reads the files.
    """

    _KIND = DotEnvSettingsSource

    @override
    def __call__(self) -> dict[str, Any]:
        files, encoding = self._further.env_file, self._further.env_file_encoding
        if not files:
            return {}
        # Variables of flags have one spelling; the source that is given has folded their case.
        written = DotEnvSettingsSource(self.settings_cls, files, encoding, case_sensitive=True).env_vars
        place = ", ".join(map(str, files)) if isinstance(files, (list, tuple)) else str(files)
        return self._read({name: text for name, text in written.items() if text is not None}, place)


class FileSource(_Source):
    """A settings file: the one at *path*, else the one that the call names, else the one that is found.

    With *trust*, a file that is named may set flags by which torch runs programs and the like.
    """

    def __init__(
        self, settings_cls: type[BaseSettings], path: str | Path | None = None, *, trust: bool = False
    ) -> None:
        super().__init__(settings_cls)
        self.path = path
        self.trust = trust

    @override
    def __call__(self) -> dict[str, Any]:
        call = self._call
        path, modules = self.path or call.config, call.model._modules
        return self._found(read_file(call.release, path, call.missing, modules, trust=self.trust), {})


class Settings(BaseSettings):
    """The part of settings models that reads sources; it comes before a `FlagModel` among the bases.

    A construction goes through both: ``BaseSettings`` reads and merges the sources, and passes the merged
    values on as keywords to the `FlagModel`, which takes origins and mistakes off them and validates.
    """

    model_config = SettingsConfigDict(validate_default=False)

    def __init__(
        self,
        /,  # data may have a key of that name
        *,
        _config: str | Path | None = None,
        _torch: str | None = None,
        _missing: Missing | None = None,
        **values: Any,
    ) -> None:
        # The validation travels as a keyword does, so that sources find it in the state of those above them;
        # but for keywords, of whatever name, pydantic-settings goes through all fields.
        if not values and (_config, _torch, _missing) == (None, None, None):
            super().__init__()
            return
        validation = values.pop(KEY, None) or Validation.of_call(type(self))
        validation.config = _config
        try:
            validation.release = validation.release if _torch is None else Release.named(_torch)
            validation.missing = None if _missing is None else check_missing(_missing, "_missing")
        except DynconfError as error:
            validation.refuse(error, ())
        given: dict[str, Any] = {**validation.read(values), KEY: {"call": validation}}
        __tracebackhide__ = True  # in a notebook, where a mistake would be below a page of pydantic's code
        try:
            super().__init__(**given)
        except ValidationError as error:
            raise error.with_traceback(None)  # noqa: B904  it is the same error

    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]  # see FlagModel

    @classmethod
    def _run(cls, validation: Validation, data: Any, handler: Callable[[Any], Any]) -> Any:
        if isinstance(data, Call):
            return cls._with_sources(validation, data).run(data, handler)
        if not has_names(data):  # such as an object with attributes, for which no sources are read
            return handler(data)
        # Data has them read too, as pydantic-settings does when its models are validated.
        validation.trust = True
        if validation.origin == Origin("keyword"):
            validation.origin = validation.call_site.origin("keyword")  # no sender of data to hide it from
        values: dict[str, Any] = {name: data[name] for name in data if not name.startswith("_")}
        for name in data.keys() - values:  # no name in data is an option: that could have a file read
            validation.refuse("Extra inputs are not permitted", (name,), data[name], "extra_forbidden")
        return cls(**{**values, KEY: validation})

    @classmethod
    def _with_sources(cls, validation: Validation, data: dict[str, Any]) -> Validation:
        """Return the validation that sources have shared, if any; leave only values of fields in *data*."""
        sources: dict[str, Any] = data.pop(KEY, {})
        validation = sources.pop("call", validation)
        for source in sources.values():
            validation.report(source.reading)
            validation.states = source.settings_sources_data  # pydantic-settings goes on filling it
        # They are no source: whatever the order of those, torch takes these values.
        _, forced = read_environment(os.environ, validation.release, validation.model._modules)
        for path, (value, origin) in _by_path(cls, forced.state).items():
            for lost, _ in values_at({"": data}, path, origin):
                if not is_same_value(lost, value):
                    validation.call_site.warn(forced_warning(origin, ".".join(path), short_repr(lost)))
            _put(data, path, SettingValue(value, origin))
        return validation

    @classmethod
    @override
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Return the sources, highest first; override it to reorder, drop or add some.

        The arguments are the sources of pydantic-settings. Those of dynconf are in the result of this method.
        """
        return (
            init_settings,
            EnvironmentSource(settings_cls, env_settings),
            DotenvSource(settings_cls, dotenv_settings),
            file_secret_settings,
            FileSource(settings_cls),
        )


def _by_path(model: Any, state: State) -> dict[FieldPath, SettingValue]:
    """Return values by the paths to their fields; those of flags in other config modules are left out."""
    known = paths(model) if state else {}
    return {known[each.newest]: state[each] for each in state if each.public and each.newest in known}


def _put(values: dict[str, Any], path: FieldPath, value: SettingValue) -> None:
    holder = holder_at(values, path)
    if holder is not None:
        holder[path[-1]] = value


def _text_of(setting: Setting, text: str, rule: str = "text") -> Any:
    """Leave the text of a variable to pydantic, unless torch makes another value than it says."""
    return plain_value(setting, text, rule) if VARIABLE_RULES[rule].transforms else text
