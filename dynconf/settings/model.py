"""Models of flags, which read only the data that they are given: the base of all models here.

Each flag of a config module is a field, and each group of flags a model in a field, as in
``flags.triton.cudagraphs``. pydantic does everything with these that it does with any model: subclasses,
validators, configuration, copies and dumps. This module adds the things that pydantic cannot know: old names,
the origins of values, and putting them in force. `models` adds the flags of a config module.
"""

import copy
import functools
import os
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler, PrivateAttr
from pydantic.fields import FieldInfo
from pydantic_core import core_schema
from typing_extensions import Self, override

from dynconf.catalogue.catalogue import Setting
from dynconf.catalogue.flags.flag import BARE_MODULE
from dynconf.catalogue.flags.types import is_same_value
from dynconf.catalogue.modules import MODULES
from dynconf.catalogue.names import is_known
from dynconf.live.install import Installation, Scope
from dynconf.live.patch import Patch
from dynconf.provenance import DEFAULT, Origin, caller
from dynconf.release import Release
from dynconf.settings.field import NestedFlags, field_names, flag_in, keep_flag, paths, settings_of
from dynconf.settings.validation import Call, Provenance, Validation
from dynconf.state import SettingValue, State
from dynconf.store.snapshot import Origins, Snapshot
from dynconf.text import html_table


class FlagModel(BaseModel):
    """A model whose fields are flags, or models of further flags: `dynconf.DynamoFlags` and its sisters."""

    model_config = ConfigDict(
        extra="forbid", validate_assignment=True, populate_by_name=True, protected_namespaces=()
    )

    _module: ClassVar[str] = ""
    """The config module; empty for the models of all modules."""
    _modules: ClassVar[Sequence[str]] = MODULES
    _group: ClassVar[str] = ""
    _defined_at: ClassVar[Origin] = DEFAULT
    _inner_models: ClassVar[Mapping[str, type["FlagModel"]]] = {}
    _class_defaults: ClassVar[Mapping[str, Origin]] = {}
    """The flags that the class or a base gives another default, each with the place of that class."""
    _further_fields: ClassVar[Mapping[str, FieldInfo]] = {}
    """The fields that are not flags."""
    _provenance: Provenance = PrivateAttr(default_factory=Provenance)

    def __init__(self, /, **data: Any) -> None:
        __tracebackhide__ = True  # of IPython, as in pydantic's own
        made = self.__pydantic_validator__.validate_python(Call(data), self_instance=self)
        self._warn_of_lost(made)

    # A call in code is trusted and data is not, so pydantic must not make a call of data: with this mark, its
    # validation of a nested model never goes through `__init__`.
    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]

    def _warn_of_lost(self, made: object) -> None:
        """Warn of an instance that a validator made in place of this one, as pydantic does."""
        if made is not self:
            message = "a validator returned something other than `self`, which a call of the class ignores"
            warnings.warn(message, stacklevel=3)

    def __init_subclass__(cls, *, module: str = "", group: str = "", **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        bases = [base for base in cls.__bases__ if issubclass(base, FlagModel)]
        if len({base._module for base in bases} - {""}) > 1:
            names = " and ".join(base.__name__ for base in bases)
            raise TypeError(f"{cls.__name__}: {names} are of different config modules: use CompileSettings")
        cls._defined_at = caller().origin("class", cls.__qualname__)
        if module:
            cls._module, cls._modules, cls._group = module, (module,), group

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        cls._add_layout()
        schema = handler(source)
        inner: Any = {**handler.resolve_ref_schema(schema)}
        if inner.get("metadata", {}).get("dynconf") is cls:
            return schema  # of a class that is complete, as it was returned from here
        # A model validator would be inside those of subclasses, which would then see the values of sources.
        return core_schema.with_info_wrap_validator_function(
            cls._validate, inner, ref=inner.pop("ref", None), metadata={"dynconf": cls}
        )

    @classmethod
    def _add_layout(cls) -> None:
        """Note which fields are models of flags, and have flags that the class declares again stay flags.

        pydantic has collected the fields, and has not made the schema from them yet.
        """
        bases: Any = [base for base in reversed(cls.__mro__[1:]) if hasattr(base, "_inner_models")]
        known = {name: field for base in bases for name, field in base.model_fields.items()}
        known_paths = {name: path for base in bases for name, path in paths(base).items()}
        inner: dict[str, Any] = {}
        for name, field in cls.model_fields.items():
            kind: Any = field.annotation
            before: Any = known.get(name)
            if cls._is_inner(name, kind):
                inner[name] = kind
                if field.is_required():
                    field.default_factory = kind.of_defaults
            elif before and cls._is_inner(name, before.annotation):
                message = f"{cls.__name__}.{name} has flags in it: declare {before.annotation.__qualname__}"
                raise TypeError(f"{message}, or a subclass of it")
            elif not before and name in known_paths:
                path = ".".join(known_paths[name])
                raise TypeError(f"{cls.__name__}.{name} is an old name of {path}: declare that")
            elif before and flag_in(before) and not flag_in(field):
                keep_flag(name, field, before, cls._defined_at)
        cls._inner_models = inner
        flags = {name: flag_in(field) for name, field in cls.model_fields.items()}
        cls._class_defaults = {
            name: flag.class_default for name, flag in flags.items() if flag and flag.class_default
        }
        cls._further_fields = {name: cls.model_fields[name] for name, flag in flags.items() if not flag}

    @classmethod
    def _is_inner(cls, name: str, kind: Any) -> bool:
        """Tell whether a field has flags in it that belong to this model: a group, or a config module."""
        # Not issubclass: in Python 3.10, it refuses dict[str, int], which counts as a type.
        if FlagModel not in getattr(kind, "__mro__", ()):
            return False
        return (kind._module, kind._group) == ((cls._module, name) if cls._module else (name, ""))

    @classmethod
    def of_defaults(cls) -> Self:
        """Return the model of no values: the default of a field, for which no sources are read."""
        return cls.model_validate(NestedFlags())

    @classmethod
    def _validate(
        cls, data: Any, handler: core_schema.ValidatorFunctionWrapHandler, info: core_schema.ValidationInfo
    ) -> Any:
        if isinstance(data, (NestedFlags, FlagModel)):
            made = handler(data)
            if isinstance(data, cls):  # it may be validated anew, as the configuration may ask
                made._provenance = data._provenance
            return made
        if isinstance(data, Call):
            return cls._run(Validation.of_call(cls), data, handler)
        context = info.context if isinstance(info.context, Mapping) else {}
        # The title in the configuration is that of the model which pydantic was asked to validate.
        title = (info.config or {}).get("title")
        is_own = title in (None, cls.__name__, cls.model_config.get("title"))
        # The errors may go to the sender of the data, who must not learn the line of the call.
        origin = context.get(Origin) or (Origin("keyword") if is_own else Origin("source", title))
        validation = Validation(cls, caller(), origin, trust=context.get("trust") is True)
        return cls._run(validation, data, handler)

    @classmethod
    def _run(cls, validation: Validation, data: Any, handler: Callable[[Any], Any]) -> Any:
        return validation.run(data, handler)  # settings read sources before

    @classmethod
    def from_data(
        cls, data: Mapping[str, Any], origin: Origin | str | os.PathLike[str] | None = None
    ) -> Self:
        """Validate JSON-like data in any mapping, such as OmegaConf's; *origin* may be the name of a file."""
        if not isinstance(origin, Origin):
            origin = caller().origin("keyword") if origin is None else Origin("file", file=os.fspath(origin))
        return cls.model_validate(data, context={Origin: origin})

    @property
    def origins(self) -> Mapping[str, Origin]:
        """Where the value of each field came from, defaults included; flags in groups by dotted names."""
        return Origins(field_names(type(self)), self._origin_of)

    def _origin_of(self, name: str) -> Origin:
        *outer, field = paths(type(self))[name]
        holder = functools.reduce(getattr, outer, self)
        if field in holder._inner_models:
            raise KeyError(name)
        if field in holder.__pydantic_fields_set__:
            return holder._provenance.origins.get(field) or Origin("keyword")
        return holder._class_defaults.get(field, DEFAULT)

    def as_state(self) -> State:
        """Return the values that a source or the default of a subclass has set."""
        release = self._provenance.release or Release.at_hand()
        return State(release, dict(self._entries(release)))

    def _entries(self, release: Release) -> Iterator[tuple[Setting, SettingValue]]:
        values, names = vars(self), {*self.__pydantic_fields_set__, *self._class_defaults}
        settings = settings_of(self, release) if names else {}
        for name in sorted(names & settings.keys() & values.keys()):
            setting, value = settings[name], values[name]
            # Dumps contain defaults of flags that the release lacks, and a class is for many releases.
            is_meant = name in self.__pydantic_fields_set__
            if not setting.is_absent or (is_meant and not is_same_value(value, setting.default_value())):
                yield setting, SettingValue(value, self._origin_of(name))
        for name in self._inner_models:
            inner = values.get(name)
            if isinstance(inner, Mapping):  # of `model_construct`, which makes no models
                inner = self._inner_models[name].model_construct(**inner)
            if isinstance(inner, FlagModel):
                yield from inner._entries(release)

    def patch(self) -> Patch:
        """Return a patch of the flags that are set, by the class too; it may raise as `install` does."""
        return Snapshot(self.as_state()).patch()

    def install(self, scope: Scope = "process") -> Installation:
        """Install the flags that are set, by the class too, as `dynconf.install` does with its keywords."""
        return Snapshot(self.as_state()).install(scope)

    @override
    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Return a copy, as pydantic makes one: *update* is not validated."""
        copied = super().model_copy(update=update, deep=deep)
        copied._remember(dict.fromkeys(update or (), caller().origin("keyword")))
        return copied

    def _remember(self, origins: Mapping[str, Origin]) -> None:
        """Add origins of this very model; the old record is shared by copies."""
        before = self._provenance
        self._provenance = replace(before, origins={**before.origins, **origins})

    @override
    def __repr_args__(self) -> Iterator[tuple[str | None, Any]]:
        """Yield the values that are set, and further fields: hundreds of defaults would hide those."""
        shown = {*self.__pydantic_fields_set__, *self._class_defaults, *self._further_fields}
        for name, value in super().__repr_args__():
            is_model = isinstance(value, FlagModel) and name in self._inner_models
            is_default = name in type(self).model_fields and name not in shown
            if any(value.__repr_args__()) if is_model else not is_default:
                yield name, value

    def _repr_html_(self) -> str:
        return html_table(type(self).__name__, *Snapshot(self.as_state()).rows())

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Read a flag by an old name."""
            path = paths(type(self)).get(name, (name,))
            return super().__getattr__(name) if path == (name,) else functools.reduce(getattr, path, self)

        def __setattr__(self, name: str, value: object) -> None:
            """Set a field by any of its names; if that is refused, nothing remains of it."""
            *outer, name = paths(type(self)).get(name, (name,))
            if outer:
                setattr(functools.reduce(getattr, outer, self), name, value)
            elif name.startswith("_") and not is_known(name, self._module or BARE_MODULE):
                super().__setattr__(name, value)
            else:  # pydantic takes every name with an underscore for that of a private attribute
                validate = functools.partial(self.__pydantic_validator__.validate_assignment, self)
                assign = validate if name.startswith("_") else super().__setattr__
                self._assign({name: value}, functools.partial(assign, name))

    def _assign(self, data: dict[str, Any], assign: Callable[[Any], None]) -> None:
        before = copy.copy(self)
        validation = Validation.of_call(type(self))
        validation.release = self._provenance.release or validation.release

        def change(values: Mapping[str, Any]) -> object:
            for value in values.values():  # a model in a field is trusted, like that of a call
                assign(value)
            changed = {each for each, now in vars(self).items() if vars(before).get(each, ...) is not now}
            self._remember(dict.fromkeys({*data, *changed}, validation.origin))
            # In a validator of its own, the whole is not complete, and is checked once it is.
            is_checked = self.model_config.get("validate_assignment") and self._provenance.release
            return self if is_checked else None

        try:
            validation.run(data, change)
        except BaseException:
            # pydantic changes the instance before validators of the model have seen it.
            for slot in BaseModel.__slots__:
                object.__setattr__(self, slot, getattr(before, slot))
            raise
