"""The fields of the settings models: a flag's own type reads and writes their values."""

import contextlib
import functools
import typing
from collections.abc import Callable, Mapping
from typing import Annotated, Any

from pydantic import (
    AliasChoices,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    PydanticInvalidForJsonSchema,
    TypeAdapter,
)
from pydantic.fields import FieldInfo
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import core_schema

from dynconf.catalogue import Setting, advice
from dynconf.flags.flag import Flag
from dynconf.flags.types import Mismatch
from dynconf.live.storage import IMMUTABLE
from dynconf.modules import catalogue
from dynconf.names import find, modules_with
from dynconf.release import Release, minor
from dynconf.schema import flag_schema
from dynconf.sources.calls import value_or_data


class FromCatalogue:
    """The annotation of a field: the flag's own type checks its values, as everywhere in dynconf."""

    def __init__(self, flag: Flag) -> None:
        self.flag = flag

    def __repr__(self) -> str:
        return f"FromCatalogue({self.flag.qualified!r})"

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        """Validate by the flag's type; write JSON as state files contain it."""
        to_json = core_schema.plain_serializer_function_ser_schema(self.flag.type.to_data, when_used="json")
        return core_schema.no_info_plain_validator_function(self._check, serialization=to_json)

    def _check(self, value: object) -> Any:
        try:
            return value_or_data(value, self.flag.type)
        except Mismatch as problem:
            more = f"; {problem}" if str(problem) else ""
            raise ValueError(f"expected {self.flag.type.expected}{more}") from None

    def __get_pydantic_json_schema__(
        self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Return the schema of the flag's value in JSON, in which null stands for None."""
        found: JsonSchemaValue = _without_word_for_none(flag_schema(self.flag))
        return found


def _without_word_for_none(schema: Any) -> Any:
    """Leave out the word that stands for None in TOML only."""
    if isinstance(schema, dict):
        return {key: _without_word_for_none(value) for key, value in schema.items()}
    if isinstance(schema, list):
        return [_without_word_for_none(each) for each in schema if each != {"const": "none"}]
    return schema


def fields(module: str, group: str, default: Callable[[str, str], Any]) -> dict[str, Any]:
    """Return the fields for a group of flags, or for those in none, as `pydantic.create_model` takes them."""
    known = catalogue(module)
    settings = settings_in(module, Release.at_hand(), group)
    # A path may be given as os.PathLike, but a field always contains text.
    declared = {
        name: known.flags[setting.key].type.annotation.replace("str | os.PathLike[str]", "str")
        for name, setting in settings.items()
    }
    names = {"Any": Any, "Callable": Callable, "Literal": typing.Literal}
    types: dict[str, Any] = typing.get_type_hints(type("Declared", (), {"__annotations__": declared}), names)
    return {
        name: (
            Annotated[types[name], FromCatalogue(known.flags[setting.key])],
            Field(
                default_factory=functools.partial(default, module, setting.key),
                description=known.flags[setting.key].description or None,
                validation_alias=AliasChoices(*_aliases(setting, group)),
                deprecated=_deprecation(setting),
            ),
        )
        for name, setting in settings.items()
    }


def _deprecation(setting: Setting) -> str | None:
    """Say that the flag should no longer be set in the release at hand, if that is so."""
    if setting.inert:
        return setting.inert
    since = setting.flag.deprecated
    if setting.status == "deprecated" or (since and minor(since) <= setting.release.minor):
        return f"{setting.qualified} is deprecated; {advice(setting.flag.instead)}"
    return None


def names_of(setting: Setting) -> tuple[str, ...]:
    """Return all that a source may call the setting: its name, its variables, and its old names.

    A variable that sets several flags is that of the first of them: command lines have one option of a name.
    """
    known = catalogue(setting.module)
    names = known.names_of(setting.key)
    uniform = [known.flags[name].uniform_variable for name in names]
    owners = known.at(setting.release).variables
    own = [
        variable.name
        for variable in setting.variables
        if variable.rule != "force" and owners.get(variable.name, [setting])[0].key == setting.key
    ]
    return tuple(dict.fromkeys((setting.key, *own, *uniform, *names)))


def _aliases(setting: Setting, group: str) -> tuple[str, ...]:
    """Return what the field may be called: its name, its variables, and its old names in the same group."""
    names = catalogue(setting.module).names_of(setting.key)
    here = (each for each in names_of(setting) if each not in names or _group_of(each) == group)
    return tuple(dict.fromkeys(each.removeprefix(f"{group}.") for each in here))


def is_flag(field: FieldInfo) -> bool:
    """Tell whether the field holds a flag, as the catalogue declares it."""
    return any(isinstance(each, FromCatalogue) for each in field.metadata)


def default_values(module: str, release: Release, group: str = "") -> dict[str, Any]:
    """Return the defaults of the fields of a model, or of a group, in that release."""
    defaults, unshared = _prepared_defaults(module, release, group)
    return {**defaults, **{name: setting.default_value() for name, setting in unshared.items()}}


@functools.lru_cache(maxsize=128)
def _prepared_defaults(
    module: str, release: Release, group: str
) -> tuple[dict[str, Any], dict[str, Setting]]:
    """Return the defaults of all fields, and the settings of which each instance needs its own."""
    settings = settings_in(module, release, group)
    defaults = {name: setting.default_value() for name, setting in settings.items()}
    unshared = {
        name: setting
        for name, setting in settings.items()
        if setting.is_computed or not isinstance(defaults[name], IMMUTABLE)
    }
    return defaults, unshared


@functools.lru_cache(maxsize=32)
def settings_of(module: str, release: Release) -> Mapping[str, Setting]:
    """Return the settings that a model has, those in groups included, by newest name.

    One that the release lacks is as in the closest release. A name that is a flag in some releases and a
    group in others is what it is in the release at hand.
    """
    known = catalogue(module)
    here, at_hand = known.at(release).settings, known.at(Release.at_hand())
    public = (flag.name for flag in known.flags.values() if flag.public and not flag.renamed)
    return {
        name: here.get(name) or _elsewhere(module, name, release) or Setting(known.flags[name], name, release)
        for name in sorted(public)
        if not at_hand.is_group(name) and at_hand.get(_group_of(name)) is None
    }


def _elsewhere(module: str, name: str, release: Release) -> Setting | None:
    """Return the setting that is in another module in that release, from where it moved."""
    full = f"{module}.{name}"
    return find(full, release) if len(modules_with(full)) > 1 else None


@functools.lru_cache(maxsize=128)
def lacking(module: str, release: Release, group: str = "") -> frozenset[str]:
    """Return the fields of which the release has nothing, groups included."""
    here = catalogue(module).at(release).settings
    public = settings_of(module, release)
    absent = {name for name in public if name not in here and _elsewhere(module, name, release) is None}
    if group:
        return frozenset(name.removeprefix(f"{group}.") for name in absent)
    present = {_group_of(name) for name in public.keys() - absent}
    return frozenset(absent) | ({_group_of(name) for name in absent} - present)


@functools.lru_cache(maxsize=128)
def settings_in(module: str, release: Release, group: str = "") -> Mapping[str, Setting]:
    """Return those in a group, or in none, by the name of the field."""
    return {
        name.removeprefix(f"{group}."): setting
        for name, setting in settings_of(module, release).items()
        if _group_of(name) == group
    }


def groups(module: str, release: Release) -> list[str]:
    """Return the groups of flags that a model has in a release, sorted."""
    known = catalogue(module)
    view = known.at(release)
    found = {_group_of(flag.name) for flag in known.flags.values() if flag.public}
    return sorted(group for group in found if view.is_group(group))


def _group_of(name: str) -> str:
    group, dot, _ = name.partition(".")
    return group if dot else ""


@functools.lru_cache(maxsize=128)
def mutable_defaults(module: str, release: Release, group: str = "") -> Mapping[str, Any]:
    """Return the defaults that can be changed in place."""
    defaults, _ = _prepared_defaults(module, release, group)
    return {name: value for name, value in defaults.items() if isinstance(value, (set, list, dict))}


_CONSTRAINTS = frozenset(
    {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "pattern"}
    | {"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "enum", "const"}
)


def _added(field: FieldInfo) -> dict[str, Any]:
    """Return what a class says of a flag in words and constraints, for the JSON Schema."""
    added: dict[str, Any] = {
        name: getattr(field, name)
        for name in ("title", "description", "examples")
        if getattr(field, name) is not None
    }
    constraints = [each for each in field.metadata if not isinstance(each, FromCatalogue)]
    if constraints:
        kind: Any = field.annotation
        for each in constraints:
            kind = Annotated[kind, each]
        with contextlib.suppress(PydanticInvalidForJsonSchema):  # an object that JSON cannot hold
            schema = TypeAdapter(kind).json_schema()
            added |= {name: schema[name] for name in schema.keys() & _CONSTRAINTS}
    extra = field.json_schema_extra
    return {**added, **extra} if isinstance(extra, dict) else added


def schema_of_release(model: Any) -> dict[str, Any]:
    """Return the JSON Schema of what the release at hand accepts for the flags of a model, by any name."""
    known, defaults = catalogue(model._module), model._plan.values()
    absent = lacking(model._module, Release.at_hand(), model._group)
    start = f"{model._group}." if model._group else ""
    properties: dict[str, Any] = {}
    for name, setting in model._settings().items():
        if name in absent:
            continue
        field = model.model_fields.get(name)
        schema = {
            "description": setting.flag.description,
            **_without_word_for_none(setting.type.schema()),
            **(_added(field) if field else {}),
        }
        for old in known.names_of(start + name)[1:]:
            if old.startswith(start):
                properties[old.removeprefix(start)] = {**schema, "deprecated": True}
        if not setting.flag.host:
            value = defaults[name] if name in defaults else setting.default_value()
            with contextlib.suppress(Mismatch):  # an object that no file can hold
                schema["default"] = setting.type.to_data(value)
        if _deprecation(setting) or (field and field.deprecated):
            schema["deprecated"] = True
        properties[name] = schema
    return properties
