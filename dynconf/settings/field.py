"""The fields of the models, and their names: each flag of the catalogue as pydantic declares a field."""

import functools
import typing
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Annotated, Any

from pydantic import AliasChoices, AliasPath, Field, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.fields import FieldInfo
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import PydanticCustomError, PydanticUndefined, core_schema
from pydantic_settings import NoDecode

from dynconf.catalogue.catalogue import Setting
from dynconf.catalogue.flags.flag import BARE_MODULE, Flag, qualified
from dynconf.catalogue.flags.types import AtLeast, Mismatch, is_same_value, short_repr
from dynconf.catalogue.modules import MODULES, catalogue
from dynconf.catalogue.names import find, is_known, names_of, newest_name, split, why_unknown
from dynconf.provenance import Origin
from dynconf.release import Release, minor
from dynconf.sources.trust import may_reach, risks_of
from dynconf.text import nearest

FieldPath = tuple[str, ...]
"""The fields that lead to one: ``("triton", "cudagraphs")``."""

RUNNING: ContextVar[Any] = ContextVar("dynconf_running", default=None)
"""The `Validation` that pydantic runs for."""


DEFAULT_OBJECTS: "weakref.WeakValueDictionary[tuple[str, str, int], Any]" = weakref.WeakValueDictionary()
"""The models that are defaults of fields, by the title of the model around, the field, and their identity."""


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
    class_default: Origin | None = None
    """The class that gives the flag another default than torch, if one does."""
    declared: FieldInfo | None = field(default=None, compare=False)
    """The field with which a subclass declares it again, if one does."""
    own_aliases: tuple[str | AliasPath, ...] = ()
    """The validation aliases that a class has given it, by which variables are read, too; strongest first."""

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        own: Any = self.setting.flag.type.core_schema()
        if may_reach(self.setting):
            own = core_schema.no_info_wrap_validator_function(
                self._trusted, own, serialization=own["serialization"]
            )
        if self.declared is None:
            return own  # type: ignore[no-any-return]
        narrowed = core_schema.no_info_wrap_validator_function(_narrowed, handler(source))
        return core_schema.chain_schema([own, narrowed], serialization=own.get("serialization"))

    def _trusted(self, value: Any, handler: core_schema.ValidatorFunctionWrapHandler) -> Any:
        """Validate a value, and refuse one with a reach unless the data is trusted: the one place for that.

        Data names objects, which are not looked up before.
        """
        call, kind = RUNNING.get(), self.setting.type
        if call is None or call.trust:
            return handler(value)
        if kind.names_objects:
            with suppress(Mismatch):  # pydantic will say so
                parse = kind.parse if isinstance(value, str) else kind.from_data
                self._refuse(value, parse(value), call)
        made = handler(value)
        self._refuse(value, kind.by_name(made), call)
        return made

    def _refuse(self, given: Any, read: Any, call: Any) -> None:
        if reached := risks_of(self.setting, read):
            # Code gives the default of a class, and the values of an object that is updated in part.
            trusted = call.trusted.get(self.setting.newest, PydanticUndefined)
            own = [trusted, *([default_of(self.declared)] if self.declared else [])]
            if any(is_same_value(given, each) for each in own):
                return
            message: Any = (
                f"{self.setting.newest}: {call.shown(given)} is refused in data from others: it would make"
                f" torch {' and '.join(reached)};"
                " if you trust the data, validate it with context={'trust': True}"
            )
            raise PydanticCustomError("untrusted", message)

    def __get_pydantic_json_schema__(
        self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        # Of a chain, pydantic would describe the first step alone.
        steps = schema["steps"] if schema["type"] == "chain" else [schema]
        return {key: each for step in steps for key, each in handler(step).items()}


def _narrowed(value: Any, handler: core_schema.ValidatorFunctionWrapHandler) -> Any:
    checked = handler(value)
    return value if isinstance(value, AtLeast) else checked  # of which pydantic makes an ordinary number


def default_of(declared: FieldInfo) -> Any:
    """Return the default of a field; there is none of a factory that takes the other values."""
    with suppress(TypeError, ValueError):
        return declared.get_default(call_default_factory=True)
    return PydanticUndefined


def flag_in(field: FieldInfo) -> FlagField | None:
    """Return the annotation of a field that is that of a flag."""
    return next((each for each in field.metadata if isinstance(each, FlagField)), None)


def keep_flag(name: str, field: FieldInfo, base: FieldInfo, class_default: Origin | None) -> None:
    """Have a field that a class declares again stay that of the flag.

    To pydantic it is a new field. So everything that the class does not change is added, with the flag's own
    check, before pydantic makes the schema of the class.
    """
    flag: Any = flag_in(base)
    if field.is_required():
        field.default, field.default_factory = base.default, base.default_factory
        class_default = flag.class_default
    # Constraints belong to the annotation, and validators see values of the flag, as of any type of pydantic.
    is_validator = [hasattr(each, "__get_pydantic_core_schema__") for each in field.metadata]
    place = [*is_validator, True].index(True)
    is_made = field.validation_alias is None or field.alias_priority == 1  # by an alias generator
    own = flag.own_aliases if is_made else tuple(_choices(field))
    kept = replace(flag, class_default=class_default, declared=field, own_aliases=own)
    # What an AliasPath leads into has to be decoded.
    decodes = any(isinstance(each, AliasPath) for each in own)
    field.metadata[place:place] = [kept] if decodes else [kept, NoDecode]
    field.validate_default = True
    field.description = field.description or base.description
    if is_made:
        field.validation_alias, field.alias_priority = base.validation_alias, 2
    else:  # sources use the name of the field, even if the configuration asks for the alias
        field.validation_alias = AliasChoices(*_choices(field), name)


def flag_fields(module: str, group: str, release: Release) -> dict[str, Any]:
    """Return the fields for a group of flags, or for those in none, as `pydantic.create_model` takes them."""
    settings, known = settings_in(module, release, group), catalogue(module).flags
    # Not the settings' own: an old release has the records of old names, which say little more.
    records = {name: known[f"{group}.{name}" if group else name] for name in settings}
    # A path may be given as os.PathLike, but a field always contains text.
    written = {
        name: each.type.annotation.replace("str | os.PathLike[str]", "str") for name, each in records.items()
    }
    names = {"Any": Any, "Callable": Callable, "Literal": typing.Literal}
    types = typing.get_type_hints(SimpleNamespace(__annotations__=written), names)
    return {
        name: (Annotated[types[name], FlagField(each), NoDecode], _field(each, group, records[name]))
        for name, each in settings.items()
    }


def _field(setting: Setting, group: str, record: Flag) -> Any:
    default: dict[str, Any] = {"default_factory": setting.default_value}
    extra: dict[str, Any] = {}
    if not setting.type.mutable and not setting.is_computed:
        default = {"default": setting.default_value()}
    elif not setting.is_computed:  # pydantic says nothing of what a factory makes
        extra["default"] = setting.type.show_data(setting.default_value())
    since = setting.flag.deprecated
    is_old = setting.status == "deprecated" or bool(since and minor(since) <= setting.release.minor)
    if is_old or setting.inert or setting.is_absent:
        extra["deprecated"] = True  # in the schema only: of reading a default, pydantic would warn, too
    return Field(
        **default,
        description=record.description or None,
        validation_alias=AliasChoices(*_aliases(setting, group)),
        json_schema_extra=extra,
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


@functools.lru_cache(maxsize=512)
def settings_in(
    module: str, release: Release, group: str = "", *, is_judged: bool = False
) -> Mapping[str, Setting]:
    """Return the public settings in a group, or in none, by the name of the field.

    With *is_judged*, return only those that are judged after pydantic: in rules, without effect, or absent.

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
        if setting.is_judged or not is_judged:
            found[field] = setting
    return found


def settings_of(model: Any, release: Release, **options: bool) -> Mapping[str, Setting]:
    """Return the settings of a model, or of the class of one, if any, by field: see `settings_in`."""
    return settings_in(model._module, release, model._group, **options) if model and model._module else {}


def fields_in(model: Any, outer: FieldPath = ()) -> Iterator[tuple[FieldPath, FieldInfo]]:
    """Yield every field of a model, those of the models in it included."""
    for name, declared in model.model_fields.items():
        path = (*outer, name)
        yield path, declared
        if name in model._inner_models:
            yield from fields_in(model._inner_models[name], path)


def paths(model: Any, *, is_data: bool = True) -> Mapping[str, FieldPath]:
    """Return the path to the field that each name means.

    In ``InductorFlags``, ``triton.cudagraphs`` and ``inductor.triton.cudagraphs`` mean the same, and so do
    all old names of the flag. Data may have aliases, too; attributes have none.
    """
    if model._paths is None:
        model._paths = _paths(model)  # a cache would keep the class
    return model._paths[is_data]  # type: ignore[no-any-return]


def model_at(model: Any, path: FieldPath) -> Any:
    """Return the model in the field at a path; None if there is another field, or none."""
    for name in path:
        model = model and model._inner_models.get(name)
    return model


def _paths(model: Any) -> tuple[Mapping[str, FieldPath], Mapping[str, FieldPath]]:
    start = "".join(f"{part}." for part in (model._module, model._group) if part)
    fields, flags, aliases = [*fields_in(model)], dict[str, FieldPath](), dict[str, FieldPath]()
    for path, flag in [(path, flag) for path, declared in fields if (flag := flag_in(declared))]:
        for name, full in _all_names(flag.setting):
            for each in (full.removeprefix(start), full, name):
                flags.setdefault(each, path)
    for path, declared in fields:
        names = [each for each in (*_choices(declared), path[-1]) if isinstance(each, str)]
        aliases |= dict.fromkeys((".".join((*path[:-1], each)) for each in names), path)
    return flags, flags | aliases


@functools.lru_cache(maxsize=2048)
def _all_names(setting: Setting) -> list[tuple[str, str]]:
    return [(name, ".".join(split(name))) for name in names_of(setting)]


def _choices(declared: FieldInfo) -> list[Any]:
    alias = declared.validation_alias
    return alias.choices if isinstance(alias, AliasChoices) else [alias]


def keys_inside(model: Any, name: str) -> list[str]:
    """Return the keys of values out of which pydantic may have taken that of a field."""
    declared = type(model).model_fields.get(name)
    aliases = _choices(declared) if declared else []
    return [str(each.path[0]) for each in aliases if isinstance(each, AliasPath)]


def why_no_field(model: Any, name: str, release: Release) -> str:
    """Say why a model has no field of a name, and which one may be meant."""
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
    if home or not model._module:
        return why_unknown(bare, release, module)
    words = (".".join(path) for path, declared in fields_in(model) if flag_in(declared))
    near, unknown = nearest(name, words), f"there is no {catalogue(module).noun} {short_repr(bare)}"
    return f"{unknown}: did you mean {qualified(module, start + near)!r}?" if near else unknown
