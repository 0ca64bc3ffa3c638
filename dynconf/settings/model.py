"""What the settings models of all config modules have in common."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler, PrivateAttr, create_model
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import core_schema
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict
from typing_extensions import Self, override

from dynconf.errors import DynconfError, UnknownFlagError
from dynconf.flags.types import same
from dynconf.live.install import Installation, Scope, install_layer
from dynconf.live.patch import Patch, patch_of
from dynconf.modules import catalogue
from dynconf.names import is_known
from dynconf.origin import DEFAULT, Caller, Origin, caller
from dynconf.release import Release
from dynconf.rules import check_rules
from dynconf.settings.display import Displayed, Origins
from dynconf.settings.failures import as_validation_error
from dynconf.settings.fields import default_values, fields, mutable_defaults, schema_of_release, settings_of
from dynconf.settings.plan import Plan, plan_of
from dynconf.settings.sources import RUNNING, Construction, FileSource, Refused, as_ours
from dynconf.settings.validation import VALIDATION, Validation, outer_of
from dynconf.snapshot import Snapshot, set_by
from dynconf.sources.calls import read_data, read_keywords, read_values
from dynconf.sources.layer import Layer, Missing, check_missing, merged, without_internal
from dynconf.sources.merge import judged, read_all

OPTIONS = frozenset(
    name for name in inspect.signature(BaseSettings.__init__).parameters if name.startswith("_")
) - {"__pydantic_self__"}
"""The options of pydantic-settings that a call may pass; they differ between its versions."""


def _dump(settings: Any, dump: Callable[[Any], Any]) -> Any:
    """Serialize; what the release of the settings lacks is left out."""
    if not isinstance(settings, Settings):
        return dump(settings)
    settings._notice_changes()
    data = dump(settings)
    if isinstance(data, dict):
        here = catalogue(settings._module).at(settings._release).settings
        for name in settings._plan.settings - here.keys():
            data.pop(name, None)
    return data


class Ready(dict[str, Any]):
    """Values that have been read and checked: for the fields, without a further question."""


class Settings(Displayed, BaseSettings):
    """What the settings models of all config modules have in common; `model_of` adds the fields."""

    model_config = SettingsConfigDict(extra="forbid", validate_assignment=True, validate_default=False)

    _module: ClassVar[str]
    _plan: ClassVar[Plan]
    _release: Release = PrivateAttr(default_factory=lambda: _release_of(RUNNING.get()))
    _origins: dict[str, Origin] = PrivateAttr(default_factory=lambda: _origins_of(RUNNING.get()))

    def __init__(
        self,
        *,
        _config: str | Path | None = None,
        _torch: str | None = None,
        _missing: Missing | None = None,
        **values: Any,
    ) -> None:
        here, model = caller(), type(self)
        validation = VALIDATION.get()
        if validation is not None and validation.model is model:
            VALIDATION.set(None)  # it is not for settings that are made on the way
        else:
            validation = None
        try:
            release = Release.named(_torch) if _torch else Release.at_hand()
            check_missing(_missing)
            self._make(here, release, _config, _missing, values, validation)
        except DynconfError as error:
            if validation is None:
                raise
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
        options = values.keys() & OPTIONS
        plan.refuse_without_effect(type(self), {name: values[name] for name in options})
        named = {
            name: value for name, value in values.items() if name not in options and not plan.is_own(name)
        }
        if validation is None:
            given = read_keywords(named, release, here.origin("keyword"), module=module)
        else:
            called = {name: (value, validation.origin(name, value, here)) for name, value in named.items()}
            given = _without_idle(
                read_data(called, release, module=module, texts=validation.outer is not None)
            )
        self._make_of(self._of_this_module(given), here, release, config, missing, values)

    def _make_of(
        self,
        given: Layer,
        here: Caller,
        release: Release,
        config: str | Path | None,
        missing: Missing | None,
        values: dict[str, Any],
    ) -> None:
        """Make the settings of what the call gives and of the other sources.

        Args:
            given: The flags that the call gives.
            here: The call.
            release: The release.
            config: The settings file that it names.
            missing: What it asks to do about flags that the release lacks.
            values: What it passes, options of pydantic-settings included.
        """
        plan, module = self._plan, self._module
        classes = plan.layer(release, missing)
        if plan.is_plain and not values.keys() & OPTIONS:
            # There is nothing that pydantic would add: its sources are ours, and its fields are checked.
            whole = read_all(release, given, config=config, missing=missing, modules=(module,))
            layer = judged(merged((classes, whole)) if plan.defaults else whole).resolved()
            found = {setting.key: value for setting, value in layer.values.items()}
            origins = {setting.key: origin for setting, origin in layer.origins.items()}
            self.__setstate__(
                {
                    "__dict__": {**default_values(module, release), **found},
                    "__pydantic_fields_set__": {name for name in found if origins[name].kind != "class"},
                    "__pydantic_extra__": None,
                    "__pydantic_private__": {"_release": release, "_origins": origins},
                }
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
            vars(self).update(
                {
                    setting.key: value
                    for setting, value in layer.values.items()
                    if layer.origins[setting].kind == "class"
                }
            )
        for note in layer.notes:
            here.warn(note)

    @classmethod
    def from_data(
        cls,
        data: Mapping[str, Any],
        *,
        origin: Origin | str | None = None,
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
        """
        here = caller()
        if isinstance(origin, str):
            origin = Origin("file", file=origin)
        release = Release.named(_torch) if _torch else Release.at_hand()
        check_missing(_missing)
        called = {str(name): (data[name], origin or here.origin("keyword")) for name in data}
        given = cls._of_this_module(
            _without_idle(read_data(called, release, _missing or "error", cls._module))
        )
        made = cls.__new__(cls)
        made._make_of(given, here, release, _config, _missing, {})
        return made

    def __init_subclass__(cls, *, module: str | None = None, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if module is not None:
            cls._module = module
        customise = vars(cls).get("settings_customise_sources")
        if isinstance(customise, classmethod):
            cls.settings_customise_sources = classmethod(as_ours(customise.__func__))  # type: ignore[method-assign, assignment]

    @classmethod
    @override
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        super().__pydantic_init_subclass__(**kwargs)
        # Reading a default is no use of a flag that should not be used; setting it is, and says so.
        for name, field in cls.model_fields.items():
            if field.deprecated and name in vars(cls):
                delattr(cls, name)
        cls._plan = plan_of(cls, Settings, cls._module, caller())

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
        schema = handler(source)
        whole: Any = handler.resolve_ref_schema(schema)
        if whole.get("metadata", {}).get("dynconf") is not cls:
            # The definition itself is changed, so that everything that refers to the model validates alike.
            inner = {**whole}
            whole.clear()
            whole |= core_schema.no_info_wrap_validator_function(
                cls._validate,
                inner,
                ref=inner.pop("ref", None),
                metadata={"dynconf": cls},
                serialization=core_schema.wrap_serializer_function_ser_schema(_dump),
            )
        return schema

    @classmethod
    def _validate(cls, data: Any, handler: core_schema.ValidatorFunctionWrapHandler) -> Any:
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
            found = {
                setting.key: value
                for setting, value in layer.values.items()
                if layer.origins[setting].kind != "class"
            }
            return handler(Ready({**own, **found}))
        if not isinstance(data, Mapping) or not all(isinstance(name, str) for name in data):
            return handler(data)
        token = VALIDATION.set(Validation(cls, data, outer_of(cls)))
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
            found["properties"] = {**schema_of_release(cls._module, cls._plan.values()), **others}
        return found

    @classmethod
    def _of_this_module(cls, layer: Layer) -> Layer:
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
        return Origins(self)

    def patch(self) -> Patch:
        """Return a patch of what was set, in a subclass's defaults too; other defaults are left alone.

        Raises:
            UnknownFlagError: The live torch lacks a flag.
            InvalidValueError: A flag does not accept its value.
            ConflictError: A rule over several flags forbids the values.
        """
        changes = {name: value for name, (value, _) in self.flags_set().items()}
        return patch_of(changes, caller(), self._module)

    def install(self, scope: Scope = "process") -> Installation:
        """Put what was set in force, for the process or for the running thread or task.

        Defaults are left alone, apart from those of a subclass. Every thread sees an installation for the
        process, even those already running; patches go on top.

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
        # A set may have been changed in place since it was checked, and another torch may have been loaded.
        layer = judged(read_values(self.flags_set(), Release.at_hand(), self._module)).resolved()
        return install_layer(layer, caller(), scope)

    def as_snapshot(self) -> Snapshot:
        """Return what is set, by the names that the release of the settings uses."""
        layer = read_values(self.flags_set(), self._release, self._module).sound()
        return set_by(layer, self._release, layer.values)

    def flags_set(self) -> dict[str, tuple[Any, Origin]]:
        """Return the flags that are not merely torch's defaults, sorted, each with value and origin."""
        self._notice_changes()
        values, origins = vars(self), self._origins
        names = {*self.__pydantic_fields_set__, *origins} & self._plan.settings
        return {name: (values[name], origins.get(name, DEFAULT)) for name in sorted(names)}

    def _notice_changes(self, *names: str) -> None:
        """Count what was changed in place, such as a set, as set; of these fields, or of all."""
        defaults = mutable_defaults(self._module, self._release)
        for name in names or defaults:
            if name in defaults and name not in self.__pydantic_fields_set__ and name not in self._origins:
                default = defaults[name]
                value = vars(self).get(name, default)
                if value is not default and not same(value, default):
                    self.__pydantic_fields_set__.add(name)
                    self._origins = {**self._origins, name: Origin("assignment")}

    @property
    @override
    def model_fields_set(self) -> set[str]:
        """The fields that were set, those changed in place included."""
        self._notice_changes()
        return self.__pydantic_fields_set__

    @classmethod
    @override
    def model_construct(cls, _fields_set: set[str] | None = None, **values: Any) -> Self:
        """Return settings of values that are trusted: nothing is checked, no other source is read."""
        here = caller()
        made = super().model_construct(_fields_set, **values)
        made._origins = dict.fromkeys(made.__pydantic_fields_set__, here.origin("keyword"))
        return made

    @override
    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Return a copy.

        Args:
            update: Flags to set in it; they are checked as in an assignment, and so are the rules.
            deep: Whether to copy sets and the like, too.

        Raises:
            DynconfError: A name or a value is wrong; the error tells of all mistakes.
        """
        here = caller()
        self._notice_changes()
        copied = super().model_copy(deep=deep)
        if update:
            copied._assign(update, here)
        return copied

    def _assign(self, changes: Mapping[str, Any], here: Caller) -> None:
        """Set fields, after a check of all of them together."""
        own = {name: value for name, value in changes.items() if self._plan.is_own(name)}
        named = {name: value for name, value in changes.items() if name not in own}
        given = read_keywords(named, self._release, here.origin("keyword"), module=self._module)
        layer = without_internal(self._of_this_module(given)).resolved()
        verdict = check_rules(
            layer.values,
            lambda setting: layer.values[setting] if setting in layer.values else vars(self)[setting.key],
            lambda setting: layer.origins.get(setting) or self.origins[setting.key],
        )
        Layer(errors=verdict.errors).sound()
        for note in (*layer.notes, *verdict.warnings):
            here.warn(note)
        for setting, checked in layer.values.items():
            super().__setattr__(setting.key, checked)
            # Copies share the old dict.
            self._origins = {**self._origins, setting.key: layer.origins[setting]}
        for name, value in own.items():
            super().__setattr__(name, value)

    def __eq__(self, other: object) -> bool:
        """Compare values, as models do; where a value came from does not count."""
        if not isinstance(other, Settings):
            return NotImplemented
        return type(self) is type(other) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Read a flag by an old name."""
            newest = catalogue(self._module).canonical(name)
            return getattr(self, newest) if newest != name else super().__getattr__(name)

        def __setattr__(self, name: str, value: object) -> None:
            """Set a flag by any of its names: the value is checked, its origin is the calling line."""
            if self._plan.is_own(name) or (name.startswith("_") and not is_known(name, self._module)):
                super().__setattr__(name, value)
            else:
                self._assign({name: value}, caller())


def model_of(module: str) -> type[Settings]:
    """Return the settings model of a config module."""
    name = f"{module.capitalize()}Settings"
    found: type[Settings] = create_model(
        name,
        __base__=Settings,
        __module__=__package__,
        __cls_kwargs__={"module": module},
        **fields(module, _default),
    )
    found.__qualname__ = name
    return found


def _default(module: str, name: str) -> Any:
    return settings_of(module, _release_of(RUNNING.get()))[name].default_value()


def _release_of(running: Construction | None) -> Release:
    return Release.at_hand() if running is None else running.release


def _origins_of(running: Construction | None) -> dict[str, Origin]:
    if running is None or running.layer is None:
        return {}
    return running.origins | {setting.key: origin for setting, origin in running.layer.origins.items()}


def _without_idle(layer: Layer) -> Layer:
    """Leave out notes of flags that do nothing and have their defaults: a state of all flags has these."""
    idle = {
        setting.qualified
        for setting, value in layer.values.items()
        if setting.inert and same(value, setting.default_value())
    }
    return replace(layer, notes=tuple(note for note in layer.notes if note.flag not in idle))
