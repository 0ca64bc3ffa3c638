"""Models of flags that read sources, and these sources, as ordinary ones of pydantic-settings.

A source returns a dict of values under the names of fields, in which every leaf is a `SettingValue`. It
reports things that concern no single field, such as a mistake in a file, to the validation of the call.
"""

import copy
import functools
import inspect
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

from pydantic import AliasChoices, ValidationError
from pydantic.fields import FieldInfo
from pydantic_settings import (
    BaseSettings,
    DotEnvSettingsSource,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)
from typing_extensions import override

from dynconf.catalogue.catalogue import Setting
from dynconf.catalogue.flags.variable import VARIABLE_RULES
from dynconf.errors import DynconfError, InertFlagWarning, UnknownFlagError
from dynconf.provenance import Origin
from dynconf.release import Release
from dynconf.settings.model import FlagModel
from dynconf.settings.validation import Validation, has_names, holder_at
from dynconf.sources.environment import plain_value, read_environment
from dynconf.sources.gather import read_file
from dynconf.sources.reading import Reading
from dynconf.state import SettingValue, check_missing


class _Source(PydanticBaseSettingsSource):
    """The part that the sources of dynconf share."""

    def _found(self, reading: Reading, found: dict[str, Any]) -> dict[str, Any]:
        """Report the mistakes of a reading, and add its values to those of further fields."""
        warnings = tuple(each for each in reading.warnings if not isinstance(each, InertFlagWarning))
        call = Validation.at_stage("sources", self.settings_cls)
        if not call.stage:
            reading.checked()  # the source is read on its own, so there is no call to report to
        call.report(replace(reading, warnings=warnings))
        known = call.layout.named() if reading.state else {}
        for setting, value in reading.state.items():
            if setting.public and setting.newest in known:  # and not in another config module
                path = known[setting.newest].path
                holder_at(found, path)[path[-1]] = value
        return found

    @override
    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        return None, field_name, False  # all fields are read at once


class _Last(_Source):
    """The end of the sources: what torch ranks above all, and a look at the values of the others.

    From here on, the validation of the call is that of pydantic's validator.
    """

    @override
    def __call__(self) -> dict[str, Any]:
        call = Validation.at_stage("sources", self.settings_cls)
        modules = call.layout.modules
        forced = self._found(read_environment(os.environ, call.release, modules, forced=True), {})
        found: dict[Any, list[SettingValue]] = {}
        for source, state in {"": forced, **self.settings_sources_data}.items():
            for keys, path, place, value in call.leaves(state):
                origin = call.origin if source == "InitSettingsSource" else Origin("source", source)
                if source == "CliSettingsSource":  # which may have been given a password
                    text = str(value) if place and place.flag else None
                    origin = Origin("option", f"--{'.'.join(keys)}", text)
                marked = value if isinstance(value, SettingValue) else SettingValue(value, origin)
                found.setdefault(path, []).append(marked)
        call.found, call.stage = found, "next"
        return forced


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
        call = Validation.at_stage("sources", self.settings_cls)
        release, layout = call.release, call.layout
        # `_Last` has those that torch forces, which beat all sources, wherever this one ranks.
        reading = read_environment(environ, release, layout.modules, self._value_of, file, forced=False)
        # Models of flags have variables of their own only with a prefix: ``TRITON`` may be somebody else's.
        hidden = layout.flags.keys() | (() if self._further.env_prefix else layout.inner)
        fields = {name: field for name, field in layout.model.model_fields.items() if name not in hidden}
        aliased: dict[str, Any] = {}
        for name, aliases in [(name, flag.aliases) for name, flag in layout.flags.items() if flag.aliases]:
            declared = FieldInfo(annotation=Any, validation_alias=AliasChoices(*aliases))
            field = f".{name}"  # the name of a flag is no variable
            text, alias, is_path = self._further.get_field_value(declared, field)
            if text and is_path:
                aliased[name], fields[field] = None, declared
            elif text:
                aliased[name] = SettingValue(text, Origin.of_variable("env", alias, text, file))
        # The same source for fewer fields: pydantic-settings takes its time for each.
        narrowed = copy.copy(self._further)
        narrowed.settings_cls = SimpleNamespace(model_fields=fields)
        name_of = str if self._further.case_sensitive else str.lower
        flags = {name_of(each.origin.name or "") for each in reading.state.values()} if file else ()
        narrowed.env_vars = {name: text for name, text in self._further.env_vars.items() if name not in flags}
        # Of other names in a file, the source makes extra values, for classes that ask for them.
        filtering = getattr(self._further, "dotenv_filtering", None)  # of newer versions
        is_open = file is None or filtering or self.config.get("extra") == "allow"
        further = narrowed() if is_open else EnvSettingsSource.__call__(narrowed)
        found = {**self._found(reading, further), **aliased}
        return {name: value for name, value in found.items() if value is not None or name not in aliased}

    def _value_of(self, setting: Setting, text: str, rule: str = "text") -> Any:
        """Leave the text of a variable to pydantic, unless torch makes another value than it says."""
        if text == self._further.env_parse_none_str:
            return None
        return plain_value(setting, text, rule) if VARIABLE_RULES[rule].transforms else text


class DotenvSource(EnvironmentSource):
    """The files that ``env_file`` names; variables in them mean the same as in the environment.

    `further` is the source of pydantic-settings that has read the files.
    """

    _KIND = DotEnvSettingsSource

    @override
    def __call__(self) -> dict[str, Any]:
        files, written = self._further.env_file, self._further.env_vars
        place = ", ".join(map(str, files)) if isinstance(files, (list, tuple)) else str(files)
        # The source has folded the case of names, and variables of flags are in capitals.
        name_of = str if self._further.case_sensitive else str.upper
        environ = {name_of(name): text for name, text in written.items() if text is not None}
        return self._read(environ, place) if files else {}


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
        call = Validation.at_stage("sources", self.settings_cls)
        path, modules = self.path or call.config, call.layout.modules
        return self._found(read_file(call.release, path, call.missing, modules, trust=self.trust), {})


class Settings(FlagModel, BaseSettings):  # pyright: ignore[reportIncompatibleVariableOverride]
    """The part of settings models that reads sources; it comes before the model of the flags among the bases.

    The `FlagModel` begins the validation of a call. The sources share it, which ``BaseSettings`` reads and
    merges; before pydantic validates the merged values, it takes the origins off them.
    """

    model_config = SettingsConfigDict(validate_default=False, protected_namespaces=())

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        _end_sources(cls)  # CliApp asks for the sources before it makes the model

    @classmethod
    @override
    def __dynconf_call__(cls, validation: Validation, data: dict[str, Any]) -> dict[str, Any]:
        _end_sources(cls)  # somebody may have replaced the method since the class was made
        validation.stage = "sources"
        validation.config = data.pop("_config", None)
        release, missing = data.pop("_torch", None), data.pop("_missing", None)
        try:
            validation.release = validation.release if release is None else Release.named(release)
            validation.missing = None if missing is None else check_missing(missing, "_missing")
        except DynconfError as error:
            validation.refuse(error, ())
        return validation.read(data)

    @classmethod
    def __dynconf_data__(cls, validation: Validation, data: Any, handler: Callable[[Any], Any]) -> Any:
        validation.trust = True
        if validation.origin == Origin("keyword"):
            validation.origin = validation.call_site.origin("keyword")  # no sender of data to hide it from
        if not has_names(data):  # such as an object with attributes, for which no sources are read
            return validation.run(data, handler)
        # Data has them read too, as pydantic-settings does when its models are validated.
        known = cls.__dynconf__.named()
        values = {name: data[name] for name in data if name in known or not name.startswith("_")}
        # No name in data is an option: that could have a file read.
        for name in (each for each in data if each not in values):
            validation.refuse(UnknownFlagError("Extra inputs are not permitted"), (name,), data[name])
        with validation.at("called"):
            # pydantic calls an `__init__` of a subclass for data, and knows when that is what validates.
            made = handler(values) if cls.__pydantic_custom_init__ else cls(**values)
        if {each.info.mode for each in cls.__pydantic_decorators__.model_validators.values()} <= {"after"}:
            # A smart union must learn that no instance was given, and pydantic's own validator tells.
            with suppress(ValidationError):
                handler(None)
        return made

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


def _end_sources(model: Any) -> None:
    """Add a last source to those that a class chooses, which tells a call what each of them has found.

    Values of sources that are not dynconf's have no origins, and the class may use no others.
    """
    if hasattr(model.settings_customise_sources, "is_ended"):
        return
    customise = inspect.getattr_static(model, "settings_customise_sources")

    @functools.wraps(getattr(customise, "__func__", customise))
    def sources(cls: Any, *args: Any, **kwargs: Any) -> Any:
        chosen = customise.__get__(None, cls)(*args, **kwargs)
        is_last = cls.settings_customise_sources.__func__ is sources  # and not called by that of a subclass
        return (*chosen, _Last(cls)) if is_last else chosen

    sources.is_ended = True  # type: ignore[attr-defined]
    model.settings_customise_sources = classmethod(sources)
