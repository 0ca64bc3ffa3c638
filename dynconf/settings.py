"""Settings models: every public flag of a config module as a typed field, filled from all sources."""

import functools
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from pydantic import Field, GetCoreSchemaHandler, GetJsonSchemaHandler, PrivateAttr, create_model
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import core_schema
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict
from typing_extensions import override

from dynconf._generated import dynamo_fields, functorch_fields
from dynconf.catalogue import Setting
from dynconf.errors import UnknownFlagError
from dynconf.flags.flag import Flag
from dynconf.flags.types import Mismatch
from dynconf.live.install import Installation, Scope, install_layer
from dynconf.live.patch import Patch, patch_of
from dynconf.modules import catalogue
from dynconf.origin import DEFAULT, Origin, caller
from dynconf.release import Release
from dynconf.rules import check_rules
from dynconf.schema import flag_schema
from dynconf.sources.calls import read_keywords, read_values
from dynconf.sources.layer import Layer, Missing, without_internal
from dynconf.sources.merge import gather, judged

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from dynconf._generated.keywords import DynamoValues, FunctorchValues


class Settings(BaseSettings):
    """What the settings models of all config modules have in common; the fields come with `_with_fields`."""

    model_config = SettingsConfigDict(extra="forbid", validate_assignment=True, validate_default=False)

    _module: ClassVar[str]
    _release: Release = PrivateAttr(default_factory=Release.at_hand)
    _origins: dict[str, Origin] = PrivateAttr(default_factory=dict)

    def __init__(
        self,
        *,
        _config: str | Path | None = None,
        _torch: str | None = None,
        _missing: Missing | None = None,
        **flags: Any,
    ) -> None:
        here, module = caller(), self._module
        release = Release.named(_torch) if _torch else Release.at_hand()
        given = self._own(read_keywords(flags, release, here.origin("keyword"), module=module))
        layer = gather(release, given, config=_config, missing=_missing, modules=(module,)).resolved()
        for note in layer.notes:
            here.warn(note)
        values = {setting.key: value for setting, value in layer.values.items()}
        private = {
            "_release": release,
            "_origins": {setting.key: origin for setting, origin in layer.origins.items()},
        }
        if type(self).__module__ == __name__:
            # The values have been checked and the defaults are torch's: there is nothing to validate.
            self.__setstate__(
                {
                    "__dict__": {**_defaults(module, release), **values},
                    "__pydantic_fields_set__": set(values),
                    "__pydantic_extra__": None,
                    "__pydantic_private__": private,
                }
            )
            return
        # A subclass may have fields, defaults and validators of its own.
        super().__init__(**values)
        for name, value in private.items():
            setattr(self, name, value)
        if release.minor != Release.at_hand().minor:
            unset = vars(self).keys() - values.keys()
            vars(self).update(
                {name: value for name, value in _defaults(module, release).items() if name in unset}
            )

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
        """Leave reading to `dynconf.sources`, which reports all mistakes at once and knows origins."""
        return (init_settings,)

    @classmethod
    def _own(cls, layer: Layer) -> Layer:
        """Return the layer; a flag of another config module is a mistake in it."""
        others = [setting for setting in layer.values if setting.module != cls._module]
        errors = [
            UnknownFlagError(
                f"{setting.qualified} (from {layer.origins[setting]}) is not a flag of {cls._module}:"
                f" use dynconf.{setting.module}, or dynconf.install({setting.module}={{...}})",
                flag=setting.qualified,
            )
            for setting in others
        ]
        return Layer(layer.values, layer.origins, (*layer.errors, *errors), layer.notes) if errors else layer

    @property
    def origins(self) -> Mapping[str, Origin]:
        """Where each field's value came from, defaults included."""
        return MappingProxyType({**dict.fromkeys(type(self).model_fields, DEFAULT), **self._origins})

    def patch(self) -> Patch:
        """Return a patch of what was set; defaults are left alone.

        Raises:
            UnknownFlagError: The live torch lacks a flag.
            InvalidValueError: A flag does not accept its value.
            ConflictError: A rule over several flags forbids the values.
        """
        changes = {name: getattr(self, name) for name in sorted(self.model_fields_set)}
        return patch_of(changes, caller(), self._module)

    def install(self, scope: Scope = "process") -> Installation:
        """Put what was set in force, for the process or for the running thread or task.

        Defaults are left alone. Every thread sees an installation for the process, even those already
        running; patches go on top.

        Args:
            scope: ``"process"``, or ``"context"`` for the running thread or task only (torch 2.12 and newer).

        Returns:
            The installation, in force; `Installation.uninstall` takes it back, and as a context manager it
            does so on leaving.

        Raises:
            UnknownFlagError: The live torch lacks a flag.
            InvalidValueError: A flag does not accept its value, or this torch does not support that scope.
            ConflictError: A rule over several flags forbids the values.
        """
        origins = self.origins
        values = {name: (getattr(self, name), origins[name]) for name in sorted(self.model_fields_set)}
        # A set may have been changed in place since it was checked, and another torch may have been loaded.
        layer = judged(read_values(values, Release.at_hand(), self._module)).resolved()
        return install_layer(layer, caller(), scope)

    def __eq__(self, other: object) -> bool:
        """Compare values and what was set; where a value came from does not count."""
        if not isinstance(other, Settings):
            return NotImplemented
        return self.model_fields_set == other.model_fields_set and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Read a flag by an old name."""
            newest = catalogue(self._module).canonical(name)
            return getattr(self, newest) if newest != name else super().__getattr__(name)

        def __setattr__(self, name: str, value: object) -> None:
            """Set a flag by any of its names: the value is checked, its origin is the calling line."""
            if name.startswith("_") and name not in catalogue(self._module).flags:
                super().__setattr__(name, value)
                return
            here = caller()
            given = read_keywords({name: value}, self._release, here.origin("keyword"), module=self._module)
            layer = without_internal(self._own(given)).resolved()
            verdict = check_rules(
                layer.values,
                lambda setting: (
                    layer.values[setting] if setting in layer.values else getattr(self, setting.key)
                ),
                lambda setting: layer.origins.get(setting) or self.origins[setting.key],
            )
            Layer(errors=verdict.errors).sound()
            for note in (*layer.notes, *verdict.warnings):
                here.warn(note)
            for setting, checked in layer.values.items():
                super().__setattr__(setting.key, checked)
                self._origins = {
                    **self._origins,
                    setting.key: layer.origins[setting],
                }  # copies share the old dict


class FromCatalogue:
    """The annotation of a field: the flag's own type checks its values, as everywhere in dynconf."""

    def __init__(self, flag: Flag) -> None:
        self.flag = flag

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        """Validate by the flag's type; write JSON as state files contain it."""
        to_json = core_schema.plain_serializer_function_ser_schema(self.flag.type.to_data, when_used="json")
        return core_schema.no_info_plain_validator_function(self._check, serialization=to_json)

    def _check(self, value: object) -> Any:
        try:
            return self.flag.type.check(value)
        except Mismatch as problem:
            more = f"; {problem}" if str(problem) else ""
            raise ValueError(f"expected {self.flag.type.expected}{more}") from None

    def __get_pydantic_json_schema__(
        self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Return the schema that ``dynconf schema`` gives for the flag."""
        return flag_schema(self.flag)


def _with_fields(module: str, declared: type) -> type[Settings]:
    """Return `Settings` with the fields that a generated class declares for type checkers and editors."""
    flags = catalogue(module).flags
    fields: dict[str, Any] = {
        name: (
            Annotated[annotation, FromCatalogue(flags[name])],
            Field(
                default_factory=functools.partial(_default, module, name), description=flags[name].description
            ),
        )
        for name, annotation in declared.__annotations__.items()
    }
    return create_model(f"{module.capitalize()}Fields", __base__=Settings, __module__=__name__, **fields)


def _default(module: str, name: str) -> Any:
    return _fields(module, Release.at_hand())[name].default_value()


def _defaults(module: str, release: Release) -> dict[str, Any]:
    """Return the defaults of all fields in that release."""
    defaults, unshared = _prepared_defaults(module, release)
    return {**defaults, **{name: setting.default_value() for name, setting in unshared.items()}}


@functools.lru_cache(maxsize=32)
def _prepared_defaults(module: str, release: Release) -> tuple[dict[str, Any], dict[str, Setting]]:
    """Return the defaults of all fields, and the settings of which each instance needs its own."""
    settings = _fields(module, release)
    defaults = {name: setting.default_value() for name, setting in settings.items()}
    immutable = (bool, int, float, str, type(None))
    unshared = {
        name: setting
        for name, setting in settings.items()
        if setting.is_computed or not isinstance(defaults[name], immutable)
    }
    return defaults, unshared


@functools.lru_cache(maxsize=32)
def _fields(module: str, release: Release) -> dict[str, Setting]:
    """Return the setting behind each field; one that the release lacks is as in the closest release."""
    known = catalogue(module)
    here = known.at(release).settings
    public = (flag.name for flag in known.flags.values() if flag.public and not flag.renamed)
    return {name: here.get(name) or Setting(known.flags[name], name, release) for name in sorted(public)}


if TYPE_CHECKING:

    class DynamoFields(Settings, dynamo_fields.Fields):
        """The fields of `DynamoSettings`."""

    class FunctorchFields(Settings, functorch_fields.Fields):
        """The fields of `FunctorchSettings`."""

else:
    DynamoFields = _with_fields("dynamo", dynamo_fields.Fields)
    FunctorchFields = _with_fields("functorch", functorch_fields.Fields)


class DynamoSettings(DynamoFields):
    """Settings of ``torch._dynamo``: keywords > environment > files > default of the release at hand.

    Old names are accepted (``cache_size_limit`` sets `recompile_limit`). Assignments are validated.

    Args:
        _config: A TOML or JSON file, in place of ``DYNCONF_CONFIG`` and the search for ``dynconf.toml``.
        _torch: The release to answer for, such as ``"2.9"``, in place of the one at hand.
        _missing: What to do about flags of a file that the release lacks: ``"error"``, ``"warn"`` or
            ``"skip"``; None for what the file says.
        **flags: Values, by flag.

    Raises:
        UnknownFlagError: A name is misspelt, not there yet, or gone.
        InvalidValueError: A flag does not accept its value.
        ConflictError: Two names of one flag have different values, or a rule over several flags forbids them.
        StateFileError: A file cannot be read.

    Example:
        >>> import os; os.environ["TORCHDYNAMO_VERBOSE"] = "yes"
        >>> settings = DynamoSettings(recompile_limit=64)
        >>> settings.recompile_limit, settings.verbose, sorted(settings.model_fields_set)
        (64, True, ['recompile_limit', 'verbose'])
        >>> print(settings.origins["verbose"])
        environment TORCHDYNAMO_VERBOSE=yes
    """

    _module: ClassVar[str] = "dynamo"

    if TYPE_CHECKING:
        # Without it, type checkers derive a signature from the fields, which does not accept old names.
        def __init__(
            self,
            *,
            _config: str | Path | None = None,
            _torch: str | None = None,
            _missing: Missing | None = None,
            **flags: Unpack[DynamoValues],
        ) -> None: ...


class FunctorchSettings(FunctorchFields):
    """Settings of ``torch._functorch``, with everything that `DynamoSettings` does for ``torch._dynamo``.

    In files the flags are in the table ``functorch``.

    Example:
        >>> settings = FunctorchSettings(donated_buffer=False)
        >>> settings.donated_buffer, settings.model_fields_set
        (False, {'donated_buffer'})
    """

    _module: ClassVar[str] = "functorch"

    if TYPE_CHECKING:

        def __init__(
            self,
            *,
            _config: str | Path | None = None,
            _torch: str | None = None,
            _missing: Missing | None = None,
            **flags: Unpack[FunctorchValues],
        ) -> None: ...
