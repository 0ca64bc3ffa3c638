"""What the settings models of all config modules have in common."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pydantic import Field
from pydantic_core import core_schema
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource
from typing_extensions import override

from dynconf.catalogue import Setting
from dynconf.errors import DynconfError
from dynconf.flags.types import same
from dynconf.origin import Origin
from dynconf.release import Release
from dynconf.settings.construction import RUNNING, Construction, Refused
from dynconf.settings.fields import groups, settings_of
from dynconf.settings.group import Group, model_name, with_flags
from dynconf.settings.sourced import Sourced
from dynconf.settings.sources import FileSource
from dynconf.settings.validation import Call, asked_by
from dynconf.sources.calls import read_data, read_values
from dynconf.sources.gather import check_conflicts, gather
from dynconf.sources.reading import Reading, merge
from dynconf.sources.trust import without_internal
from dynconf.state import State


class Ready(dict[str, Any]):
    """Values that have been read and checked: for the fields, without a further question."""


class Settings(Sourced, root=True):
    """What the settings models of all config modules have in common; `model_of` adds the fields."""

    @override
    def _read(self, values: dict[str, Any], options: dict[str, Any], call: Call) -> None:
        plan, module, release = self._plan, self._module, call.release
        own = {name: value for name, value in values.items() if plan.is_own(name)}
        named = self._spread({name: value for name, value in values.items() if name not in own})
        if named and asked_by("jsonargparse"):  # which passes the default of every field
            defaults = {name: each.default_value() for name, each in settings_of(module, release).items()}
            defaults |= plan.values()
            named = {name: each for name, each in named.items() if not same(each[0], defaults.get(name, ...))}
            values = own
        if call.data_origin:
            values = own  # so that no name in the data is taken for an option
        called, validation = call.with_origins(named), call.validation
        if validation is None and call.data_origin is None:
            given = read_values(called, release, module)
        else:
            missing, texts = (None, validation.has_texts) if validation else (call.missing, False)
            given = read_data(called, release, missing or "error", module, texts=texts)
            given = replace(given, warnings=given.without_idle().warnings)
        given = self._of_this_model(given)
        more = validation.shared.defaults_of(module) if validation and validation.shared else {}
        classes = plan.layer(release, call.missing, more)
        if plan.is_plain and not options:
            # There is nothing that pydantic would add: its sources are ours, and its fields are checked.
            layer = gather(
                release, given, config=call.config, missing=call.missing, modules=(module,), check=False
            )
            layer = merge((classes, layer)) if plan.defaults or more else layer
            layer = check_conflicts(self._of_this_model(self._without_others(layer)))
            self._fill(
                release,
                {self._local(each): (value, origin) for each, (value, origin) in layer.resolved().items()},
            )
        else:
            running = Construction(type(self), call, without_internal(given), classes)
            layer = self._construct(running, {**values, **options})
        for note in layer.warnings:
            call.here.warn(note)

    def _construct(self, running: Construction, values: dict[str, Any]) -> Reading:
        """Have pydantic-settings read the sources; return what they gave."""
        token = RUNNING.set(running)
        try:
            BaseSettings.__init__(self, **values)
        except Refused as refused:
            raise refused.args[0] from None
        finally:
            RUNNING.reset(token)
        layer = running.layer or Reading(State(running.call.release))
        for setting, (value, origin) in layer.state.items():
            node, name = self._node(self._local(setting))
            node._origins[name] = origin
            if origin.kind == "class":
                vars(node)[name] = value
                node.__pydantic_fields_set__.discard(name)
        for name in self.__pydantic_fields_set__ & self._plan.settings - self._origins.keys():
            self._origins[name] = Origin("source", f"a validator of {type(self).__qualname__}")
        return layer

    @classmethod
    @override
    def _settings(cls) -> Mapping[str, Setting]:
        return settings_of(cls._module, Release.at_hand())

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
    def _validate(
        cls, data: Any, handler: core_schema.ValidatorFunctionWrapHandler, info: core_schema.ValidationInfo
    ) -> Any:
        running = RUNNING.get()
        if isinstance(data, Ready):
            return handler(data)
        if running is None or running.model is not cls or running.layer is not None:
            return super()._validate(data, handler, info)
        try:
            found = Ready(running.merge(data))
        except DynconfError as error:
            raise Refused(error) from None
        return handler(found)


def model_of(module: str) -> type[Settings]:
    """Return the settings model of a config module."""
    name = f"{module.capitalize()}Settings"
    inner: dict[str, Any] = {}
    for group in groups(module, Release.at_hand()):
        model = with_flags(Group, model_name(group), module, group)
        model.__qualname__ = f"{name}.{model.__name__}"
        model.__doc__ = f"The flags of ``{module}`` that begin with ``{group}.``."
        inner[group] = model, Field(default_factory=model._of_defaults, description=model.__doc__)
    found = with_flags(Settings, name, module, **inner)
    for model, _ in inner.values():
        setattr(found, model.__name__, model)
    return found
