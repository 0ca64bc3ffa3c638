"""The fields of the models: each flag of the catalogue as pydantic declares a field."""

import functools
import typing
from collections.abc import Callable, Mapping
from typing import Annotated, Any

from pydantic import AliasChoices, Field, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.fields import FieldInfo
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import SchemaValidator, core_schema
from pydantic_settings import NoDecode

from dynconf.catalogue import Setting
from dynconf.flags.flag import Flag
from dynconf.flags.types import AtLeast, ValueType
from dynconf.modules import catalogue
from dynconf.names import find
from dynconf.release import RELEASES, Release, minor
from dynconf.settings.provenance import call_in

_IMMUTABLE = (bool, int, float, str, type(None))
"""The types of defaults that instances of a model may share."""


class FlagField:
    """The annotation by which a field is that of a flag: the flag's own type reads and checks its values.

    A subclass may declare the field again, as in ``recompile_limit: Literal[8, 16] = 16``. It stays the
    flag: the flag's type still reads the values, and the new annotation then narrows them.

    Args:
        setting: The flag, as the release has it for which the model is built.
        narrowed: Whether a subclass has annotated the field.
    """

    def __init__(self, setting: Setting, *, narrowed: bool = False) -> None:
        self.setting = setting
        self.narrowed = narrowed

    def __repr__(self) -> str:
        return f"FlagField({self.setting.qualified!r})"

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        own: Any = self.setting.type.core_schema()
        if len({self.setting.flag.type_in(minor(each)) for each in RELEASES}) > 1:
            written = own.get("serialization")
            own = core_schema.with_info_wrap_validator_function(self._validate, own, serialization=written)
        if not self.narrowed:
            return own  # type: ignore[no-any-return]
        narrowed = core_schema.no_info_wrap_validator_function(_narrowed, handler(source))
        return core_schema.chain_schema([own, narrowed], serialization=own.get("serialization"))

    def __get_pydantic_json_schema__(
        self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        if schema["type"] != "chain":
            return handler(schema)
        # pydantic would describe the first step alone.
        own, narrowed = map(handler, schema["steps"])
        return {**own, **narrowed}

    def _validate(
        self, value: Any, handler: core_schema.ValidatorFunctionWrapHandler, info: core_schema.ValidationInfo
    ) -> Any:
        """Validate by the type that the flag has in the release of the call, which may be another one."""
        release = (call_in(info.context) or self.setting).release
        kind = self.setting.flag.type_in(release.minor)
        return handler(value) if kind == self.setting.type else _validator(kind).validate_python(value)


def _narrowed(value: Any, handler: core_schema.ValidatorFunctionWrapHandler) -> Any:
    checked = handler(value)
    return value if isinstance(value, AtLeast) else checked  # of which pydantic makes an ordinary number


@functools.lru_cache(maxsize=64)
def _validator(kind: ValueType) -> SchemaValidator:
    return SchemaValidator(kind.core_schema())


def is_flag(field: FieldInfo) -> bool:
    """Tell whether a field is that of a flag."""
    return any(isinstance(each, FlagField) for each in field.metadata)


def flag_fields(module: str, group: str, release: Release) -> dict[str, Any]:
    """Return the fields for a group of flags, or for those in none, as `pydantic.create_model` takes them."""
    settings, start = settings_in(module, release, group), f"{group}." if group else ""
    # An old release has the record of the old name, which says little more than that.
    records = {name: catalogue(module).flags[start + name] for name in settings}
    # A path may be given as os.PathLike, but a field always contains text.
    declared = {
        name: record.type.annotation.replace("str | os.PathLike[str]", "str")
        for name, record in records.items()
    }
    names = {"Any": Any, "Callable": Callable, "Literal": typing.Literal}
    types = typing.get_type_hints(type("Declared", (), {"__annotations__": declared}), names)
    return {
        name: (Annotated[types[name], FlagField(setting), NoDecode], _field(setting, group, records[name]))
        for name, setting in settings.items()
    }


def _field(setting: Setting, group: str, record: Flag) -> Any:
    value = setting.default_value()
    is_shared = isinstance(value, _IMMUTABLE) and not setting.is_computed
    default: Any = {"default": value} if is_shared else {"default_factory": setting.default_value}
    return Field(
        **default,
        description=record.description or None,
        validation_alias=AliasChoices(*_aliases(setting, group)),
        # Not `deprecated`, which would warn of reading a default; setting the flag warns.
        json_schema_extra={"deprecated": True} if _is_deprecated(setting) else None,
    )


def _is_deprecated(setting: Setting) -> bool:
    """Tell whether the flag should no longer be set in its release, or is not in it."""
    since = setting.flag.deprecated
    is_old = setting.status == "deprecated" or bool(since and minor(since) <= setting.release.minor)
    return is_old or bool(setting.inert) or is_absent(setting)


def _aliases(setting: Setting, group: str) -> tuple[str, ...]:
    """Return the field's name, the variables of the flag, and its old names in the same group.

    A variable that sets several flags is an alias of the first of them: a command line has one option of a
    name. One that torch forces is none: it would be an ordinary source of a value.
    """
    known = catalogue(setting.module)
    names = known.names_of(setting.key)
    owners = known.at(setting.release).followers
    own = [
        variable.name
        for variable in setting.variables
        if variable.rule != "force"
        and owners.get(variable.name, [(setting, variable)])[0][0].key == setting.key
    ]
    uniform = [known.flags[name].uniform_variable for name in names]
    local = [name.removeprefix(f"{group}.") for name in names if _group_of(name) == group]
    return tuple(dict.fromkeys((local[0], *own, *uniform, *local)))


@functools.lru_cache(maxsize=32)
def _settings_of(module: str, release: Release) -> Mapping[str, Setting]:
    """Return the public settings of a module by newest name.

    One that the release lacks is as in the closest release (see `is_absent`). A name that is a flag in some
    releases and a group in others is what it is in the release at hand.
    """
    known = catalogue(module)
    at_hand = known.at(Release.at_hand())
    public = (flag.name for flag in known.flags.values() if flag.public and not flag.renamed_to)
    return {
        name: find(f"{module}.{name}", release) or Setting(known.flags[name], name, release)
        for name in sorted(public)
        if not at_hand.is_group(name) and at_hand.get(_group_of(name)) is None
    }


@functools.lru_cache(maxsize=256)
def settings_in(module: str, release: Release, group: str = "") -> Mapping[str, Setting]:
    """Return the settings in a group, or in none, by the name of the field."""
    return {
        name.removeprefix(f"{group}."): setting
        for name, setting in _settings_of(module, release).items()
        if _group_of(name) == group
    }


def is_absent(setting: Setting) -> bool:
    """Tell whether the release lacks the flag, in whichever module."""
    return find(setting.newest, setting.release) is None


def groups_of(module: str, release: Release) -> list[str]:
    """Return the groups of flags that a module has in a release, sorted."""
    known = catalogue(module)
    view = known.at(release)
    found = {_group_of(flag.name) for flag in known.flags.values() if flag.public}
    return sorted(group for group in found if view.is_group(group))


def _group_of(name: str) -> str:
    group, dot, _ = name.partition(".")
    return group if dot else ""
