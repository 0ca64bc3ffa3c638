"""Models of flags, which read nothing but what they are given: the base of all models here.

Each flag of a config module is a field, and each group of flags a model in a field, as in
``flags.triton.cudagraphs``. What pydantic does with a model, it does with these: subclasses, validators,
configuration, copies and dumps work as on any. This module adds what pydantic cannot know: old names, where
values come from, and putting them in force. The flags of a config module are added in `dynconf.settings`.
"""

import functools
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, get_origin

from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler, PrivateAttr
from pydantic.fields import FieldInfo
from pydantic_core import core_schema
from typing_extensions import Self, override

from dynconf.catalogue import Setting
from dynconf.flags.flag import BARE_MODULE
from dynconf.flags.types import short_repr
from dynconf.live.install import Installation, Scope, install_state
from dynconf.live.patch import Patch, patch_state
from dynconf.names import is_known
from dynconf.origin import DEFAULT, Origin, caller
from dynconf.release import Release
from dynconf.settings.declaration import keep_flags
from dynconf.settings.field import is_absent, is_flag, settings_in
from dynconf.settings.names import path_of
from dynconf.settings.provenance import Call, OriginsView, Provenance, call_in
from dynconf.settings.validation import Validation
from dynconf.sources.calls import for_release
from dynconf.sources.gather import check_conflicts
from dynconf.sources.reading import Reading
from dynconf.state import SettingValue, State
from dynconf.tables import html_table


class FlagModel(BaseModel):
    """A model whose fields are flags, or models of further flags: `dynconf.DynamoFlags` and its sisters."""

    model_config = ConfigDict(
        extra="forbid", validate_assignment=True, populate_by_name=True, protected_namespaces=()
    )

    _module: ClassVar[str] = ""
    """The config module; empty for the models of all modules."""
    _group: ClassVar[str] = ""
    _built_for: ClassVar[Release | None] = None
    """The release whose defaults the fields have."""
    _reads: ClassVar[frozenset[str]] = frozenset()
    """The config modules whose sources a call of the model reads."""
    _inner_models: ClassVar[Mapping[str, type["FlagModel"]]] = {}
    _class_defaults: ClassVar[Mapping[str, Origin]] = {}
    """The flags that the class or a base gives another default, each with the place of that class."""
    _provenance: Provenance = PrivateAttr(default_factory=Provenance)

    def __init__(self, /, **data: Any) -> None:
        context = self._call(data).as_context()
        self.__pydantic_validator__.validate_python(data, self_instance=self, context=context)

    # A call in code is trusted and data is not, so pydantic must not make a call of data: with this mark, its
    # validation of a nested model never goes through `__init__`.
    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]

    @classmethod
    def _call(cls, data: dict[str, Any]) -> Call:  # noqa: ARG003  that of settings takes options out of it
        """Return what the keywords of a call share."""
        here = caller()
        return Call(here, here.origin("keyword"), Release.at_hand())

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        schema = handler(source)
        inner: Any = {**handler.resolve_ref_schema(schema)}
        if inner.get("metadata", {}).get("dynconf") is cls:
            return schema  # of a class that is complete, as it was returned from here
        # A model validator would be inside those of subclasses, which would then see the values of sources.
        return core_schema.with_info_wrap_validator_function(
            cls._validate, inner, ref=inner.pop("ref", None), metadata={"dynconf": cls}
        )

    @classmethod
    def _validate(
        cls, data: Any, handler: core_schema.ValidatorFunctionWrapHandler, info: core_schema.ValidationInfo
    ) -> Any:
        if isinstance(data, cls):
            return _of_instance(data, handler)
        if isinstance(data, FlagModel) or (
            isinstance(data, Mapping) and not all(isinstance(name, str) for name in data)
        ):
            return handler(data)
        call = call_in(info.context)
        if call and cls._reads <= call.reads:
            return Validation(cls, call, info.mode).of(data, handler)
        # The title in the configuration is that of the model which pydantic was asked to validate.
        outer = (info.config or {}).get("title")
        is_own = outer in (None, cls.__name__, cls.model_config.get("title"))
        origin = call.origin if call else None if is_own else Origin("source", outer)
        return cls._validate_data(data, handler, info, origin)

    @classmethod
    def _validate_data(
        cls,
        data: Any,
        handler: core_schema.ValidatorFunctionWrapHandler,
        info: core_schema.ValidationInfo,
        origin: Origin | None,
    ) -> Any:
        """Validate what no call in code has passed to this model."""
        trust = isinstance(info.context, Mapping) and info.context.get("trust") is True
        # The errors may go to the sender of the data, who must not learn the line of the call.
        call = Call(caller(), origin or Origin("keyword"), Release.at_hand(), trust=trust)
        return Validation(cls, call, info.mode).of(data, handler)

    @classmethod
    def from_data(
        cls, data: Mapping[str, Any], origin: Origin | str | os.PathLike[str] | None = None
    ) -> Self:
        """Validate JSON-like data, with the place that it is from.

        Args:
            data: Values by flag; any mapping, such as a container of OmegaConf.
            origin: Where the data is from: an origin, or a file.

        Raises:
            pydantic.ValidationError: There are mistakes in it; the error lists all of them.
            TypeError: *origin* is neither an origin nor a file.
        """
        if isinstance(origin, (str, os.PathLike)):
            origin = Origin("file", file=os.fspath(origin))
        if origin is not None and not isinstance(origin, Origin):
            raise TypeError(
                f"from_data: origin={short_repr(origin)}: expected an origin, or the name of a file"
            )
        call = Call(caller(), origin or caller().origin("keyword"), Release.at_hand(), trust=False)
        made: Self = cls.__pydantic_validator__.validate_python(data, context=call.as_context())
        return made

    def __init_subclass__(
        cls, *, module: str = "", group: str = "", reads: Iterable[str] = (), **kwargs: Any
    ) -> None:
        super().__init_subclass__(**kwargs)
        cls._reads = frozenset(reads) or cls._reads
        bases = [base for base in cls.__bases__ if issubclass(base, FlagModel)]
        if len({base._module for base in bases} - {""}) > 1:
            names = " and ".join(base.__name__ for base in bases)
            raise TypeError(f"{cls.__name__}: {names} are of different config modules: use CompileSettings")
        if module:
            cls._module, cls._group, cls._built_for = module, group, Release.at_hand()
        inherited = [each for base in reversed(bases) for each in base._class_defaults.items()]
        # Which defaults are the class's is seen before pydantic makes fields; its line, after that.
        cls._class_defaults = {**dict(inherited), **dict.fromkeys(keep_flags(cls, bases), DEFAULT)}

    @classmethod
    @override
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        super().__pydantic_init_subclass__(**kwargs)
        here = caller().origin("class", cls.__qualname__)
        defaults = cls._class_defaults.items()
        cls._class_defaults = {name: here if each is DEFAULT else each for name, each in defaults}
        inner: Any = {
            name: each.annotation for name, each in cls.model_fields.items() if cls._is_inner(name, each)
        }
        cls._inner_models = inner
        for base in [base for base in cls.__bases__ if issubclass(base, FlagModel)]:
            for name in base._inner_models.keys() - inner:
                expected = base._inner_models[name].__qualname__
                raise TypeError(
                    f"{cls.__name__}.{name} has flags in it: declare {expected}, or a subclass of it"
                )

    @classmethod
    def _is_inner(cls, name: str, field: FieldInfo) -> bool:
        """Tell whether a field has flags in it that belong to this model: a group, or a config module."""
        kind = field.annotation
        # In Python 3.10, dict[str, int] counts as a type, and issubclass refuses it.
        if get_origin(kind) or not isinstance(kind, type) or not issubclass(kind, FlagModel):
            return False
        return (kind._module, kind._group) == ((cls._module, name) if cls._module else (name, ""))

    @classmethod
    def _path_of(cls, name: str) -> tuple[str, ...] | None:
        return path_of(cls, name)

    @property
    def origins(self) -> Mapping[str, Origin]:
        """Where the value of each field came from, defaults included; flags in groups by dotted names."""
        return OriginsView(self)

    def _origin_of(self, name: str) -> Origin:
        if name in self.__pydantic_fields_set__:
            return self._provenance.origins.get(name) or Origin("keyword")
        return self._class_defaults.get(name, DEFAULT)

    @property
    def _release(self) -> Release:
        return self._provenance.release or Release.at_hand()

    def as_state(self) -> State:
        """Return what is set, by whatever source, and by the defaults of subclasses, as a state."""
        return State(self._release, dict(self._entries(self._release)))

    def _entries(self, release: Release) -> Iterator[tuple[Setting, SettingValue]]:
        values = vars(self)
        if self._module:
            names = {*self.__pydantic_fields_set__, *self._class_defaults}
            settings = settings_in(self._module, release, self._group)
            for name in sorted(names & settings.keys() & values.keys()):
                if not is_absent(settings[name]):
                    yield settings[name], SettingValue(values[name], self._origin_of(name))
        for name in self._inner_models:
            inner = values.get(name)
            if isinstance(inner, FlagModel):
                yield from inner._entries(release)

    def patch(self) -> Patch:
        """Return a patch of what is set, in the defaults of a subclass too; other defaults are left alone.

        Raises:
            DynconfError: The live torch does not take the values; the error lists all mistakes.
        """
        return patch_state(self._live_state().checked(), caller())

    def install(self, scope: Scope = "process") -> Installation:
        """Put what is set in force, for the process or for the running thread or task: see `dynconf.install`.

        Defaults are left alone, apart from those of a subclass. An old release may lack a flag, and what was
        changed in place since it was checked may be wrong.

        Raises:
            DynconfError: The live torch does not take the values; the error lists all mistakes.
        """
        # Whoever made the model has been warned already, so only the errors of this check count.
        return install_state(check_conflicts(self._live_state()).checked(), caller(), scope)

    def _live_state(self) -> Reading:
        """Check what is set again: objects may have changed, and torch may be another release."""
        return for_release(self.as_state(), Release.at_hand())

    @override
    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Return a copy, as pydantic makes one: *update* is not validated."""
        copied = super().model_copy(update=update, deep=deep)
        copied._remember(dict.fromkeys(update or (), caller().origin("keyword")))
        return copied

    def _remember(self, origins: Mapping[str, Origin]) -> None:
        """Add origins of this very model; the old record is shared by copies."""
        before = self._provenance
        self._provenance = Provenance(before.release, {**before.origins, **origins})

    @override
    def __repr_args__(self) -> Iterator[tuple[str | None, Any]]:
        """Yield what is set, and further fields: hundreds of defaults would hide the few that count."""
        is_set = {*self.__pydantic_fields_set__, *self._class_defaults}
        for name, value in super().__repr_args__():
            field = type(self).model_fields.get(name or "")
            if isinstance(value, FlagModel) and name in self._inner_models:
                if any(value.__repr_args__()):
                    yield name, value
            elif field is None or name in is_set or not is_flag(field):
                yield name, value

    def _repr_html_(self) -> str:
        state = self.as_state()
        rows = [(each.qualified, short_repr(value), str(origin)) for each, (value, origin) in state.items()]
        return html_table(type(self).__name__, rows, "")

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Read a flag by an old name."""
            path = type(self)._path_of(name)
            if path is None or path == (name,):
                return super().__getattr__(name)
            return functools.reduce(getattr, path, self)

        def __setattr__(self, name: str, value: object) -> None:
            """Set a field by any of its names; the origin of its value is the calling line."""
            cls = type(self)
            path = cls._path_of(name) or (name,)
            if len(path) > 1:
                setattr(functools.reduce(getattr, path[:-1], self), path[-1], value)
                return
            name, config = path[0], self.model_config
            is_field = name in cls.model_fields
            is_private = name.startswith("_") and not is_known(name, self._module or BARE_MODULE)
            is_unknown = not is_private and not hasattr(cls, name) and config.get("extra") == "forbid"
            is_checked = config.get("validate_assignment") and not config.get("frozen")
            if (is_field or is_unknown) and is_checked:
                # What BaseModel does, with the context of a call: an assignment is not data from others.
                context = _assignment(self).as_context()
                self.__pydantic_validator__.validate_assignment(self, name, value, context=context)
            else:
                super().__setattr__(name, value)
            if is_field:
                self._remember({name: caller().origin("keyword")})


def _assignment(instance: FlagModel) -> Call:
    """Return what the validation of an assignment needs to know."""
    here = caller()
    return Call(here, here.origin("keyword"), instance._release, reads=instance._reads)


def _of_instance(instance: FlagModel, handler: core_schema.ValidatorFunctionWrapHandler) -> Any:
    """Take an instance as it is, or after an assignment, of which nothing remains if it is refused.

    pydantic assigns by a validation of the instance itself, which gets another ``__dict__``.
    """
    values, names = vars(instance), instance.__pydantic_fields_set__
    kept, provenance = set(names), instance._provenance
    validation = Validation(type(instance), _assignment(instance), "python")
    try:
        made = validation.complete(handler, instance)
        if made is not instance:  # validated anew, as the configuration may ask
            made.__pydantic_private__["_provenance"] = instance._provenance
        elif changed := {name for name, each in vars(made).items() if values.get(name, ...) is not each}:
            made._remember(dict.fromkeys(changed, validation.call.origin))
            validation.check(made, changed)
            validation.raise_entries()
        return made
    except BaseException:
        object.__setattr__(instance, "__dict__", values)
        object.__setattr__(instance, "__pydantic_fields_set__", kept)
        instance._provenance = provenance
        raise
