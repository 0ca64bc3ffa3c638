"""`CompileSettings`: the settings of all config modules, as one model."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from types import MappingProxyType
from typing import Any

from pydantic import Field, ValidationError, create_model
from pydantic_core import core_schema
from pydantic_settings import (
    BaseSettings,
    DotEnvSettingsSource,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
)
from typing_extensions import override

from dynconf.catalogue import Setting, moved
from dynconf.errors import ConflictError, InvalidValueError, combined
from dynconf.flags.types import shown
from dynconf.modules import catalogue, home
from dynconf.names import split
from dynconf.origin import Caller, Origin
from dynconf.settings.model import Settings
from dynconf.settings.sourced import Sourced
from dynconf.settings.sources import ProgramVariables
from dynconf.settings.validation import SHARED, Call, Shared
from dynconf.sources.reading import Reading

_FOR_EACH = ("env_file", "env_file_encoding", "secrets_dir")
"""The options of pydantic-settings for files in which variables of flags may be, too."""


class _ProgramFiles(ProgramVariables, DotEnvSettingsSource):
    """The variables of a program in the files that ``env_file`` names."""

    @override
    def __call__(self) -> dict[str, Any]:
        return EnvSettingsSource.__call__(self)  # what is left over is for the settings of the modules


class Whole(Sourced, root=True):
    """What `CompileSettings` is apart from its fields, which `whole_of` adds."""

    _module = "dynamo"
    _ours = MappingProxyType({EnvSettingsSource: ProgramVariables, DotEnvSettingsSource: _ProgramFiles})

    @override
    def _read(self, values: dict[str, Any], options: dict[str, Any], call: Call) -> None:
        model = type(self)
        files = {f"_{name}": options.get(f"_{name}", model.model_config.get(name)) for name in _FOR_EACH}
        shared = Shared(model, call, {name: value for name, value in files.items() if value is not None})
        token = SHARED.set(shared)
        try:
            given = {**(values if call.validation else model._by_module(values)), **options}
            if model._plan.is_plain and not options:
                self.__pydantic_validator__.validate_python(given, self_instance=self)
            else:
                BaseSettings.__init__(self, **given)
        except ValidationError:
            if call.validation is None and shared.errors:
                # All modules look into the same file: what is wrong with it is said once.
                told = {str(error): error for error in shared.errors}
                raise combined(list(told.values())) from None
            raise
        finally:
            SHARED.reset(token)
        self._release = call.release
        own = self.__pydantic_fields_set__ - self._inner.keys()
        source = Origin("source", "pydantic-settings")
        passed = {self._plan.others.get(name, name) for name in values}
        self._origins = {name: call.here.origin("keyword") if name in passed else source for name in own}

    @classmethod
    def _by_module(cls, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values with those of flags that are given by full name under their modules."""
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
            if name in found:
                continue
            module, bare = split(name)
            beside = found.setdefault(module, {})
            if not isinstance(beside, Mapping) or bare in beside:
                raise ConflictError(f"{name} is set twice: {shown(value)} and in {module}={shown(beside)}")
            found[module] = {**beside, bare: value}
        return found

    @classmethod
    @override
    def settings_customise_sources(  # type: ignore[override]  # the same, by name
        cls, _settings_cls: type[BaseSettings], **sources: PydanticBaseSettingsSource
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Return the sources of the program, highest first; those of dynconf are read module by module."""
        return tuple(sources.values())

    @classmethod
    @override
    def _validate(
        cls, data: Any, handler: core_schema.ValidatorFunctionWrapHandler, info: core_schema.ValidationInfo
    ) -> Any:
        shared = SHARED.get()
        if shared is None or shared.model is not cls or shared.is_begun:
            return super()._validate(data, handler, info)
        shared.is_begun = True
        return cls._completed(data, handler)

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
        return ".".join(split(setting.newest))

    @classmethod
    @override
    def _newest(cls, name: str) -> str:
        module, bare = split(name)
        return f"{module}.{catalogue(module).canonical(bare)}" if name == f"{module}.{bare}" else name

    @classmethod
    @override
    def _of_this_model(cls, layer: Reading) -> Reading:
        return layer

    @classmethod
    @override
    def _properties(cls) -> dict[str, Any]:
        return {}

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


def whole_of(models: Mapping[str, type[Settings]]) -> type[Whole]:
    """Return the model with the settings of all config modules, of which *models* has the class of each."""
    made: Any = {
        module: (model, Field(default_factory=model, description=f"Settings of ``{home(module)}``."))
        for module, model in models.items()
    }
    return create_model("CompileSettings", __base__=Whole, __module__="dynconf.settings", **made)
