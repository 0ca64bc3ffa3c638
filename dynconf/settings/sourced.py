"""Settings that read their sources by themselves: those of one config module, and those of all."""

import inspect
import os
from abc import abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from pydantic import GetCoreSchemaHandler
from pydantic_core import core_schema
from pydantic_settings import BaseSettings, DotEnvSettingsSource, EnvSettingsSource, SettingsConfigDict
from typing_extensions import Self, override

from dynconf.errors import DynconfError
from dynconf.flags.types import shown
from dynconf.origin import Origin, caller
from dynconf.release import Release
from dynconf.settings.failures import as_validation_error
from dynconf.settings.held import Held
from dynconf.settings.sources import DotenvSource, EnvironmentSource, recording
from dynconf.settings.validation import SHARED, VALIDATION, Call, Validation, outer_of, taken
from dynconf.sources.missing import Missing, check_missing

OPTIONS = frozenset(
    name for name in inspect.signature(BaseSettings.__init__).parameters if name.startswith("_")
) - {"__pydantic_self__"}
"""The options of pydantic-settings that a call may pass; they differ between its versions."""


class Sourced(Held, BaseSettings):
    """Settings that read the environment and files besides what a call gives."""

    model_config = SettingsConfigDict(
        extra="forbid",
        validate_assignment=True,
        validate_default=False,
        populate_by_name=True,  # jsonargparse asks for it; the name is among the aliases anyway
    )
    _ours: ClassVar[Mapping[type[Any], type[Any]]] = {
        EnvSettingsSource: EnvironmentSource,
        DotEnvSettingsSource: DotenvSource,
    }
    """The classes that sources of pydantic-settings are given."""

    def __init__(
        self,
        *,
        _config: str | Path | None = None,
        _torch: str | None = None,
        _missing: Missing | None = None,
        **values: Any,
    ) -> None:
        # `CliApp.run` passes more keywords beside the sources that it has made.
        values |= (values.get("_build_sources") or (None, {}))[1]
        options = {name: values.pop(name) for name in values.keys() & OPTIONS}
        self._make(values, options, _config, _torch, _missing)

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
            data: Values by flag. For `CompileSettings`, the flags of each module in a mapping under its name,
                or flags by their full names, of which bare ones are dynamo's.
            origin: Where the data is from: an origin, or a file; None for the calling line.
            _config: See the class.
            _torch: See the class.
            _missing: See the class; here it also applies to *data*.

        Raises:
            DynconfError: As when the class is called.
            TypeError: *data* is no mapping, or *origin* is none of these.
        """
        if not isinstance(data, Mapping):
            raise TypeError(f"from_data: expected a mapping of flags to values, not {shown(data)}")
        if isinstance(origin, (str, os.PathLike)):
            origin = Origin("file", file=os.fspath(origin))
        if origin is not None and not isinstance(origin, Origin):
            raise TypeError(f"from_data: origin={shown(origin)}: expected an origin, or the name of a file")
        # Containers such as those of OmegaConf resolve a value when it is looked up, not in items().
        values = {str(name): data[name] for name in data}
        made = cls.__new__(cls)
        made._make(values, {}, _config, _torch, _missing, origin or caller().origin("keyword"))
        return made

    def _make(
        self,
        values: dict[str, Any],
        options: dict[str, Any],
        config: str | Path | None,
        torch: str | None,
        missing: Missing | None,
        data_origin: Origin | None = None,
    ) -> None:
        """Make the settings; *data_origin* says where the values are from if they are JSON-like data."""
        model, here, validation = type(self), caller(), taken(type(self))
        shared = validation.shared if validation else None
        try:
            release = Release.named(torch) if torch else shared.call.release if shared else Release.at_hand()
            if missing is not None:
                check_missing(missing, "_missing")
            call = Call(here, release, config, missing, data_origin, validation)
            if shared is not None:
                call, options = call.within(shared.call), {**shared.options, **options}
            model._plan.refuse_without_effect(model, options)
            self._read(values, options, call)
        except DynconfError as error:
            if validation is None:
                raise
            if shared is not None:
                shared.errors += error.errors
            raise as_validation_error(model.__name__, error, validation.given, self._module) from None

    @abstractmethod
    def _read(self, values: dict[str, Any], options: dict[str, Any], call: Call) -> None:
        """Fill the settings with what the call gives and what the other sources do."""

    @classmethod
    @override
    def __get_pydantic_core_schema__(
        cls, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        schema = super().__get_pydantic_core_schema__(source, handler)
        whole: Any = handler.resolve_ref_schema(schema)
        if whole.get("metadata", {}).get("dynconf") is not cls:
            # The definition itself is changed, so that everything that refers to the model validates alike.
            inner: Any = {**whole}
            whole.clear()
            whole |= core_schema.with_info_wrap_validator_function(
                cls._validate,
                inner,
                ref=inner.pop("ref", None),
                metadata={"dynconf": cls},
                serialization=inner.pop("serialization"),
            )
        return schema

    @classmethod
    def _validate(
        cls, data: Any, handler: core_schema.ValidatorFunctionWrapHandler, info: core_schema.ValidationInfo
    ) -> Any:
        """Validate as pydantic asks for it, on whatever path."""
        if not isinstance(data, Mapping) or not all(isinstance(name, str) for name in data):
            return handler(data)
        shared = SHARED.get()
        token = VALIDATION.set(Validation(cls, data, outer_of(cls), shared, info.mode))
        try:
            if shared is None or not shared.call.data_origin:
                return cls(**data)
            made = cls.__new__(cls)  # no name in data is an option
            made._make({**data}, {}, None, None, None)
            return made
        finally:
            VALIDATION.reset(token)

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        customise = vars(cls).get("settings_customise_sources")
        if isinstance(customise, classmethod):
            cls.settings_customise_sources = classmethod(recording(customise.__func__))  # type: ignore[method-assign, assignment]
