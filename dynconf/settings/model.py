"""Models of flags, which read only the data that they are given: the base of all models here.

Each flag of a config module is a field, and each group of flags a model in a field, as in
``flags.triton.cudagraphs``. pydantic does everything with these that it does with any model: subclasses,
validators, configuration, copies and dumps. This module adds the things that pydantic cannot know: old names,
the origins of values, and putting them in force. The package adds the flags of a config module.
"""

import copy
import functools
import os
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler, PrivateAttr, ValidationError
from pydantic_core import core_schema
from typing_extensions import Self, override

from dynconf.catalogue.names import is_known
from dynconf.live.install import Installation, Scope
from dynconf.live.patch import Patch
from dynconf.provenance import Origin, caller
from dynconf.release import Release
from dynconf.settings.field import FieldPath
from dynconf.settings.layout import Layout
from dynconf.settings.validation import DEFAULT_OBJECTS, NestedFlags, Validation, validate
from dynconf.settings.values import Provenance, origin_of, provenance_of, remember, set_flags
from dynconf.state import State
from dynconf.store.snapshot import Origins, Snapshot
from dynconf.text import html_table


class FlagModel(BaseModel):
    """A model whose fields are flags, or models of further flags, such as `dynconf.DynamoFlags`."""

    model_config = ConfigDict(
        extra="forbid", validate_assignment=True, populate_by_name=True, protected_namespaces=()
    )

    __dynconf__: ClassVar[Layout] = Layout(BaseModel)
    _dynconf_provenance: Provenance = PrivateAttr(default_factory=Provenance.of_new_model)

    def __init_subclass__(cls, *, home: FieldPath = (), **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.__dynconf__ = Layout(cls, home, caller().origin("class", cls.__qualname__))

    def __set_name__(self, owner: type, name: str) -> None:
        """Note that this is the default of a field; Python says so while it makes the class."""
        title = getattr(owner, "model_config", {}).get("title") or owner.__name__
        DEFAULT_OBJECTS[title, name, id(self)] = self

    def __init__(self, /, **data: Any) -> None:
        __tracebackhide__ = True  # of IPython, as in pydantic's own
        validation = Validation.at_stage("called", type(self))
        try:
            with validation.at("next"):
                super().__init__(**self.__dynconf_call__(validation, data))
        except ValidationError as error:
            raise error.with_traceback(None)  # noqa: B904  the same error, above a page of pydantic's code

    # A call in code is trusted and data is not, so pydantic must not turn data into a call: with this mark,
    # its validation of a nested model never goes through `__init__`.
    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]

    @classmethod
    def __dynconf_call__(cls, validation: Validation, data: dict[str, Any]) -> dict[str, Any]:
        """Return the keywords of a call as the next base takes them; settings have options among them."""
        return data

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        if not cls.__pydantic_complete__:  # one that is, is in another model now
            cls.__dynconf__.note_fields()
        layout, schema = cls.__dynconf__, handler(source)
        inner: Any = {**handler.resolve_ref_schema(schema)}
        if inner.get("metadata", {}).get("dynconf") is cls:
            return schema  # of a class that is complete, as it was returned from here
        # pydantic 2.7 has the fields of generic models elsewhere.
        fields: Any = {} if layout.has_code else inner["schema"].get("fields", {})
        for name in layout.flags.keys() & fields.keys():
            if all(each[0].isupper() for each in fields[name]["validation_alias"][1:]):
                del fields[name]["validation_alias"]  # pydantic takes longer for these than for the field
        # A model validator would be inside those of subclasses, which would then see the values of sources.
        around: Any = functools.partial(validate, cls)
        around.__name__ = cls.__name__  # for the locations of errors in a union
        return core_schema.with_info_wrap_validator_function(
            around, inner, ref=inner.pop("ref", None), metadata={"dynconf": cls}
        )

    @classmethod
    def of_defaults(cls) -> Self:
        """Return the model of no values: the default of a field, for which no sources are read."""
        return cls.model_validate(NestedFlags())

    @classmethod
    def __dynconf_data__(cls, validation: Validation, data: Any, handler: Callable[[Any], Any]) -> Any:
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
        names = [".".join(each.path) for each in self.__dynconf__.places() if not each.inner]
        return Origins(names, functools.partial(origin_of, self))

    def as_state(self) -> State:
        """Return the values that a source or the default of a subclass has set."""
        release = provenance_of(self).release or Release.at_hand()
        return State(release, dict(set_flags(self, release)))

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
        remember(copied, update or (), caller().origin("keyword"))
        return copied

    @override
    def __repr_args__(self) -> Iterator[tuple[str | None, Any]]:
        """Yield the values that are set, and further fields: hundreds of defaults would hide those."""
        layout = self.__dynconf__
        shown = {*self.__pydantic_fields_set__, *layout.class_defaults}
        for name, value in super().__repr_args__():
            is_model = isinstance(value, FlagModel) and name in layout.inner
            if any(value.__repr_args__()) if is_model else name in shown or name not in layout.flags:
                yield name, value

    def _repr_html_(self) -> str:
        return html_table(type(self).__name__, *Snapshot(self.as_state()).rows())

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Read a flag by an old name."""
            place = self.__dynconf__.named(is_data=False).get(name)
            is_own = not place or place.path == (name,)
            return super().__getattr__(name) if is_own else functools.reduce(getattr, place.path, self)

        def __setattr__(self, name: str, value: object) -> None:
            """Set a field by any of its names; if that is refused, nothing remains of it."""
            place = self.__dynconf__.named(is_data=False).get(name)
            *outer, name = place.path if place else (name,)
            if outer:
                setattr(functools.reduce(getattr, outer, self), name, value)
            elif name.startswith("_") and not is_known(name, self.__dynconf__.modules[0]):
                super().__setattr__(name, value)
            else:  # pydantic takes every name with an underscore for that of a private attribute
                validate = functools.partial(self.__pydantic_validator__.validate_assignment, self)
                _assign(self, name, value, validate if name.startswith("_") else super().__setattr__)


def _assign(self: FlagModel, name: str, value: object, assign: Callable[[str, Any], None]) -> None:
    layout, release = self.__dynconf__, provenance_of(self).release
    if not self.model_config.get("validate_assignment"):
        assign(name, value)
        remember(self, {name}, caller().origin("keyword"))
        return
    validation, changed, flag = Validation(type(self), release), {name}, layout.flags.get(name)
    # What pydantic alone refuses it leaves as it is, unless validators have seen the model.
    is_pydantics = flag and not (layout.has_code or flag.at(validation.release).is_judged)
    undo = [] if is_pydantics else _undo(self, set(), deep=layout.has_code)

    def change(values: Mapping[str, Any]) -> object:
        old = vars(self)
        for each in values.values():  # a model in a field is trusted, like that of a call
            assign(name, each)
        if layout.has_code:
            changed.update(each for each, now in vars(self).items() if old.get(each, ...) is not now)
        remember(self, changed, validation.origin)
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
