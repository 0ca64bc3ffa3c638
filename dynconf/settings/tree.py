"""Models whose fields are flags, or models of further flags: what is in them, and where it came from."""

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Any, ClassVar

from pydantic import BaseModel, PrivateAttr
from pydantic.fields import FieldInfo
from typing_extensions import Self, override

from dynconf.catalogue import Setting
from dynconf.errors import ConflictError
from dynconf.flags.types import same, shown
from dynconf.modules import catalogue
from dynconf.names import split
from dynconf.origin import DEFAULT, Origin, caller
from dynconf.release import Release
from dynconf.settings.construction import RUNNING, apart, release_in_question
from dynconf.settings.fields import default_values, lacking, mutable_defaults, settings_in
from dynconf.settings.plan import Plan, plan_of
from dynconf.tables import html_table


def _origins_read() -> dict[str, Origin]:
    """Return the origins of what the construction that is under way has read."""
    running = RUNNING.get()
    if running is None or running.layer is None:
        return {}
    return running.origins | {
        setting.key: origin for setting, (_, origin) in running.layer.state.items() if "." not in setting.key
    }


class Tree(BaseModel):
    """A model whose fields are flags, or models of further flags.

    A flag goes by its name from here: ``cudagraphs`` in the group ``triton``, ``triton.cudagraphs`` in the
    settings of inductor.
    """

    _root: ClassVar[type["Tree"] | None] = None
    """The class of which all models of the same kind are subclasses; those above it have none."""

    _module: ClassVar[str] = ""
    _group: ClassVar[str] = ""
    _inner: ClassVar[Mapping[str, type[Any]]] = {}
    _plan: ClassVar[Plan]
    _release: Release = PrivateAttr(default_factory=release_in_question)
    _origins: dict[str, Origin] = PrivateAttr(default_factory=_origins_read)

    def __init_subclass__(
        cls, *, root: bool = False, module: str = "", group: str = "", **kwargs: Any
    ) -> None:
        super().__init_subclass__(**kwargs)
        cls._root = cls if root else cls._root
        cls._module = module or cls._module
        cls._group = group or cls._group

    @classmethod
    @override
    def __pydantic_init_subclass__(cls, **kwargs: Any) -> None:
        super().__pydantic_init_subclass__(**kwargs)
        inner: dict[str, Any] = {
            name: field.annotation for name, field in cls.model_fields.items() if is_inner(field)
        }
        cls._inner = inner
        if cls._root not in (None, cls):
            cls._plan = plan_of(cls, caller())

    @classmethod
    def _settings(cls) -> Mapping[str, Setting]:
        """Return the settings that it is about, by name from here, as of the release at hand."""
        return settings_in(cls._module, Release.at_hand(), cls._group)

    @classmethod
    def _of_defaults(cls) -> Self:
        """Return a model in which nothing is set."""
        made = cls.__new__(cls)
        made._fill(release_in_question(), {})
        return made

    @classmethod
    def _local(cls, setting: Setting) -> str:
        """Return what a setting is called here."""
        return split(setting.newest)[1].removeprefix(f"{cls._group}.")

    @classmethod
    def _newest(cls, name: str) -> str:
        """Return what the flag is called here that goes by *name*; an unknown name stays as it is."""
        start = f"{cls._group}." if cls._group else ""
        module, bare = split(start + name, cls._module)
        newest = catalogue(module).canonical(bare)
        return newest.removeprefix(start) if module == cls._module and newest.startswith(start) else name

    def _node(self, name: str) -> tuple["Tree", str]:
        """Return the model that has the flag of that name as a field, and the field."""
        head, dot, rest = name.partition(".")
        inner = vars(self).get(head) if dot else None
        return inner._node(rest) if isinstance(inner, Tree) else (self, name)

    def _inner_nodes(self) -> dict[str, "Tree"]:
        return {name: node for name in self._inner if isinstance(node := vars(self).get(name), Tree)}

    def _fill(self, release: Release, flags: Mapping[str, tuple[Any, Origin]]) -> None:
        """Take values that have been checked, by name from here; everything else has its default."""
        own, within = apart(flags, self._inner)
        nodes: dict[str, Tree] = {}
        for name, model in self._inner.items():
            nodes[name] = object.__new__(model)
            nodes[name]._fill(release, within.get(name, {}))
        values = {name: value for name, (value, _) in own.items()}
        origins = {name: origin for name, (_, origin) in own.items()}
        given = {name for name, origin in origins.items() if origin.kind != "class"}
        self.__setstate__(
            {
                "__dict__": {**default_values(self._module, release, self._group), **nodes, **values},
                "__pydantic_fields_set__": given
                | {name for name in nodes if nodes[name].__pydantic_fields_set__},
                "__pydantic_extra__": None,
                "__pydantic_private__": {"_release": release, "_origins": origins},
            }
        )

    @property
    def origins(self) -> Mapping[str, Origin]:
        """Where each flag's value came from, defaults included."""
        return Origins(self)

    def flags_set(self) -> dict[str, tuple[Any, Origin]]:
        """Return the flags that are not merely torch's defaults, sorted, each with value and origin."""
        self._notice_changes()
        values, origins = vars(self), self._origins
        names = {*self.__pydantic_fields_set__, *origins} & self._plan.settings & values.keys()
        found = {name: (values[name], origins.get(name, DEFAULT)) for name in names}
        for field, node in self._inner_nodes().items():
            found |= {f"{field}.{name}": each for name, each in node.flags_set().items()}
        return dict(sorted(found.items()))

    def _notice_changes(self, *names: str) -> None:
        """Count what was changed in place, such as a set, as set; of these fields, or of all."""
        defaults = self._mutable_defaults()
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

    def _mutable_defaults(self) -> Mapping[str, Any]:
        return mutable_defaults(self._module, self._release, self._group)

    @property
    @override
    def model_fields_set(self) -> set[str]:
        """The fields that were set, those changed in place included."""
        self._notice_changes()
        return self.__pydantic_fields_set__

    @classmethod
    def _spread(cls, values: Mapping[str, Any]) -> dict[str, tuple[Any, Origin | None]]:
        """Return what is given for fields, with that for models of further flags spread out."""
        found: dict[str, tuple[Any, Origin | None]] = {}
        for name, value, origin in cls._flat(values):
            if name in found and not same(found[name][0], value):
                raise ConflictError(f"{name} is set twice: {shown(found[name][0])} and {shown(value)}")
            found[name] = value, origin
        return found

    @classmethod
    def _flat(cls, values: Mapping[str, Any]) -> Iterator[tuple[str, Any, Origin | None]]:
        """Yield each name and value that is given, in models of further flags too, with the origin it has."""
        for name, value in values.items():
            inner = cls._inner.get(name)
            if inner is not None and isinstance(value, Tree):
                yield from ((f"{name}.{each}", *pair) for each, pair in value.flags_set().items())
            elif inner is not None and isinstance(value, Mapping):
                yield from ((f"{name}.{each}", *rest) for each, *rest in inner._flat(value))
            else:
                yield name, value, None

    @classmethod
    def _full(cls, name: str) -> str:
        return f"{cls._group}.{name}" if cls._group else name

    def _lacking(self) -> AbstractSet[str]:
        """Return the fields of which the release of the settings has nothing."""
        return lacking(self._module, self._release, self._group)

    def __repr__(self) -> str:
        parts, defaults = self._parts()
        listed = [*(f"{name}={shown(value)}" for name, (value, _) in parts.items()), defaults]
        return f"{type(self).__name__}({', '.join(filter(None, listed))})"

    def __str__(self) -> str:
        return repr(self)

    @override
    def __repr_args__(self) -> Iterator[tuple[str, Any]]:
        """Yield what is set: for rich, devtools and the like, which ask pydantic's models for it."""
        yield from ((name, value) for name, (value, _) in self._parts()[0].items())

    def _repr_html_(self) -> str:
        parts, defaults = self._parts()
        rows = [(name, shown(value), str(origin)) for name, (value, origin) in parts.items()]
        return html_table(type(self).__name__, rows, defaults)

    def _parts(self) -> tuple[dict[str, tuple[Any, Origin]], str]:
        """Return what is set and the fields that are not flags, with origins, and the number of defaults."""
        flags, known = self.flags_set(), self._plan.settings
        others = {
            name: (vars(self)[name], self.origins[name])
            for name in self._plan.names
            if name not in known and name in vars(self)
        }
        rest = len(known) - len(flags)
        return {**others, **flags}, f"{rest} default{'s' if rest != 1 else ''}" if rest else ""


class Origins(Mapping[str, Origin]):
    """Where the value of each field came from; an old name is found, too."""

    __slots__ = ("_settings",)

    def __init__(self, settings: Tree) -> None:
        self._settings = settings

    def __getitem__(self, name: str) -> Origin:
        settings = self._settings
        found = settings._origins.get(name)
        if found is not None:
            return found
        newest = settings._newest(name) if isinstance(name, str) else name
        if newest not in settings._plan.names:
            raise KeyError(name)
        node, field = settings._node(newest)
        node._notice_changes(field)
        return node._origins.get(field, DEFAULT)

    def __iter__(self) -> Iterator[str]:
        return iter(self._settings._plan.names)

    def __len__(self) -> int:
        return len(self._settings._plan.names)

    def __repr__(self) -> str:
        return f"Origins({dict(self)!r})"

    def _ipython_key_completions_(self) -> list[str]:
        return list(self)


def is_inner(field: FieldInfo) -> bool:
    """Tell whether the field holds a model of further flags."""
    return isinstance(field.annotation, type) and issubclass(field.annotation, Tree)
