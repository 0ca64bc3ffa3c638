"""The fields of the models, and their names: each flag of the catalogue as pydantic declares a field."""

import functools
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, ForwardRef, NamedTuple

from pydantic import AliasChoices, AliasPath, Field, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.fields import FieldInfo
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import PydanticCustomError, PydanticUndefined, SchemaValidator, core_schema
from pydantic_settings import NoDecode

from dynconf.catalogue.catalogue import Setting
from dynconf.catalogue.flags.types import AtLeast, Mismatch, is_same_value
from dynconf.catalogue.modules import catalogue
from dynconf.catalogue.names import find, newest_record
from dynconf.provenance import Origin
from dynconf.release import Release, minor
from dynconf.sources.trust import may_reach, risks_of

FieldPath = tuple[str, ...]
"""The fields that lead to one: ``("triton", "cudagraphs")``."""

RUNNING: ContextVar[Any] = ContextVar("dynconf_running", default=None)
"""The `Validation` that pydantic runs for."""


@dataclass(frozen=True, repr=False)
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
    aliases: tuple[str | AliasPath, ...] = ()
    """The validation aliases that the subclass gives it, strongest first."""

    def __repr__(self) -> str:
        return f"FlagField({self.setting.newest})"  # the signature of a model has one for each flag

    def at(self, release: Release) -> Setting:
        """Return the flag as a release has it; see `setting_in`."""
        own = self.setting  # nearly always of the release at hand, of which there is one object
        return own if release is own.release else setting_in(own.newest, release)

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        own: Any = self.setting.flag.type.core_schema()
        if may_reach(self.setting) or self.setting.flag.type_by_release:
            own = core_schema.no_info_wrap_validator_function(
                self._checked, own, serialization=own["serialization"]
            )
        if self.declared is None:
            return own  # type: ignore[no-any-return]
        narrowed = core_schema.no_info_wrap_validator_function(_narrowed, handler(source))
        return core_schema.chain_schema([own, narrowed], serialization=own.get("serialization"))

    def _checked(self, value: Any, handler: core_schema.ValidatorFunctionWrapHandler) -> Any:
        """Validate a value for the release; refuse one with risks unless the data is trusted: only here.

        Data names objects, which are not looked up before.
        """
        call = RUNNING.get()
        setting = self.at(call.release) if call else self.setting
        kind, is_data = setting.type, call and not call.trust
        if is_data and kind.names_objects:
            with suppress(Mismatch):  # pydantic will say so
                read = kind.parse(value) if isinstance(value, str) else kind.from_data(value)
                self._refuse(value, read, call)
        made = handler(value)
        if setting.flag.type_by_release:  # the field accepts the values of all releases
            made = _validator_of(setting).validate_python(value)
        if is_data:
            self._refuse(value, kind.by_name(made), call)
        return made

    def _refuse(self, given: Any, read: Any, call: Any) -> None:
        if reached := risks_of(self.setting, read):
            # Code gives the default of a class, and the values of an object that is updated in part.
            own = [call.trusted.get(self.setting.newest, PydanticUndefined)]
            if self.declared:
                with suppress(TypeError, ValueError):  # a factory may take the other values
                    own.append(self.declared.get_default(call_default_factory=True))
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


def flag_in(field: FieldInfo) -> FlagField | None:
    """Return the annotation of a field that is that of a flag."""
    return next((each for each in field.metadata if isinstance(each, FlagField)), None)


def keep_flag(name: str, field: FieldInfo, base: FieldInfo, class_default: Origin | None) -> None:
    """Keep a field that a class declares again the field of the flag.

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
    is_explicit = field.validation_alias is not None and field.alias_priority != 1  # by an alias generator
    own = tuple(each for each in choices(field) if each != name) if is_explicit else flag.aliases
    others = [each for each in choices(base) if each not in (*own, *flag.aliases)]
    field.validation_alias, field.alias_priority = AliasChoices(*own, *others), 2
    kept = replace(flag, class_default=class_default, declared=field, aliases=own)
    # What an AliasPath leads into has to be decoded.
    decodes = any(isinstance(each, AliasPath) for each in own)
    field.metadata[place:place] = [kept] if decodes else [kept, NoDecode]
    field.validate_default = True
    field.description = field.description or base.description


def flag_fields(module: str, group: str, release: Release) -> dict[str, Any]:
    """Return the fields for a group of flags, or for those in none, as `pydantic.create_model` takes them.

    A name that is a flag in some releases and a group in others is as in this one.
    """
    known, view, fields = catalogue(module), catalogue(module).at(release), dict[str, Any]()
    for full in sorted(known.families):
        outer, _, name = full.rpartition(".")
        record = known.flags[full]
        if outer == group and record.public and not record.renamed_to and not view.is_group(full):
            setting = setting_in(record.qualified, release)
            # A path may be given as os.PathLike, but a field always contains text.
            text = record.type.annotation.replace("str | os.PathLike[str]", "str")
            kind: Any = ForwardRef(text, module="typing")
            declared = _field(setting, group, record.description)
            fields[name] = Annotated[kind, FlagField(setting), NoDecode], declared
    return fields


def _field(setting: Setting, group: str, description: str) -> Any:
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
        description=description or None,
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


@functools.cache
def setting_in(newest: str, release: Release) -> Setting:
    """Return the public setting of that newest name as a release has it.

    One that the release lacks is as in the closest release (see `Setting.is_absent`).
    """
    record, found = newest_record(newest), find(newest, release)
    # Before it moved here from another module, a flag may have had other values: it is absent then.
    if found is None or (found.module != record.module and found.type != record.type):
        return Setting(record, record.name, release)
    return found


@functools.cache
def _validator_of(setting: Setting) -> SchemaValidator:
    return SchemaValidator(setting.type.core_schema())


class Place(NamedTuple):
    """A field of a model or of one in it: the names that lead there, and the flag or model that it has."""

    path: FieldPath
    declared: FieldInfo
    flag: FlagField | None
    inner: Any


def choices(declared: FieldInfo) -> list[Any]:
    """Return the validation aliases of a field, strongest first."""
    alias = declared.validation_alias
    return alias.choices if isinstance(alias, AliasChoices) else [alias]
