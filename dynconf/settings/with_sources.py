"""Models of flags that read sources: what is added to the models that read nothing."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import core_schema
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict
from typing_extensions import override

from dynconf.errors import DynconfError, ForcedFlagWarning
from dynconf.flags.types import is_same_value, short_repr
from dynconf.origin import Origin, caller
from dynconf.release import Release
from dynconf.settings.entries import again, entry, raised
from dynconf.settings.names import unified
from dynconf.settings.provenance import HIDDEN, Call, SourceValue
from dynconf.settings.sources import DotenvSource, EnvironmentSource, FileSource, forced_values
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
        # Options travel as keywords do, so that sources find them in the state of those that rank above.
        given, errors = unified(type(self), values)
        options = {"_config": _config, "_torch": _torch, "_missing": _missing}
        given |= {name: each for name, each in options.items() if each is not None}
        if errors:
            given[HIDDEN] = {**given.get(HIDDEN, {}), "errors": {"call": errors}}
        super().__init__(**given)

    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]  # see FlagModel

    @classmethod
    def _call(cls, data: dict[str, Any]) -> Call:
        """Return what the values of a construction share, and leave in *data* only values of fields."""
        model: Any = cls
        hidden: dict[str, Any] = data.pop(HIDDEN, {})
        torch, wanted, _ = (data.pop(name, None) for name in ("_torch", "_missing", "_config"))
        missing: Missing = "warn"
        errors: list[DynconfError] = _all_in(hidden.get("errors", {}))
        here, release = caller(), Release.at_hand()
        try:
            release = release if torch is None else Release.named(torch)
            missing = missing if wanted is None else check_missing(wanted, "_missing")
        except DynconfError as error:
            errors.append(error)
        forced = forced_values(model, release)
        for warning in (*_all_in(hidden.get("warnings", {})), *_force(data, forced)):
            here.warn(warning)
        origin = hidden.get("origin") or here.origin("keyword")
        states = hidden.get("states", ({},))[0]
        return Call(here, origin, release, True, model._reads, missing, tuple(errors), states)

    @classmethod
    def _validate_data(
        cls,
        data: Any,
        handler: core_schema.ValidatorFunctionWrapHandler,
        info: core_schema.ValidationInfo,
        origin: Origin | None,
    ) -> Any:
        """Read the sources besides the data, as pydantic-settings does when its models are validated."""
        if not isinstance(
            data, Mapping
        ):  # an object with attributes; pydantic-settings reads no sources for it
            return handler(data)
        # No name in data is an option: that could have a file read.
        refused = [
            entry("extra_forbidden", "Extra inputs are not permitted", (name,), data[name])
            for name in data
            if name.startswith("_")
        ]
        values = {name: data[name] for name in data if not name.startswith("_")}
        try:
            hidden: dict[str, Any] = {HIDDEN: {"origin": origin}} if origin else {}
            made = cls(**values, **hidden)
        except ValidationError as error:
            found = [again(each) for each in error.errors(include_url=False)]
            raise raised(cls, [*found, *refused], info.mode) from None
        if refused:
            raise raised(cls, refused, info.mode)
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
        environment: Any = env_settings
        dotenv: Any = dotenv_settings
        return (
            init_settings,
            EnvironmentSource(settings_cls, environment),
            DotenvSource(settings_cls, dotenv),
            file_secret_settings,
            FileSource(settings_cls),
        )


def _all_in(by_source: Mapping[str, Any]) -> list[Any]:
    return [each for found in by_source.values() for each in found]


def _force(
    data: dict[str, Any], forced: Mapping[str, Any], path: tuple[str, ...] = ()
) -> list[ForcedFlagWarning]:
    """Put values in *data* that torch ranks above all sources; return a warning for each one that is lost."""
    found = []
    for name, value in forced.items():
        given = data.get(name)
        if isinstance(value, Mapping):
            if isinstance(given, Mapping | None):  # settings that are passed as one have been forced already
                data[name] = {**(given or {})}
                found += _force(data[name], value, (*path, name))
            continue
        data[name] = value
        given = given.value if isinstance(given, SourceValue) else given
        if given is not None and not is_same_value(given, value.value):
            flag = ".".join((*path, name))
            message = f"{flag}: {short_repr(given)} has no effect: {value.origin} beats every other setting"
            found.append(ForcedFlagWarning(message, flag=flag))
    return found
