"""The fields of the models, and their names: each flag of the catalogue as pydantic declares a field."""

import functools
import typing
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any

from pydantic import AliasChoices, Field, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.fields import FieldInfo
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import core_schema
from pydantic_settings import NoDecode

from dynconf.catalogue.catalogue import Setting
from dynconf.catalogue.flags.flag import BARE_MODULE, Flag, qualified
from dynconf.catalogue.flags.types import AtLeast, short_repr
from dynconf.catalogue.modules import MODULES, catalogue
from dynconf.catalogue.names import find, is_known, names_of, newest_name, split, why_unknown
from dynconf.provenance import Origin
from dynconf.release import Release, minor
from dynconf.text import nearest

FieldPath = tuple[str, ...]
"""The fields that lead to one: ``("triton", "cudagraphs")``."""


class NestedFlags(dict[str, Any]):
    """The values for a model in another one, which has found the names and the origins already."""


@dataclass(frozen=True)
class FlagField:
    """The annotation by which a field is that of a flag: the flag's own type reads and checks its values.

    The type accepts the values of all releases; `Validation` checks them for one.

    If a subclass declares the field again, as in ``recompile_limit: Literal[8] = 8``, the flag's type still
    reads the values, and the new annotation narrows them.
    """

    setting: Setting
    narrowed: bool = False
    class_default: Origin | None = None
    """The class that gives the flag another default than torch, if one does."""

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        own: Any = self.setting.flag.type.core_schema()
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


def _narrowed(value: Any, handler: core_schema.ValidatorFunctionWrapHandler) -> Any:
    checked = handler(value)
    return value if isinstance(value, AtLeast) else checked  # of which pydantic makes an ordinary number


def flag_in(field: FieldInfo) -> FlagField | None:
    """Return the annotation of a field that is that of a flag."""
    return next((each for each in field.metadata if isinstance(each, FlagField)), None)


def keep_flag(name: str, field: FieldInfo, base: FieldInfo, class_default: Origin | None) -> None:
    """Have a field that a class declares again stay that of the flag.

    To pydantic it is a new field. So everything that the class does not change is added, with the flag's own
    check, before pydantic makes the schema of the class.
    """
    [flag] = [each for each in base.metadata if isinstance(each, FlagField)]
    if field.is_required():
        field.default, field.default_factory = base.default, base.default_factory
        class_default = flag.class_default
    # Constraints belong to the annotation, and validators see values of the flag, as of any type of pydantic.
    is_validator = [hasattr(each, "__get_pydantic_core_schema__") for each in field.metadata]
    place = [*is_validator, True].index(True)
    field.metadata[place:place] = [replace(flag, narrowed=True, class_default=class_default), NoDecode]
    field.validate_default = True
    field.description = field.description or base.description
    if field.validation_alias is None or field.alias_priority == 1:  # made by an alias generator
        field.validation_alias, field.alias_priority = base.validation_alias, 2
    else:  # sources use the name of the field, even if the configuration asks for the alias
        field.validation_alias = AliasChoices(*_choices(field), name)


def flag_fields(module: str, group: str, release: Release) -> dict[str, Any]:
    """Return the fields for a group of flags, or for those in none, as `pydantic.create_model` takes them."""
    names = {"Any": Any, "Callable": Callable, "Literal": typing.Literal}
    fields = {}
    for name, setting in settings_in(module, release, group).items():
        # Not the setting's own: an old release has the record of the old name, which says little more.
        record = catalogue(module).flags[f"{group}.{name}" if group else name]
        # A path may be given as os.PathLike, but a field always contains text.
        declared = {name: record.type.annotation.replace("str | os.PathLike[str]", "str")}
        types = typing.get_type_hints(type("Declared", (), {"__annotations__": declared}), names)
        field = _field(setting, group, record)
        fields[name] = (Annotated[types[name], FlagField(setting), NoDecode], field)
    return fields


def _field(setting: Setting, group: str, record: Flag) -> Any:
    default: dict[str, Any] = {"default_factory": setting.default_value}
    if not setting.type.mutable and not setting.is_computed:
        default = {"default": setting.default_value()}
    since = setting.flag.deprecated
    is_old = setting.status == "deprecated" or bool(since and minor(since) <= setting.release.minor)
    return Field(
        **default,
        description=record.description or None,
        validation_alias=AliasChoices(*_aliases(setting, group)),
        # Not `deprecated`, which would warn of reading a default; setting the flag warns.
        json_schema_extra={"deprecated": True} if is_old or setting.inert or setting.is_absent else None,
    )


def _aliases(setting: Setting, group: str) -> dict[str, None]:
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
    local = [name.removeprefix(f"{group}.") for name in names if name.rpartition(".")[0] == group]
    return dict.fromkeys((local[0], *own, *uniform, *local))


@functools.lru_cache(maxsize=256)
def settings_in(module: str, release: Release, group: str = "") -> Mapping[str, Setting]:
    """Return the public settings in a group, or in none, by the name of the field.

    One that the release lacks is as in the closest release (see `Setting.is_absent`). A name that is a flag
    in some releases and a group in others is as in the release at hand.
    """
    known, found = catalogue(module), {}
    for name in sorted(known.families):
        outer, _, field = name.rpartition(".")
        flag = known.flags[name]
        is_elsewhere = flag.renamed_to or known.at(Release.at_hand()).is_group(name)
        if outer != group or not flag.public or is_elsewhere:
            continue
        setting = find(f"{module}.{name}", release)
        # Before it moved here from another module, a flag may have had other values: it is absent then.
        if setting is None or (setting.module != module and setting.type != flag.type):
            setting = Setting(flag, name, release)
        found[field] = setting
    return found


def settings_of(model: Any, release: Release) -> Mapping[str, Setting]:
    """Return the settings of a model, or of the class of one, by field."""
    return settings_in(model._module, release, model._group) if model._module else {}


def fields_in(model: Any, outer: FieldPath = ()) -> Iterator[tuple[FieldPath, FieldInfo]]:
    """Yield every field of a model, those of the models in it included."""
    for name, declared in model.model_fields.items():
        path = (*outer, name)
        yield path, declared
        if name in model._inner_models:
            yield from fields_in(model._inner_models[name], path)


@functools.lru_cache(maxsize=64)
def paths(model: Any) -> Mapping[str, FieldPath]:
    """Return the path to the field that each name means.

    In ``InductorFlags``, ``triton.cudagraphs`` and ``inductor.triton.cudagraphs`` mean the same, and so do
    all old names of the flag.
    """
    start = "".join(f"{part}." for part in (model._module, model._group) if part)
    aliases: dict[str, FieldPath] = {}
    full_names: dict[str, FieldPath] = {}
    for path, declared in fields_in(model):
        for alias in (*_choices(declared), declared.alias, path[-1]):
            if isinstance(alias, str):
                aliases[".".join((*path[:-1], alias))] = path
        flag = flag_in(declared)
        for name in names_of(flag.setting) if flag else ():
            full = ".".join(split(name))
            for each in (full.removeprefix(start), full, name):
                full_names.setdefault(each, path)
    return full_names | aliases


def _choices(declared: FieldInfo) -> list[Any]:
    alias = declared.validation_alias
    return alias.choices if isinstance(alias, AliasChoices) else [alias]


@functools.lru_cache(maxsize=64)
def field_names(model: Any) -> tuple[str, ...]:
    """Return the dotted names of the fields of a model that are no models of further flags."""
    return tuple(".".join(path) for path, _ in fields_in(model) if not model_at(model, path))


def model_at(model: Any, path: FieldPath) -> Any:
    """Return the model in the field at a path; None if there is another field, or none."""
    for part in path:
        model = model._inner_models.get(part) if model else None
    return model


def why_no_field(model: Any, name: str, release: Release, *, suggests: bool) -> str:
    """Say why a model has no field of a name, perhaps with a suggestion that is a field of it."""
    start = f"{model._group}." if model._group else ""
    module, bare = split(start + name, model._module or BARE_MODULE)
    home = next((each for each in (module, *MODULES) if is_known(bare, each)), "")
    newest = bare if bare in MODULES else split(newest_name(bare, home or module))[0]
    if model._module and newest != model._module:
        problem = "a config module" if bare in MODULES else f"not a flag of {model._module}"
        return f"{name} is {problem}: use dynconf.{newest.capitalize()}Settings, or CompileSettings"
    known = catalogue(module).at(release).get(bare)
    if known and not known.public:
        return f"{known.qualified} is internal to torch and not a setting; `dynconf.patch` accepts it"
    if home or (suggests and not model._module):
        return why_unknown(bare, release, module)
    words = (".".join(path) for path, declared in fields_in(model) if flag_in(declared))
    near = nearest(name, words) if suggests else None
    hint = f": did you mean {qualified(module, start + near)!r}?" if near else ""
    return f"there is no {catalogue(module).noun} {short_repr(bare)}{hint}"
