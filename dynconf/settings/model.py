"""What the settings models of all config modules have in common."""

import inspect
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import Field, GetCoreSchemaHandler, GetJsonSchemaHandler, create_model
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import core_schema
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict
from typing_extensions import Self, override

from dynconf.catalogue import Setting
from dynconf.errors import DynconfError
from dynconf.flags.types import same
from dynconf.origin import Caller, Origin, caller
from dynconf.release import Release
from dynconf.settings.construction import RUNNING, Construction, Refused, default_of, with_keywords
from dynconf.settings.failures import as_validation_error
from dynconf.settings.fields import fields, groups, schema_of_release, settings_of
from dynconf.settings.group import group_of
from dynconf.settings.held import Held
from dynconf.settings.plan import ClassDefault, plan_of
from dynconf.settings.sources import FileSource, as_ours
from dynconf.settings.tree import apart
from dynconf.settings.validation import (
    SHARED,
    VALIDATION,
    Validation,
    data_from,
    outer_of,
    passes_defaults,
    taken,
)
from dynconf.settings.wrapping import validated_by
from dynconf.sources.calls import read_data, read_values
from dynconf.sources.layer import Layer, Missing, check_missing, merged, without_internal
from dynconf.sources.merge import check_layer, read_all

OPTIONS = frozenset(
    name for name in inspect.signature(BaseSettings.__init__).parameters if name.startswith("_")
) - {"__pydantic_self__"}
"""The options of pydantic-settings that a call may pass; they differ between its versions."""


class Ready(dict[str, Any]):
    """Values that have been read and checked: for the fields, without a further question."""


class Settings(Held, BaseSettings):
    """What the settings models of all config modules have in common; `model_of` adds the fields."""

    model_config = SettingsConfigDict(
        extra="forbid",
        validate_assignment=True,
        validate_default=False,
        populate_by_name=True,  # jsonargparse asks for it; the name is among the aliases anyway
    )

    def __init__(
        self,
        *,
        _config: str | Path | None = None,
        _torch: str | None = None,
        _missing: Missing | None = None,
        **values: Any,
    ) -> None:
        here, model = caller(), type(self)
        validation = taken(model)
        shared = validation.shared if validation else None
        if shared is not None:
            _config, _missing = _config or shared.config, _missing or shared.missing
            values = {**shared.options, **values}
        try:
            at_hand = Release.at_hand() if shared is None else shared.release
            release = Release.named(_torch) if _torch else at_hand
            check_missing(_missing)
            self._make(here, release, _config, _missing, values, validation)
        except DynconfError as error:
            if validation is None:
                raise
            if shared is not None:
                shared.errors += error.errors
            raise as_validation_error(model.__name__, error, validation.given, self._module) from None

    def _make(
        self,
        here: Caller,
        release: Release,
        config: str | Path | None,
        missing: Missing | None,
        values: dict[str, Any],
        validation: Validation | None,
    ) -> None:
        plan, module = self._plan, self._module
        values = with_keywords(values)
        options = values.keys() & OPTIONS
        plan.refuse_without_effect(type(self), {name: values[name] for name in options})
        named = self._spread(
            {name: value for name, value in values.items() if name not in options and not plan.is_own(name)}
        )
        if named and passes_defaults():
            defaults = {
                name: setting.default_value() for name, setting in settings_of(module, release).items()
            }
            defaults |= plan.values()
            named = {
                name: each
                for name, each in named.items()
                if name not in defaults or not same(each[0], defaults[name])
            }
            values = {name: value for name, value in values.items() if name in options or plan.is_own(name)}
        if validation is None:
            keyword = here.origin("keyword")
            called = {name: (value, origin or keyword) for name, (value, origin) in named.items()}
            given = read_values(called, release, module)
        else:
            called = validation.values(named, here)
            given = _without_idle(read_data(called, release, module=module, texts=validation.has_texts))
        shared = validation.shared if validation else None
        more = shared.defaults_of(module) if shared else None
        self._make_of(self._of_this_model(given), here, release, config, missing, values, more=more)

    def _make_of(
        self,
        given: Layer,
        here: Caller,
        release: Release,
        config: str | Path | None,
        missing: Missing | None,
        values: dict[str, Any],
        *,
        more: Mapping[str, ClassDefault] | None = None,
    ) -> None:
        """Make the settings of what the call gives and of the other sources.

        Args:
            given: The flags that the call gives.
            here: The call.
            release: The release.
            config: The settings file that it names.
            missing: What it asks to do about flags that the release lacks.
            values: What it passes, options of pydantic-settings included.
            more: Defaults that the class gives of which these settings are a field.
        """
        plan, module = self._plan, self._module
        classes = plan.layer(release, missing, more)
        if plan.is_plain and not values.keys() & OPTIONS:
            # There is nothing that pydantic would add: its sources are ours, and its fields are checked.
            whole = read_all(release, given, config=config, missing=missing, modules=(module,))
            whole = merged((classes, whole)) if plan.defaults or more else whole
            layer = check_layer(self._of_this_model(self._without_others(whole))).resolved()
            found = {self._local(setting): value for setting, value in layer.values.items()}
            self._fill(
                release, found, {self._local(setting): layer.origins[setting] for setting in layer.values}
            )
        else:
            given = without_internal(given)
            running = Construction(type(self), module, release, here, given, classes, config, missing)
            token = RUNNING.set(running)
            try:
                super().__init__(**values)
            except Refused as refused:
                raise refused.error from None
            finally:
                RUNNING.reset(token)
            layer = running.layer or Layer()
            for setting, value in layer.values.items():
                node, name = self._node(self._local(setting))
                node._origins[name] = layer.origins[setting]
                if layer.origins[setting].kind == "class":
                    vars(node)[name] = value
                    node.__pydantic_fields_set__.discard(name)
            for name in self.__pydantic_fields_set__ & plan.settings - self._origins.keys():
                self._origins[name] = Origin("source", f"a validator of {type(self).__qualname__}")
        for note in layer.notes:
            here.warn(note)

    @classmethod
    def from_data(
        cls,
        data: Mapping[str, Any],
        *,
        origin: Origin | str | os.PathLike[str] | None = None,
        _config: str | Path | None = None,
        _torch: str | None = None,
        _missing: Missing | None = None,
    ) -> Self:
        """Make settings of JSON-like data: a list for a set, ``module:qualname`` for an object.

        The data ranks as a call does; the environment and files are read besides. Containers of any library
        are taken that are mappings and sequences, such as those of OmegaConf.

        Args:
            data: Values by flag.
            origin: Where the data is from: an origin, or a file; None for the calling line.
            _config: See the class.
            _torch: See the class.
            _missing: See the class; here it also applies to *data*.

        Raises:
            DynconfError: As when the class is called.
            TypeError: *data* is no mapping, or *origin* is none of these.
        """
        here = caller()
        values, origin = data_from(data, origin)
        release = Release.named(_torch) if _torch else Release.at_hand()
        check_missing(_missing)
        own = {name: value for name, value in values.items() if cls._plan.is_own(name)}
        called = {
            name: (value, origin or here.origin("keyword"))
            for name, value in values.items()
            if name not in own
        }
        given = cls._of_this_model(
            _without_idle(read_data(called, release, _missing or "error", cls._module))
        )
        made = cls.__new__(cls)
        made._make_of(given, here, release, _config, _missing, own)
        return made

    @classmethod
    @override
    def _settings(cls) -> Mapping[str, Setting]:
        return settings_of(cls._module, Release.at_hand())

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        customise = vars(cls).get("settings_customise_sources")
        if isinstance(customise, classmethod):
            cls.settings_customise_sources = classmethod(as_ours(customise.__func__))  # type: ignore[method-assign, assignment]

    @classmethod
    @override
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        super().__pydantic_init_subclass__(**kwargs)
        cls._plan = plan_of(cls, Settings, caller())

    @classmethod
    @as_ours
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Return the sources, highest first; override it to reorder, drop or add some.

        *env_settings* is a `dynconf.EnvironmentSource`, and the last one a `dynconf.FileSource`. Defaults of
        subclasses are below all of them, and variables that torch forces above.
        """
        return (
            init_settings,
            env_settings,
            dotenv_settings,
            file_secret_settings,
            FileSource(settings_cls),
        )

    @classmethod
    @override
    def __get_pydantic_core_schema__(
        cls, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        return validated_by(cls._validate, cls, source, handler)

    @classmethod
    def _validate(
        cls, data: Any, handler: core_schema.ValidatorFunctionWrapHandler, info: core_schema.ValidationInfo
    ) -> Any:
        """Validate as pydantic asks for it, on whatever path."""
        running = RUNNING.get()
        if isinstance(data, Ready):
            return handler(data)
        if running is not None and running.model is cls and running.layer is None:
            try:
                own = running.merge(data, cls._plan.flags)
            except DynconfError as error:
                raise Refused(error) from None
            layer = running.layer or Layer()
            found, within = apart(
                {
                    cls._local(setting): value
                    for setting, value in layer.values.items()
                    if layer.origins[setting].kind != "class"
                },
                cls._inner,
            )
            return handler(Ready({**own, **found, **within}))
        if not isinstance(data, Mapping) or not all(isinstance(name, str) for name in data):
            return handler(data)
        token = VALIDATION.set(Validation(cls, data, outer_of(cls), SHARED.get(), info.mode))
        try:
            return cls(**data)
        finally:
            VALIDATION.reset(token)

    @classmethod
    @override
    def __get_pydantic_json_schema__(
        cls, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Return the schema of what the model accepts in the release at hand, with its defaults there."""
        found = handler.resolve_ref_schema(handler(schema))
        if "properties" in found and handler.mode == "validation":
            others = {
                name: each for name, each in found["properties"].items() if name not in cls._plan.settings
            }
            found["properties"] = {
                **schema_of_release(cls._module, cls._plan.values(), cls.model_fields),
                **others,
            }
        return found


def model_of(module: str) -> type[Settings]:
    """Return the settings model of a config module."""
    name = f"{module.capitalize()}Settings"
    models = {group: group_of(module, group, name) for group in groups(module, Release.at_hand())}
    made: dict[str, Any] = fields(module, "", default_of)
    made |= {
        group: (model, Field(default_factory=model._of_defaults, description=model.__doc__))
        for group, model in models.items()
    }
    found: type[Settings] = create_model(
        name, __base__=Settings, __module__="dynconf.settings", __cls_kwargs__={"module": module}, **made
    )
    found.__qualname__ = name
    for model in models.values():
        setattr(found, model.__name__, model)
    return found


def _without_idle(layer: Layer) -> Layer:
    """Leave out notes of flags that do nothing and have their defaults: a state of all flags has these."""
    idle = {
        setting.qualified
        for setting, value in layer.values.items()
        if setting.inert and same(value, setting.default_value())
    }
    return replace(layer, notes=tuple(note for note in layer.notes if note.flag not in idle))
