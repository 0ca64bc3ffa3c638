"""What a class of settings adds to the flags: fields, defaults, validators, options."""

import inspect
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from pydantic import AfterValidator, AliasChoices, BaseModel, ConfigDict, TypeAdapter
from pydantic.fields import FieldInfo

from dynconf.catalogue import Setting
from dynconf.names import is_known
from dynconf.origin import Caller, Origin
from dynconf.release import Release
from dynconf.settings.fields import FromCatalogue, is_flag, names_of
from dynconf.sources.missing import Missing
from dynconf.sources.reading import Reading, ReadingBuilder
from dynconf.state import State

ONLY_FOR_OTHER_FIELDS = frozenset(
    {
        "case_sensitive",
        "env_prefix",
        "env_prefix_target",
        "env_nested_delimiter",
        "env_nested_max_split",
        "env_ignore_empty",
        "env_parse_none_str",
        "env_parse_enums",
    }
)
"""The options of pydantic-settings that cannot apply to flags: these have variables of their own."""


_SAID = (
    *("title", "description", "examples", "deprecated", "json_schema_extra"),
    *("frozen", "exclude", "serialization_alias"),
)
"""What a class may say of a flag besides its default and its constraints."""


class ClassDefault(NamedTuple):
    """The default that a subclass gives a flag: what makes it, and the class."""

    make: Callable[[], Any]
    origin: Origin


@dataclass(frozen=True, slots=True)
class Plan:
    """What is known of a class of settings.

    Attributes:
        module: The config module.
        settings: The flags, those in groups included.
        names: The same with the fields that are not flags.
        flags: The field that each name and variable of a flag stands for.
        others: The field that each name of one stands for that is not a flag, and the private attributes.
        has_others: Whether there are such fields, or models of further flags.
        takes_more: Whether values of neither are taken.
        is_plain: Whether pydantic has nothing to add to what dynconf reads: no field, validator or source.
        defaults: The defaults that the class and those above it give flags.
    """

    module: str
    settings: frozenset[str]
    names: Mapping[str, None]
    flags: Mapping[str, str]
    others: Mapping[str, str]
    has_others: bool
    takes_more: bool
    is_plain: bool
    defaults: Mapping[str, ClassDefault]

    def is_own(self, name: str) -> bool:
        """Tell whether *name* is one that pydantic sees to, not a flag."""
        return name in self.others or (self.takes_more and not is_known(name, self.module))

    def values(self) -> dict[str, Any]:
        """Return the defaults that classes give flags."""
        return {name: default.make() for name, default in self.defaults.items()}

    def layer(
        self, release: Release, missing: Missing | None, more: Mapping[str, ClassDefault] | None = None
    ) -> Reading:
        """Return the defaults that classes give flags, as a layer; *more* of them are above its own."""
        defaults = {**self.defaults, **(more or {})}
        if not defaults:
            return Reading(State(release))
        builder = ReadingBuilder(release, missing or "warn", self.module)
        for name, default in defaults.items():
            builder.add(name, default.origin, default.make())
        return builder.done()

    def refuse_without_effect(self, model: type[BaseModel], options: Mapping[str, Any]) -> None:
        """Refuse options of pydantic-settings that would be ignored.

        Raises:
            TypeError: There is one.
        """
        for option, value in options.items():
            name = option.removeprefix("_")
            if name in ONLY_FOR_OTHER_FIELDS and value and not self.has_others:
                raise TypeError(
                    f"{model.__name__}: {option} has no effect on flags, which have variables of their own,"
                    f" such as {next(filter(str.isupper, self.flags))}; it is for further fields of a"
                    " subclass"
                )


def plan_of(model: Any, here: Caller) -> Plan:
    """Return what is known of a class that was just defined, *here*; its fields become those of flags.

    Raises:
        InvalidValueError: A flag does not accept the default that the class gives it.
        TypeError: The class declares what cannot be, or what would be ignored.
    """
    settings, root = model._settings(), model._root
    origin = here.origin("class", model.__qualname__)
    above: Plan | None = getattr(model, "_plan", None)
    defaults = dict(above.defaults) if above else {}
    changed = False
    for name, field in list(model.model_fields.items()):
        _refuse_other_model(model, name, field)
        if name in model._inner:
            if name in inspect.get_annotations(model):
                changed |= field.is_required()
                model.model_fields[name] = _with_group(name, field, defaults, origin)
            continue
        newest = model._newest(name)
        if newest not in settings or is_flag(field):
            continue
        _refuse_field(model, name, newest, field)
        bases = [each for each in model.__mro__[1:] if issubclass(each, root)]
        base = next(each.model_fields[name] for each in bases if is_flag(each.model_fields[name]))
        default = base.default_factory
        if not field.is_required():
            default = partial(field.get_default, call_default_factory=True)
            defaults[name] = ClassDefault(default, origin)
            settings[name].check(default(), origin)
        model.model_fields[name] = _with_default(field, base, default)
        changed = True
    _refuse_lost_fields(model, settings)
    if changed:
        model.model_rebuild(force=True)
    # Reading the default of a flag that should not be used gives no warning; setting the flag does.
    for name, field in model.model_fields.items():
        if field.deprecated and name in vars(model):
            delattr(model, name)
    found = _plan(model, settings, defaults)
    if above is not None:
        found.refuse_without_effect(model, _own_config(model))
    return found


def _refuse_other_model(model: Any, name: str, field: FieldInfo) -> None:
    """Refuse a field that a class declares where a base has a model of flags, if it is not of that model."""
    inners = [vars(base).get("_inner", {}).get(name) for base in model.__mro__[1:]]
    expected = next(filter(None, inners), None)
    kind = field.annotation
    if expected is not None and not (isinstance(kind, type) and issubclass(kind, expected)):
        raise TypeError(
            f"{model.__name__}.{name} has flags in it: declare {expected.__qualname__}, or a subclass of it"
        )


def _refuse_lost_fields(model: Any, settings: Mapping[str, Setting]) -> None:
    """Refuse fields whose values would be lost: settings take only flags from the models in them."""
    for name in model._inner if model.__base__ is not model._root else ():
        if not any(name in vars(base).get("_inner", {}) for base in model.__mro__[1:]):
            raise TypeError(
                f"{model.__name__}.{name} has flags in it that are not of {model.__base__.__name__}:"
                " make both fields of a BaseSettings, or use CompileSettings"
            )
    for name in model.model_fields.keys() - settings.keys() if model._group else ():
        raise TypeError(f"{model.__name__}.{name} is no flag: declare it in the settings")


def _refuse_field(model: type[BaseModel], name: str, newest: str, field: FieldInfo) -> None:
    """Refuse a field that a class declares for a flag, if it cannot be one."""
    if newest != name:
        raise TypeError(f"{model.__name__}.{name} is an old name of {newest}: declare {newest}")
    if field.validation_alias is not None:
        raise TypeError(f"{model.__name__}.{name} is a flag, which has variables of its own: no alias")


def _with_group(name: str, field: FieldInfo, defaults: dict[str, ClassDefault], origin: Origin) -> FieldInfo:
    """Return the field of a group; what it is given by default is the default of its flags."""
    inner: Any = field.annotation
    defaults |= {f"{name}.{each}": default for each, default in inner._plan.defaults.items()}
    if field.is_required():
        field = copy(field)
        field.default_factory = inner
    elif isinstance(field.default, inner):
        for each, (value, source) in field.default.flags_set().items():
            if source.kind not in ("env", "file", "forced", "class"):  # these will be read again
                defaults[f"{name}.{each}"] = ClassDefault(partial(copy, value), origin)
    return field


def _with_default(field: FieldInfo, base: FieldInfo, default: Any) -> FieldInfo:
    """Return *base*, the field of a flag, with what a subclass says that declares it again as *field*."""
    merged = copy(base)
    merged.annotation = field.annotation
    merged.metadata = [*(each for each in base.metadata if isinstance(each, FromCatalogue)), *field.metadata]
    if field.annotation != base.annotation:
        kind: Any = field.annotation
        adapter = TypeAdapter(kind, config=ConfigDict(arbitrary_types_allowed=True))
        merged.metadata.append(AfterValidator(partial(_conforming, adapter)))
    merged.default_factory = default
    for name in _SAID:
        if getattr(field, name) is not None:
            setattr(merged, name, getattr(field, name))
    return merged


def _conforming(kind: TypeAdapter[Any], value: Any) -> Any:
    """Return a value of the flag if it is of the kind to which a subclass narrows the flag."""
    kind.validate_python(value)
    return value


def _plan(model: Any, settings: Mapping[str, Setting], defaults: Mapping[str, ClassDefault]) -> Plan:
    root, inner = model._root, model._inner
    own = {
        name: field
        for name, field in model.model_fields.items()
        if name not in settings and name not in inner
    }
    others = {name: name for name in (*own, *model.__private_attributes__)}
    for name, field in own.items():
        for alias in (field.alias, field.validation_alias):
            choices = alias.choices if isinstance(alias, AliasChoices) else [alias]
            others |= {choice: name for choice in choices if isinstance(choice, str)}
    below = model.__mro__[: model.__mro__.index(root)]
    others |= {
        name: name for each in below for name, value in vars(each).items() if isinstance(value, property)
    }
    decorators = model.__pydantic_decorators__
    adds = (
        own
        or decorators.validators
        or decorators.field_validators
        or decorators.root_validators
        or decorators.model_validators
        or model.__private_attributes__.keys() != root.__private_attributes__.keys()
        or any("settings_customise_sources" in vars(each) for each in below)
        or any(_is_written(vars(each).get("model_post_init")) for each in below)
        or any(len(field.metadata) > 1 for field in model.model_fields.values())
        or not all(each._plan.is_plain for each in inner.values())
        or _own_config(model)
    )
    return Plan(
        module=model._module,
        settings=frozenset(settings),
        names=dict.fromkeys([*sorted(settings), *own]),
        flags={each: name for name, setting in settings.items() for each in names_of(setting)},
        others=others,
        has_others=bool(own or inner),
        takes_more=model.model_config.get("extra") != "forbid",
        is_plain=not adds,
        defaults=defaults,
    )


def _is_written(post_init: Any) -> bool:
    """Tell whether a class has a `model_post_init` of its own; pydantic adds one to every class."""
    if post_init is None:
        return False
    if not post_init.__module__.startswith("pydantic."):
        return True
    return any(_is_written(cell.cell_contents) for cell in post_init.__closure__ or ())


def _own_config(model: Any) -> dict[str, Any]:
    """Return what the class says in its ``model_config``."""
    common = model._root.model_config
    return {name: value for name, value in model.model_config.items() if common.get(name) != value}
