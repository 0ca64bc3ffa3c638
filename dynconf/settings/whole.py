"""`CompileSettings`: the settings of all config modules, as one model."""

import os
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Any

from pydantic import Field, GetCoreSchemaHandler, ValidationError, create_model
from pydantic_core import core_schema
from pydantic_settings import (
    BaseSettings,
    DotEnvSettingsSource,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)
from typing_extensions import Self, override

from dynconf.catalogue import Setting
from dynconf.errors import ConflictError, DynconfError, InvalidValueError, combined
from dynconf.flags.types import shown
from dynconf.modules import catalogue, home
from dynconf.names import moved, newest_name, split
from dynconf.origin import Caller, Origin, caller
from dynconf.release import Release
from dynconf.settings.construction import with_keywords
from dynconf.settings.failures import as_validation_error
from dynconf.settings.held import Held
from dynconf.settings.model import OPTIONS, Settings
from dynconf.settings.plan import plan_of
from dynconf.settings.sources import ProgramVariables, as_ours
from dynconf.settings.validation import SHARED, VALIDATION, Shared, Validation, data_from, outer_of, taken
from dynconf.settings.wrapping import validated_by
from dynconf.sources.layer import Layer, Missing, check_missing

_FOR_EACH = ("env_file", "env_file_encoding", "secrets_dir")
"""The options of pydantic-settings that hold for the settings of each module, too."""


class _ProgramFiles(ProgramVariables, DotEnvSettingsSource):
    """The variables of a program in the files that ``env_file`` names."""

    @override
    def __call__(self) -> dict[str, Any]:
        return EnvSettingsSource.__call__(self)  # what is left over is for the settings of the modules


def _with_our_sources(customise: Any) -> Any:
    return as_ours(customise, ProgramVariables, _ProgramFiles)


class Whole(Held, BaseSettings):
    """What `CompileSettings` is apart from its fields, which `whole_of` adds."""

    model_config = SettingsConfigDict(
        extra="forbid", validate_assignment=True, validate_default=False, populate_by_name=True
    )
    _module = "dynamo"

    def __init__(
        self,
        *,
        _config: str | Path | None = None,
        _torch: str | None = None,
        _missing: Missing | None = None,
        **values: Any,
    ) -> None:
        self._make(values, None, _config, _torch, _missing)

    def _make(
        self,
        values: Mapping[str, Any],
        origin: Origin | None,
        config: str | Path | None,
        torch: str | None,
        missing: Missing | None,
    ) -> None:
        model, here, validation = type(self), caller(), taken(type(self))
        values = with_keywords(values)
        options = {name: values[name] for name in values.keys() & OPTIONS}
        is_text = validation is not None and validation.mode == "string"
        shared = Shared(model, config, missing, origin, _options_for_each(model, options), is_text)
        token = SHARED.set(shared)
        try:
            shared.release = Release.named(torch) if torch else Release.at_hand()
            check_missing(missing)
            model._plan.refuse_without_effect(model, options)
            given = values if validation else {**model._by_module(values), **options}
            if model._plan.is_plain and not options:
                self.__pydantic_validator__.validate_python(given, self_instance=self)
            else:
                super().__init__(**given)
        except DynconfError as error:
            if validation is None:
                raise
            raise as_validation_error(model.__name__, error, validation.given, self._module) from None
        except ValidationError:
            if validation is None and shared.errors:
                # All modules look into the same file: what is wrong with it is said once.
                told = {str(error): error for error in shared.errors}
                raise combined(list(told.values())) from None
            raise
        finally:
            SHARED.reset(token)
        self._release = shared.release
        own = self.__pydantic_fields_set__ - self._inner.keys()
        source = Origin("source", "pydantic-settings")
        passed = {self._plan.others.get(name, name) for name in values}
        self._origins = {name: here.origin("keyword") if name in passed else source for name in own}

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
        """Make settings of JSON-like data: see `DynamoSettings.from_data`.

        Args:
            data: The flags of each module in a mapping under its name, or flags by their full names, of which
                bare ones are dynamo's.
            origin: Where the data is from: an origin, or a file; None for the calling line.
            _config: See the class.
            _torch: See the class.
            _missing: See the class.

        Raises:
            DynconfError: As when the class is called.
            TypeError: *data* is no mapping, or *origin* is none of these.
        """
        made = cls.__new__(cls)
        made._make(*data_from(data, origin), _config, _torch, _missing)
        return made

    @classmethod
    def _by_module(cls, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values with those of flags that are given by full name under their modules.

        Raises:
            InvalidValueError: What is given for a module is neither its settings nor a mapping.
            ConflictError: A flag is given in both ways.
        """
        found = {
            name: value for name, value in values.items() if name in cls._inner or cls._plan.is_own(name)
        }
        wrong = [
            InvalidValueError(
                f"{name}: {shown(found[name])} is not valid: expected {model.__name__} or a mapping with"
                f" flags of {name}, such as {name}={{'flag': value}}",
                flag=name,
            )
            for name, model in cls._inner.items()
            if name in found and not isinstance(found[name], (Mapping, model))
        ]
        if wrong:
            raise combined(wrong)
        for name, value in values.items():
            if name in found or name in OPTIONS:
                continue
            module, bare = split(name)
            beside = found.setdefault(module, {})
            if not isinstance(beside, Mapping) or bare in beside:
                raise ConflictError(f"{name} is set twice: {shown(value)} and in {module}={shown(beside)}")
            found[module] = {**beside, bare: value}
        return found

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        customise = vars(cls).get("settings_customise_sources")
        if isinstance(customise, classmethod):
            cls.settings_customise_sources = classmethod(_with_our_sources(customise.__func__))  # type: ignore[method-assign]

    @classmethod
    @override
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        super().__pydantic_init_subclass__(**kwargs)
        cls._plan = plan_of(cls, Whole, caller())

    @classmethod
    @_with_our_sources
    def settings_customise_sources(
        cls, _settings_cls: type[BaseSettings], **sources: PydanticBaseSettingsSource
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Return the sources of the program, highest first; those of dynconf are read module by module."""
        return tuple(sources.values())

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
        shared = SHARED.get()
        if shared is not None and shared.model is cls and not shared.is_begun:
            shared.is_begun = True
            return cls._completed(data, handler)
        if not isinstance(data, Mapping) or not all(isinstance(name, str) for name in data):
            return handler(data)
        token = VALIDATION.set(Validation(cls, data, outer_of(cls), None, info.mode))
        try:
            return cls(**data)
        finally:
            VALIDATION.reset(token)

    @classmethod
    def _completed(cls, data: Mapping[str, Any], handler: core_schema.ValidatorFunctionWrapHandler) -> Any:
        """Validate with all modules in the input, so that the mistakes in all of them are told together."""
        data = cls._where_flags_are_now(data)
        unsaid = [name for name in cls._inner.keys() - data.keys() if cls._is_made_again(name)]
        made = handler({**{name: {} for name in unsaid}, **data})
        made.__pydantic_fields_set__.difference_update(cls._inner)
        made._notice_changes()
        return made

    @classmethod
    def _is_made_again(cls, name: str) -> bool:
        """Tell whether the field's default is no more than flags, whose defaults are below files."""
        field, model = cls.model_fields[name], cls._inner[name]
        is_plain = isinstance(field.default, model) and type(field.default)._plan.is_plain
        return is_plain or field.default_factory is model

    @classmethod
    def _where_flags_are_now(cls, data: Mapping[str, Any]) -> dict[str, Any]:
        """Return the input with flags that moved from one module to another under the newer one."""
        found = dict(data)
        for module, given in data.items():
            if module not in cls._inner or not isinstance(given, Mapping):
                continue
            for name, value in given.items():
                home, _, key = moved(f"{module}.{name}").partition(".")
                if home != module and isinstance(found.setdefault(home, {}), Mapping):
                    found[home] = {key: value, **found[home]}
                    found[module] = {each: found[module][each] for each in found[module] if each != name}
        return found

    @classmethod
    @override
    def _settings(cls) -> Mapping[str, Setting]:
        return {
            f"{module}.{name}": setting
            for module, model in cls._inner.items()
            for name, setting in model._settings().items()
        }

    @classmethod
    @override
    def _local(cls, setting: Setting) -> str:
        return newest_name(setting)

    @classmethod
    @override
    def _newest(cls, name: str) -> str:
        module, bare = split(name)
        return f"{module}.{catalogue(module).canonical(bare)}" if name == f"{module}.{bare}" else name

    @classmethod
    @override
    def _of_this_model(cls, layer: Layer) -> Layer:
        return layer

    @override
    def _mutable_defaults(self) -> Mapping[str, Any]:
        return {}

    @override
    def _lacking(self) -> AbstractSet[str]:
        return set()

    @override
    def _assign(self, changes: Mapping[str, Any], here: Caller) -> None:
        made = {
            name: self._inner[name](**value, _torch=self._release.version)
            for name, value in changes.items()
            if name in self._inner and isinstance(value, Mapping)
        }
        super()._assign({**changes, **made}, here)


def _options_for_each(model: type[Whole], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return those that the settings of each module get, too, whose variables may be in such files."""
    given = {f"_{name}": options.get(f"_{name}", model.model_config.get(name)) for name in _FOR_EACH}
    return {name: value for name, value in given.items() if value is not None}


def whole_of(models: Mapping[str, type[Settings]]) -> type[Whole]:
    """Return the model with the settings of all config modules.

    Args:
        models: The settings model of each.
    """
    made: Any = {
        module: (model, Field(default_factory=model, description=f"Settings of ``{home(module)}``."))
        for module, model in models.items()
    }
    return create_model("CompileSettings", __base__=Whole, __module__="dynconf.settings", **made)
