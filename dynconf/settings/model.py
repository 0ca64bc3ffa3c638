"""Models of flags, which read only the data that they are given: the base of all models here.

Each flag of a config module is a field, and each group of flags a model in a field, as in
``flags.triton.cudagraphs``. pydantic does everything with these that it does with any model: subclasses,
validators, configuration, copies and dumps. This module adds the things that pydantic cannot know: old names,
the origins of values, and putting them in force. The package adds the flags of a config module.
"""

import copy
import functools
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pydantic import AliasPath, BaseModel, ConfigDict, GetCoreSchemaHandler, PrivateAttr, ValidationError
from pydantic_core import core_schema
from typing_extensions import Self, override

from dynconf.catalogue.catalogue import Setting
from dynconf.catalogue.flags.flag import qualified
from dynconf.catalogue.flags.types import is_same_value
from dynconf.catalogue.names import is_known
from dynconf.live.binding import newer_flags
from dynconf.live.install import Installation, Scope
from dynconf.live.patch import Patch
from dynconf.provenance import DEFAULT, Origin, caller
from dynconf.release import Release
from dynconf.settings.field import RUNNING, choices
from dynconf.settings.layout import Layout
from dynconf.settings.validation import NestedFlags, Provenance, Validation
from dynconf.state import SettingValue, State
from dynconf.store.snapshot import Origins, Snapshot
from dynconf.text import html_table


class FlagModel(Layout):
    """A model whose fields are flags, or models of further flags, such as `dynconf.DynamoFlags`."""

    model_config = ConfigDict(
        extra="forbid", validate_assignment=True, populate_by_name=True, protected_namespaces=()
    )

    _provenance: Provenance = PrivateAttr(default_factory=Provenance.of_new_model)

    def __init__(self, /, **data: Any) -> None:
        __tracebackhide__ = True  # of IPython, as in pydantic's own
        validation = Validation.at_stage("called", type(self))
        try:
            with validation.at("next"):
                super().__init__(**self._prepared(validation, data))
        except ValidationError as error:
            raise error.with_traceback(None)  # noqa: B904  the same error, above a page of pydantic's code

    # A call in code is trusted and data is not, so pydantic must not turn data into a call: with this mark,
    # its validation of a nested model never goes through `__init__`.
    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]

    @classmethod
    def _prepared(cls, validation: Validation, data: dict[str, Any]) -> dict[str, Any]:  # noqa: ARG003
        """Return the keywords of a call as the next base takes them; settings have options among them."""
        return data

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        if not cls.__pydantic_complete__:  # one that is, is in another model now
            cls._add_layout()
        schema = handler(source)
        inner: Any = {**handler.resolve_ref_schema(schema)}
        if inner.get("metadata", {}).get("dynconf") is cls:
            return schema  # of a class that is complete, as it was returned from here
        fields: Any = {} if cls._has_code else inner["schema"]["fields"]
        for name in cls._flags.keys() & fields.keys():
            if all(each[0].isupper() for each in fields[name]["validation_alias"][1:]):
                del fields[name]["validation_alias"]  # pydantic takes longer for these than for the field
        # A model validator would be inside those of subclasses, which would then see the values of sources.
        return core_schema.with_info_wrap_validator_function(
            cls._validate, inner, ref=inner.pop("ref", None), metadata={"dynconf": cls}
        )

    @classmethod
    def of_defaults(cls) -> Self:
        """Return the model of no values: the default of a field, for which no sources are read."""
        return cls.model_validate(NestedFlags())

    @classmethod
    def _validate(
        cls, data: Any, handler: core_schema.ValidatorFunctionWrapHandler, info: core_schema.ValidationInfo
    ) -> Any:
        if isinstance(data, NestedFlags):
            return handler(data)
        running = RUNNING.get()
        if isinstance(data, FlagModel):
            # It is trusted, whatever it is passed on with.
            with (running if running and running.trust else Validation(cls)).at("running"):
                made = handler(data)
            if made is not data and isinstance(made, FlagModel):  # validated anew, as the configuration asks
                made._provenance = data._provenance
            return made
        if running and (running.model, running.stage) == (cls, "next"):
            return running.run(data, handler)
        validation = Validation(cls)
        context = info.context if isinstance(info.context, Mapping) else {}
        # The configuration is that of the model which pydantic was asked to validate.
        config: Any = info.config or {}
        title = config.get("title")
        is_own = title in (None, cls.__name__, cls.model_config.get("title"))
        # The errors may go to the sender of the data, who must not learn the line of the call.
        validation.outer = None if is_own else (title, getattr(info, "field_name", None))
        validation.origin = context.get(Origin) or (Origin("keyword") if is_own else Origin("source", title))
        validation.trust = context.get("trust") is True
        validation.is_hidden = validation.is_hidden or bool(config.get("hide_input_in_errors"))
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
        names = [".".join(each.path) for each in self._fields_in() if not each.inner]
        return Origins(names, self._origin_of)

    def _origin_of(self, name: str) -> Origin:
        is_extra = name in (self.__pydantic_extra__ or ())
        *outer, field = (name,) if is_extra else self._named()[name].path
        holder = functools.reduce(getattr, outer, self)
        if field in holder._inner_models:
            raise KeyError(name)
        if field not in holder.__pydantic_fields_set__:
            return holder._class_defaults.get(field, DEFAULT)
        known, declared = holder._own_provenance, type(holder).model_fields.get(field)
        aliases = choices(declared) if declared else []  # pydantic may look for the value inside another one
        keys = [field, *(str(each.path[0]) for each in aliases if isinstance(each, AliasPath))]
        found = (known.origins.get((*holder._home, key)) for key in keys)
        return next(filter(None, found), known.other)

    def as_state(self) -> State:
        """Return the values that a source or the default of a subclass has set."""
        release = self._own_provenance.release or Release.at_hand()
        return State(release, dict(self._set_flags(release)))

    def _set_flags(
        self, release: Release, changed: set[str] | None = None, *, is_judged: bool = False
    ) -> Iterator[tuple[Setting, SettingValue]]:
        """Yield the flags that are set, with their values.

        With *is_judged*, only those that are judged after pydantic: hardly any, but a validator may have
        returned anything. With *changed* fields, only those and the ones with which they share a rule.
        """
        given, flags = self.__pydantic_fields_set__, self._flags
        names = {*given, *self._class_defaults}
        if changed is not None:
            rules = [rule for name in changed & flags.keys() for rule in flags[name].at(release).rules]
            names &= changed.union(each.newest.rpartition(".")[2] for rule in rules for each in rule.settings)
        found = {name: flags[name].at(release) for name in names if name in flags}
        if is_judged and not self._has_code:
            found = {name: setting for name, setting in found.items() if setting.is_judged}
        if self.__pydantic_extra__:
            full = {name: qualified(self._modules[0], name) for name in self.__pydantic_extra__}
            newer = newer_flags(release)
            found |= {name: newer[each] for name, each in full.items() if each in newer}
        for name in sorted(found):
            setting, value = found[name], getattr(self, name)
            # Dumps contain defaults of flags that the release lacks, and a class is for many releases.
            is_idle = is_same_value(value, setting.default_value()) if name in given else not is_judged
            if not (setting.is_absent and is_idle):
                yield setting, SettingValue(value, self._origin_of(name))
        for name in self._inner_models if changed is None else self._inner_models.keys() & changed:
            inner = vars(self).get(name)
            if isinstance(inner, Mapping):  # of `model_construct`, which makes no models
                inner = self._inner_models[name].model_construct(**inner)
            if isinstance(inner, FlagModel):
                yield from inner._set_flags(release, is_judged=is_judged)

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
        copied._remember(update or (), caller().origin("keyword"))
        return copied

    def _remember(self, names: Iterable[str], origin: Origin) -> None:
        """Note that the program has set fields of this very model."""
        known = self._own_provenance
        if known.release is None:  # a validator's line is not for the sender of data
            origin = known.other
        else:  # copies share the old record
            known = Provenance({**known.origins}, known.other, known.release)
            private: Any = self.__pydantic_private__
            private["_provenance"] = known
        known.origins |= {(*self._home, name): origin for name in names}

    @property
    def _own_provenance(self) -> Provenance:
        # Not by the attribute: pydantic finds a private one only after all others.
        private: Any = self.__pydantic_private__
        return private["_provenance"]  # type: ignore[no-any-return]

    @override
    def __repr_args__(self) -> Iterator[tuple[str | None, Any]]:
        """Yield the values that are set, and further fields: hundreds of defaults would hide those."""
        shown = {*self.__pydantic_fields_set__, *self._class_defaults}
        for name, value in super().__repr_args__():
            is_model = isinstance(value, FlagModel) and name in self._inner_models
            if any(value.__repr_args__()) if is_model else name in shown or name not in self._flags:
                yield name, value

    def _repr_html_(self) -> str:
        return html_table(type(self).__name__, *Snapshot(self.as_state()).rows())

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Read a flag by an old name."""
            place = self._named(is_data=False).get(name)
            is_own = not place or place.path == (name,)
            return super().__getattr__(name) if is_own else functools.reduce(getattr, place.path, self)

        def __setattr__(self, name: str, value: object) -> None:
            """Set a field by any of its names; if that is refused, nothing remains of it."""
            place = self._named(is_data=False).get(name)
            *outer, name = place.path if place else (name,)
            if outer:
                setattr(functools.reduce(getattr, outer, self), name, value)
            elif name.startswith("_") and not is_known(name, self._modules[0]):
                super().__setattr__(name, value)
            else:  # pydantic takes every name with an underscore for that of a private attribute
                validate = functools.partial(self.__pydantic_validator__.validate_assignment, self)
                self._assign(name, value, validate if name.startswith("_") else super().__setattr__)

    def _assign(self, name: str, value: object, assign: Callable[[str, Any], None]) -> None:
        if not self.model_config.get("validate_assignment"):
            assign(name, value)
            self._remember({name}, caller().origin("keyword"))
            return
        release = self._own_provenance.release
        validation, changed, flag = Validation(type(self), release), {name}, self._flags.get(name)
        # What pydantic alone refuses it leaves as it is, unless validators have seen the model.
        is_pydantics = flag and not (self._has_code or flag.at(validation.release).is_judged)
        undo = [] if is_pydantics else _undo(self, set(), deep=self._has_code)

        def change(values: Mapping[str, Any]) -> object:
            old = vars(self)
            for each in values.values():  # a model in a field is trusted, like that of a call
                assign(name, each)
            if self._has_code:
                changed.update(each for each, now in vars(self).items() if old.get(each, ...) is not now)
            self._remember(changed, validation.origin)
            # In a validator of its own, the whole is not complete, and is checked once it is.
            return self if release and not is_pydantics else None

        try:
            validation.run({name: value}, change, changed)
        except BaseException:
            for each in undo:
                each()
            raise


def _undo(value: Any, seen: set[int], *, deep: bool) -> list[Callable[[], object]]:
    """Return what puts back the contents of a model, and if *deep* of all models and containers in it."""
    if id(value) in seen or not isinstance(value, (BaseModel, list, set, dict)):
        return []
    seen.add(id(value))
    if isinstance(value, BaseModel):
        before: Any = BaseModel.__copy__(value)
        undo: list[Any] = [functools.partial(BaseModel.__setstate__, value, BaseModel.__getstate__(before))]
        contents = vars(before)
    else:
        contents = copy.copy(value)
        fill = value.extend if isinstance(value, list) else value.update
        undo = [value.clear, functools.partial(fill, contents)]
    for each in (contents.values() if isinstance(contents, dict) else contents) if deep else ():
        undo += _undo(each, seen, deep=True)
    return undo
