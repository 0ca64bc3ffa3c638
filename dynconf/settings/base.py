"""Models of flags that read sources: what is added to the models that read nothing."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import core_schema
from pydantic_settings import (
    BaseSettings,
    DotEnvSettingsSource,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)
from typing_extensions import override

from dynconf.errors import DynconfError, DynconfWarning, ForcedFlagWarning
from dynconf.flags.types import same, shown
from dynconf.origin import Origin, caller
from dynconf.release import Release
from dynconf.settings.entries import entries_in, entry, raised
from dynconf.settings.provenance import HIDDEN, Call, SourceStates, SourceValue
from dynconf.settings.sources import DotenvSource, EnvironmentSource, FileSource, forced_values
from dynconf.settings.validation import unified
from dynconf.sources.missing import Missing, check_missing


class Settings(BaseSettings):
    """The part of settings models that reads sources; it comes before a `FlagModel` among the bases.

    A construction goes through both: ``BaseSettings`` reads and merges the sources, and passes the merged
    values on as keywords to the `FlagModel`, which takes origins and mistakes off them and validates.
    """

    model_config = SettingsConfigDict(validate_default=False)

    def __init__(
        self,
        *,
        _config: str | Path | None = None,
        _torch: str | None = None,
        _missing: Missing | None = None,
        **values: Any,
    ) -> None:
        # The options travel as the keywords do: sources find them in the state of those that rank above.
        options = {"_config": _config, "_torch": _torch, "_missing": _missing}
        values, errors = unified(type(self), values)
        if errors:
            values[HIDDEN] = {**values.get(HIDDEN, {}), "errors": {"call": [each for _, each in errors]}}
        super().__init__(**{name: each for name, each in options.items() if each is not None}, **values)

    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]  # see FlagModel

    @classmethod
    def _call(cls, data: dict[str, Any]) -> Call:
        """Return the context of the construction, and leave in *data* nothing but values of fields."""
        hidden: dict[str, Any] = data.pop(HIDDEN, {})
        torch, missing, _ = (data.pop(name, None) for name in ("_torch", "_missing", "_config"))
        errors = _all_in(hidden.get("errors"))
        release = Release.at_hand()
        try:
            release = Release.named(torch) if torch else release
            check_missing(missing or "warn", "_missing")
        except DynconfError as error:
            errors.append(error)
        here, states = caller(), hidden.get("states")
        warnings: list[DynconfWarning] = _all_in(hidden.get("warnings"))
        for warning in (*warnings, *_with_forced(data, forced_values(cls, release), ())):
            here.warn(warning)
        return Call(
            here,
            hidden.get("origin") or here.origin("keyword"),
            release,
            reads=cls._reads,
            missing=missing or "warn",
            errors=tuple(errors),
            states=states.by_source if isinstance(states, SourceStates) else None,
        )

    @classmethod
    def _validate_data(
        cls,
        data: Mapping[str, Any],
        handler: core_schema.ValidatorFunctionWrapHandler,  # noqa: ARG003  the call has its own
        info: core_schema.ValidationInfo,
        origin: Origin | None,
    ) -> Any:
        """Read the sources besides the data, as pydantic-settings does when its models are validated."""
        given = info.context.origin if isinstance(info.context, Call) else origin
        # No name in data is an option: that could have a file read.
        private = [name for name in data if name.startswith("_")]
        refused = [
            entry("extra_forbidden", "Extra inputs are not permitted", (name,), data[name])
            for name in private
        ]
        values = {name: data[name] for name in data if name not in private}
        if given is not None:
            values[HIDDEN] = {"origin": given}
        try:
            made = cls(**values)
        except ValidationError as error:
            raise raised(cls, [*entries_in(error), *refused], info.mode) from None
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
        assert isinstance(env_settings, EnvSettingsSource)
        assert isinstance(dotenv_settings, DotEnvSettingsSource)
        return (
            init_settings,
            EnvironmentSource(settings_cls, env_settings),
            DotenvSource(settings_cls, dotenv_settings),
            file_secret_settings,
            FileSource(settings_cls),
        )


def _all_in(by_source: Mapping[str, Iterable[Any]] | None) -> list[Any]:
    return [each for found in (by_source or {}).values() for each in found]


def _with_forced(
    data: dict[str, Any], forced: Mapping[str, Any], path: tuple[str, ...]
) -> Iterable[DynconfWarning]:
    """Put values that torch forces above those of all sources, with a warning for each that is lost."""
    for name, value in forced.items():
        if isinstance(value, Mapping):
            data[name] = dict(data.get(name, {}))
            yield from _with_forced(data[name], value, (*path, name))
            continue
        before = data.get(name, value)
        before = before.value if isinstance(before, SourceValue) else before
        if not same(before, value.value):
            flag = ".".join((*path, name))
            message = f"{flag}: {shown(before)} has no effect: {value.origin} beats every other setting"
            yield ForcedFlagWarning(message, flag=flag)
        data[name] = value
