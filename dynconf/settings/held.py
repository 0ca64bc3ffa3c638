"""Models that hold values of flags: where the values come from, and what is done with them."""

import functools
from collections.abc import Callable, Mapping
from copy import copy
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import BaseModel, PrivateAttr
from pydantic.fields import FieldInfo
from typing_extensions import Self, override

from dynconf.catalogue import Setting
from dynconf.errors import UnknownFlagError
from dynconf.flags.types import same
from dynconf.live.install import Installation, Scope, install_layer
from dynconf.live.patch import Patch, patch_of
from dynconf.modules import catalogue
from dynconf.names import is_known, split
from dynconf.origin import DEFAULT, Caller, Origin, caller
from dynconf.release import Release
from dynconf.rules import check_rules
from dynconf.settings.display import Displayed, Origins
from dynconf.settings.fields import default_values, mutable_defaults
from dynconf.settings.plan import Plan
from dynconf.settings.sources import RUNNING, Construction, release_in_question
from dynconf.snapshot import Snapshot, set_by
from dynconf.sources.calls import read_values
from dynconf.sources.layer import Layer, without_internal
from dynconf.sources.merge import judged


def _origins_of(running: Construction | None) -> dict[str, Origin]:
    if running is None or running.layer is None:
        return {}
    return running.origins | {
        setting.key: origin for setting, origin in running.layer.origins.items() if "." not in setting.key
    }


class Held(Displayed, BaseModel):
    """A model whose fields are flags, or models of further flags.

    In messages and mappings a flag goes by its name from here: ``cudagraphs`` in the group ``triton``,
    ``triton.cudagraphs`` in the settings of inductor.
    """

    _module: ClassVar[str]
    _group: ClassVar[str] = ""
    _inner: ClassVar[Mapping[str, type["Held"]]] = {}
    _plan: ClassVar[Plan]
    _release: Release = PrivateAttr(default_factory=release_in_question)
    _origins: dict[str, Origin] = PrivateAttr(default_factory=lambda: _origins_of(RUNNING.get()))

    def __init_subclass__(cls, *, module: str | None = None, group: str | None = None, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if module is not None:
            cls._module = module
        if group is not None:
            cls._group = group

    @classmethod
    @override
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        super().__pydantic_init_subclass__(**kwargs)
        cls._inner = {name: field.annotation for name, field in cls.model_fields.items() if is_inner(field)}
        # Reading a default is no use of a flag that should not be used; setting it is, and says so.
        for name, field in cls.model_fields.items():
            if field.deprecated and name in vars(cls):
                delattr(cls, name)

    @classmethod
    def _of_defaults(cls) -> Self:
        """Return a model in which nothing is set."""
        made = cls.__new__(cls)
        made._fill(release_in_question(), {}, {})
        return made

    @classmethod
    def _local(cls, setting: Setting) -> str:
        """Return what a setting is called here."""
        return setting.key.removeprefix(f"{cls._group}.")

    @classmethod
    def _newest(cls, name: str) -> str:
        """Return what the flag is called here that goes by *name*; an unknown name stays as it is."""
        start = f"{cls._group}." if cls._group else ""
        module, bare = split(start + name, cls._module)
        newest = catalogue(module).canonical(bare)
        return newest.removeprefix(start) if module == cls._module and newest.startswith(start) else name

    def _node(self, name: str) -> tuple["Held", str]:
        """Return the model that has the flag of that name as a field, and the field."""
        head, dot, rest = name.partition(".")
        inner = vars(self).get(head) if dot else None
        return inner._node(rest) if isinstance(inner, Held) else (self, name)

    def _inner_nodes(self) -> dict[str, "Held"]:
        return {name: node for name in self._inner if isinstance(node := vars(self).get(name), Held)}

    def _fill(self, release: Release, values: Mapping[str, Any], origins: Mapping[str, Origin]) -> None:
        """Take values that have been checked, by name from here; everything else has its default."""
        own, within = apart(values, self._inner)
        _, origins_within = apart(origins, self._inner)
        nodes: dict[str, Held] = {}
        for name, model in self._inner.items():
            nodes[name] = model.__new__(model)
            nodes[name]._fill(release, within.get(name, {}), origins_within.get(name, {}))
        given = {name for name in own if origins[name].kind != "class"}
        self.__setstate__(
            {
                "__dict__": {**default_values(self._module, release, self._group), **nodes, **own},
                "__pydantic_fields_set__": given
                | {name for name in nodes if nodes[name].__pydantic_fields_set__},
                "__pydantic_extra__": None,
                "__pydantic_private__": {
                    "_release": release,
                    "_origins": {name: origins[name] for name in own},
                },
            }
        )

    @property
    def origins(self) -> Mapping[str, Origin]:
        """Where each flag's value came from, defaults included."""
        return Origins(self)

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
        return install_layer(judged(self._layer(Release.at_hand())).resolved(), caller(), scope)

    def as_snapshot(self) -> Snapshot:
        """Return what is set, by the names that the release of the settings uses."""
        layer = self._layer(self._release).sound()
        return set_by(layer, self._release, layer.values)

    def _layer(self, release: Release) -> Layer:
        flags = {self._full(name): each for name, each in self.flags_set().items()}
        return read_values(flags, release, self._module)

    def _full(self, name: str) -> str:
        return f"{self._group}.{name}" if self._group else name

    def flags_set(self) -> dict[str, tuple[Any, Origin]]:
        """Return the flags that are not merely torch's defaults, sorted, each with value and origin."""
        self._notice_changes()
        values, origins = vars(self), self._origins
        names = {*self.__pydantic_fields_set__, *origins} & self._plan.settings
        found = {name: (values[name], origins.get(name, DEFAULT)) for name in names}
        for field, node in self._inner_nodes().items():
            found |= {f"{field}.{name}": each for name, each in node.flags_set().items()}
        return dict(sorted(found.items()))

    def _notice_changes(self, *names: str) -> None:
        """Count what was changed in place, such as a set, as set; of these fields, or of all."""
        defaults = mutable_defaults(self._module, self._release, self._group)
        for name in names or defaults:
            if name in defaults and name not in self.__pydantic_fields_set__ and name not in self._origins:
                default = defaults[name]
                value = vars(self).get(name, default)
                if value is not default and not same(value, default):
                    self.__pydantic_fields_set__.add(name)
                    self._origins = {**self._origins, name: Origin("assignment")}
        for field, node in () if names else self._inner_nodes().items():
            if node.model_fields_set:
                self.__pydantic_fields_set__.add(field)

    @property
    @override
    def model_fields_set(self) -> set[str]:
        """The fields that were set, those changed in place included."""
        self._notice_changes()
        return self.__pydantic_fields_set__

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
        layer = without_internal(
            self._of_this_model(read_values(given, self._release, self._module))
        ).resolved()
        verdict = check_rules(
            layer.values,
            lambda setting: layer.values[setting] if setting in layer.values else self._value(setting),
            lambda setting: layer.origins.get(setting) or self.origins[self._local(setting)],
        )
        Layer(errors=verdict.errors).sound()
        for note in (*layer.notes, *verdict.warnings):
            here.warn(note)
        for name in named.keys() & self._inner.keys():
            node = named[name]
            if not isinstance(node, Held):
                node = self._inner[name]._of_defaults()
                node._release = self._release
            super().__setattr__(name, node)
        for setting, checked in layer.values.items():
            node, name = self._node(self._local(setting))
            BaseModel.__setattr__(node, name, checked)
            # Copies share the old dict.
            node._origins = {**node._origins, name: layer.origins[setting]}
        for name, value in own.items():
            super().__setattr__(name, value)

    def _value(self, setting: Setting) -> Any:
        node, name = self._node(self._local(setting))
        if name not in vars(node):
            raise UnknownFlagError(f"{setting.qualified} is not among these settings", flag=setting.qualified)
        return vars(node)[name]

    @classmethod
    def _spread(cls, values: Mapping[str, Any]) -> dict[str, tuple[Any, Origin | None]]:
        """Return what is given for fields, with that for models of further flags spread out.

        Values that have an origin already keep it.
        """
        found: dict[str, tuple[Any, Origin | None]] = {}
        for name, value in values.items():
            inner = cls._inner.get(name)
            if inner is None:
                found[name] = value, None
            elif isinstance(value, Held):
                found |= {f"{name}.{each}": given for each, given in value.flags_set().items()}
            elif isinstance(value, Mapping):
                found |= {f"{name}.{each}": given for each, given in inner._spread(value).items()}
            else:
                found[name] = value, None
        return found

    def _lacking(self) -> set[str]:
        """Return the fields of which the release of the settings has nothing."""
        here = catalogue(self._module).at(self._release).settings
        start = self._full("")
        present = {name.removeprefix(start) for name in here if name.startswith(start)}
        present |= {name.partition(".")[0] for name in present}
        return {*self._inner, *self._plan.settings} - present

    @classmethod
    def _of_this_model(cls, layer: Layer) -> Layer:
        """Return the layer; a flag that has no field here is a mistake in it."""
        errors = [
            UnknownFlagError(
                f"{setting.qualified} (from {layer.origins[setting]}) is not a flag of {cls._full_name()}:"
                f" use dynconf.{setting.module}, or dynconf.install({setting.module}={{...}})",
                flag=setting.qualified,
            )
            for setting in layer.values
            if setting.module != cls._module
        ]
        return Layer(layer.values, layer.origins, (*layer.errors, *errors), layer.notes) if errors else layer

    @classmethod
    def _full_name(cls) -> str:
        return f"{cls._module}.{cls._group}" if cls._group else cls._module

    def __eq__(self, other: object) -> bool:
        """Compare values, as models do; where a value came from does not count."""
        if not isinstance(other, Held):
            return NotImplemented
        return type(self) is type(other) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Read a flag by an old name."""
            newest = self._newest(name)
            if newest == name or newest not in self._plan.settings:
                return super().__getattr__(name)
            return functools.reduce(getattr, newest.split("."), self)

        def __setattr__(self, name: str, value: object) -> None:
            """Set a flag by any of its names: the value is checked, its origin is the calling line."""
            if self._plan.is_own(name) or (name.startswith("_") and not is_known(name, self._module)):
                super().__setattr__(name, value)
            else:
                self._assign({name: value}, caller())


def is_inner(field: FieldInfo) -> bool:
    """Tell whether the field holds a model of further flags."""
    return isinstance(field.annotation, type) and issubclass(field.annotation, Held)


def apart(
    values: Mapping[str, Any], inner: Mapping[str, object]
) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Return what is given for fields, and what for each model of further flags."""
    if not inner:
        return dict(values), {}
    own: dict[str, Any] = {}
    within: dict[str, dict[str, Any]] = {}
    for name, value in values.items():
        head, dot, rest = name.partition(".")
        if dot and head in inner:
            within.setdefault(head, {})[rest] = value
        else:
            own[name] = value
    return own, within


def dump(held: Any, write: Callable[[Any], Any]) -> Any:
    """Serialize; what the release of the settings lacks is left out."""
    if not isinstance(held, Held):
        return write(held)
    held._notice_changes()
    data = write(held)
    if isinstance(data, dict):
        for name in held._lacking():
            data.pop(name, None)
    return data
