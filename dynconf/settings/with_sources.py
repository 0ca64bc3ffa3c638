"""Models of flags that read sources: the part that models which read none do not have."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic_core import core_schema
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict
from typing_extensions import override

from dynconf.errors import DynconfError
from dynconf.release import Release
from dynconf.settings.sources import DotenvSource, EnvironmentSource, FileSource, forced_values
from dynconf.settings.validation import KEY, Validation
from dynconf.sources.missing import Missing, check_missing


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
        # The validation travels as a keyword does, so that sources find it in the state of those above them.
        # Without anything to tell them there is none: for keywords, pydantic-settings goes through all fields.
        if not values and (_config, _torch, _missing) == (None, None, None):
            super().__init__()
            return
        validation = values.pop(KEY, None) or Validation.of_call(type(self))
        validation.config = _config
        try:
            validation.release = validation.release if _torch is None else Release.named(_torch)
            validation.missing = None if _missing is None else check_missing(_missing, "_missing")
        except DynconfError as error:
            validation.refuse_all([error])
        super().__init__(**validation.read(values), **{KEY: {"call": validation}})

    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]  # see FlagModel

    @classmethod
    def _validation(cls, data: dict[str, Any]) -> Validation:
        """Return the validation of a construction, and leave in *data* only values of fields."""
        sources: dict[str, Any] = data.pop(KEY, {})
        found: Validation = sources.pop("call", None) or Validation.of_call(cls)
        for source in sources.values():
            found.refuse_all(source.reading.errors)
            found.states = source.settings_sources_data  # pydantic-settings goes on filling it
            for warning in source.reading.warnings:
                found.call_site.warn(warning)
        found.forced = forced_values(cls, found.release)
        return found

    @classmethod
    def _validate_data(
        cls, validation: Validation, data: Any, handler: core_schema.ValidatorFunctionWrapHandler
    ) -> Any:
        """Read the sources besides the data, as pydantic-settings does when its models are validated."""
        if not isinstance(data, Mapping):  # an object with attributes, for which it reads none
            return handler(data)
        validation.trust = True
        # No name in data is an option: that could have a file read.
        for name in data:
            if name.startswith("_"):
                validation.refuse("Extra inputs are not permitted", (name,), data[name], "extra_forbidden")
        values = {name: data[name] for name in data if not name.startswith("_")}
        return cls(**values, **{KEY: validation})

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
        environment: Any = env_settings
        dotenv: Any = dotenv_settings
        return (
            init_settings,
            EnvironmentSource(settings_cls, environment),
            DotenvSource(settings_cls, dotenv),
            file_secret_settings,
            FileSource(settings_cls),
        )
