"""Models that hold values of flags: where the values come from, and what is done with them."""

import functools
from collections.abc import Callable, Mapping
from copy import copy
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import core_schema
from typing_extensions import Self, override

from dynconf.catalogue import Setting
from dynconf.errors import DynconfError, UnknownFlagError
from dynconf.live.install import Installation, Scope, install_state
from dynconf.live.patch import Patch, patch_of
from dynconf.names import is_known, split
from dynconf.origin import Caller, caller
from dynconf.release import Release
from dynconf.rules import check_rules
from dynconf.settings.construction import WRITTEN
from dynconf.settings.fields import schema_of_release
from dynconf.settings.tree import Tree
from dynconf.settings.validation import asked_by
from dynconf.sources.calls import read_values
from dynconf.sources.gather import check_conflicts
from dynconf.sources.reading import Reading
from dynconf.sources.trust import without_internal
from dynconf.state import State


def _dump(held: Any, write: Callable[[Any], Any]) -> Any:
    """Serialize; what the release of the settings lacks is left out."""
    if not isinstance(held, Tree):
        return write(held)
    held._notice_changes()
    token = WRITTEN.set(held._release)
    try:
        data = write(held)
    finally:
        WRITTEN.reset(token)
    if isinstance(data, dict):
        absent = set(held._lacking())
        if asked_by("pydantic_settings"):  # for a partial update, in which only what is set should count
            absent |= held._plan.settings - held.__pydantic_fields_set__
        for name in absent:
            data.pop(name, None)
    return data


class Held(Tree):
    """A model of flags, with all that is done with one."""

    @classmethod
    @override
    def __get_pydantic_core_schema__(
        cls, source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        schema = handler(source)
        whole: Any = handler.resolve_ref_schema(schema)
        whole["serialization"] = core_schema.wrap_serializer_function_ser_schema(_dump)
        return schema

    @classmethod
    @override
    def __get_pydantic_json_schema__(
        cls, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Return the schema of what the model accepts in the release at hand, with its defaults there."""
        found = handler.resolve_ref_schema(handler(schema))
        if "properties" in found and handler.mode == "validation":
            others = {
                name: each for name, each in found["properties"].items() if name not in cls._plan.settings
            }
            found["properties"] = {**cls._properties(), **others}
        return found

    @classmethod
    def _properties(cls) -> dict[str, Any]:
        """Return the JSON Schema of each flag in the release at hand."""
        return schema_of_release(cls)

    def patch(self) -> Patch:
        """Return a patch of what was set, in a subclass's defaults too; other defaults are left alone.

        Raises:
            UnknownFlagError: The live torch lacks a flag.
            InvalidValueError: A flag does not accept its value.
            ConflictError: A rule over several flags forbids the values.
        """
        changes = {self._full(name): value for name, (value, _) in self.flags_set().items()}
        return patch_of(changes, caller(), self._module)

    def install(self, scope: Scope = "process") -> Installation:
        """Put what was set in force, for the process or for the running thread or task.

        Defaults are left alone, apart from those of a subclass. Every thread sees an installation for the
        process, even those already running; patches go on top.

        Args:
            scope: ``"process"``, or ``"context"`` for the running thread or task only (torch 2.12 and newer).

        Returns:
            The installation, in force; `Installation.uninstall` takes it back, and as a context manager it
            does so on leaving.

        Raises:
            UnknownFlagError: The live torch lacks a flag.
            InvalidValueError: A flag does not accept its value, or this torch does not support that scope.
            ConflictError: A rule over several flags forbids the values.
        """
        # A set may have been changed in place since it was checked, and another torch may have been loaded.
        return install_state(check_conflicts(self._layer(Release.at_hand())).resolved(), caller(), scope)

    def as_state(self) -> State:
        """Return the flags that are set, for the release of the settings."""
        return self._layer(self._release).checked()

    def _layer(self, release: Release) -> Reading:
        flags = {self._full(name): each for name, each in self.flags_set().items()}
        return read_values(flags, release, self._module)

    @classmethod
    @override
    def model_construct(cls, _fields_set: set[str] | None = None, **values: Any) -> Self:
        """Return settings of values that are trusted: nothing is checked, no other source is read."""
        here = caller()
        made = super().model_construct(_fields_set, **values)
        made._origins = dict.fromkeys(made.__pydantic_fields_set__, here.origin("keyword"))
        return made

    @override
    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Return a copy; models of further flags in it are copied, too.

        Args:
            update: Flags to set in it; they are checked as in an assignment, and so are the rules.
            deep: Whether to copy sets and the like, too.

        Raises:
            DynconfError: A name or a value is wrong; the error tells of all mistakes.
        """
        here = caller()
        self._notice_changes()
        copied = super().model_copy(deep=deep)
        if update:
            copied._assign(update, here)
        return copied

    @override
    def __copy__(self) -> Self:
        copied = super().__copy__()
        vars(copied).update({name: copy(node) for name, node in self._inner_nodes().items()})
        return copied

    def _assign(self, changes: Mapping[str, Any], here: Caller) -> None:
        """Set fields, after a check of all of them together."""
        own = {name: value for name, value in changes.items() if self._plan.is_own(name)}
        named = {name: value for name, value in changes.items() if name not in own}
        given = {
            self._full(name): (value, origin or here.origin("keyword"))
            for name, (value, origin) in self._spread(named).items()
        }
        layer = without_internal(self._of_this_model(read_values(given, self._release, self._module)))
        state = layer.resolved()
        verdict = check_rules(
            state,
            lambda setting: state.value(setting) if setting in state else self._value(setting),
            lambda setting: state.origin(setting) if setting in state else self.origins[self._local(setting)],
        )
        Reading(state, verdict.errors).checked()
        for note in (*layer.warnings, *verdict.warnings):
            here.warn(note)
        for name in named.keys() & self._inner.keys():
            node = named[name]
            if not isinstance(node, Held):
                node = self._inner[name]._of_defaults()
                node._release = self._release
            super().__setattr__(name, node)
        for setting, (checked, origin) in state.items():
            node, name = self._node(self._local(setting))
            BaseModel.__setattr__(node, name, checked)
            # Copies share the old dict.
            node._origins = {**node._origins, name: origin}
        for name, value in own.items():
            self._set_own(name, value, here)

    def _set_own(self, name: str, value: object, here: Caller) -> None:
        """Set what is not a flag, which pydantic sees to."""
        super().__setattr__(name, value)
        if name in type(self).model_fields and self.__pydantic_private__:
            self._origins = {**self._origins, name: here.origin("keyword")}

    def _value(self, setting: Setting) -> Any:
        node, name = self._node(self._local(setting))
        if name not in vars(node):
            raise UnknownFlagError(f"{setting.qualified} is not among these settings", flag=setting.qualified)
        return vars(node)[name]

    @classmethod
    def _of_this_model(cls, layer: Reading) -> Reading:
        """Return the layer; a flag that has no field here is a mistake in it."""
        errors: dict[Setting, DynconfError] = {}
        for setting, (_, origin) in layer.state.items():
            home, key = split(setting.newest)
            if home != cls._module:
                why = f"is not a flag of {cls._module}"
            elif setting.public and cls._local(setting) not in cls._plan.settings:
                why = f"has no field in {cls.__name__}, where {key} is a group of flags"
            else:
                continue
            elsewhere = f"dynconf.{home}, or dynconf.install({home}={{...}})"
            message = f"{setting.qualified} (from {origin}) {why}: use {elsewhere}"
            errors[setting] = UnknownFlagError(message, flag=setting.qualified)
        return layer.without(errors.keys(), errors.values()) if errors else layer

    @classmethod
    def _without_others(cls, layer: Reading) -> Reading:
        """Return the layer without flags that moved to another module, whose settings have them."""
        others = {each for each in layer.state if split(each.newest)[0] != cls._module}
        return layer.without(others) if others else layer

    def __eq__(self, other: object) -> bool:
        """Compare values, as models do; where a value came from does not count."""
        if not isinstance(other, Held) or type(self) is not type(other):
            return NotImplemented
        # Not all that an instance contains is a field: a cached property is not.
        fields = type(self).model_fields.keys()
        mine, theirs = (
            {name: vars(each)[name] for name in fields & vars(each).keys()} for each in (self, other)
        )
        return mine == theirs and self.model_extra == other.model_extra

    __hash__ = None  # type: ignore[assignment]

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Read a flag by an old name."""
            is_private = name.startswith("_") and not is_known(name, self._module)
            newest = name if is_private else self._newest(name)
            if newest == name or newest not in self._plan.settings:
                return super().__getattr__(name)
            return functools.reduce(getattr, newest.split("."), self)

        def __setattr__(self, name: str, value: object) -> None:
            """Set a flag by any of its names: the value is checked, its origin is the calling line."""
            if self._plan.is_own(name) or (name.startswith("_") and not is_known(name, self._module)):
                self._set_own(name, value, caller())
            else:
                self._assign({name: value}, caller())
