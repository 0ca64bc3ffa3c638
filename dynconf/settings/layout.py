"""What a class of flags has: which of its fields are flags or models of flags, and what names mean there."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from pydantic import BaseModel

from dynconf.catalogue.flags.flag import qualified
from dynconf.catalogue.flags.types import short_repr
from dynconf.catalogue.modules import MODULES, catalogue
from dynconf.catalogue.names import is_known, names_of, newest_name, split, why_unknown
from dynconf.provenance import DEFAULT, Origin, caller
from dynconf.release import Release
from dynconf.settings.field import FieldPath, FlagField, Place, choices, flag_in, keep_flag
from dynconf.settings.validation import DEFAULT_OBJECTS
from dynconf.text import nearest


class Layout(BaseModel):
    """The part of the base of all models that concerns classes: see `FlagModel`."""

    _home: ClassVar[FieldPath] = ()  # the config module and the group, as far as there is one
    _modules: ClassVar[Sequence[str]] = MODULES
    _defined_at: ClassVar[Origin] = DEFAULT
    _flags: ClassVar[Mapping[str, FlagField]] = {}
    _inner_models: ClassVar[Mapping[str, type["Layout"]]] = {}
    _class_defaults: ClassVar[Mapping[str, Origin]] = {}  # of flags, each with the place of the class
    _has_code: ClassVar[bool] = False  # validators may have changed a value that pydantic has validated
    _places: ClassVar[Any] = None  # the result of `_named`, once asked for: a cache would keep the class

    def __init_subclass__(cls, *, home: FieldPath = (), **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        bases = [base for base in cls.__bases__ if issubclass(base, Layout)]
        if len({base._modules for base in bases} - {MODULES}) > 1:
            names = " and ".join(base.__name__ for base in bases)
            raise TypeError(f"{cls.__name__}: {names} are of different config modules: use CompileSettings")
        cls._defined_at = caller().origin("class", cls.__qualname__)
        if home:
            cls._home, cls._modules = home, home[:1]

    def __set_name__(self, owner: type, name: str) -> None:
        """Note that this is the default of a field; Python says so while it makes the class."""
        title = getattr(owner, "model_config", {}).get("title") or owner.__name__
        DEFAULT_OBJECTS[title, name, id(self)] = self

    @classmethod
    def _add_layout(cls) -> None:
        """Note which fields are models of flags, and have flags that the class declares again stay flags.

        pydantic has collected the fields, and has not made the schema from them yet.
        """
        bases = [base for base in reversed(cls.__mro__[1:]) if issubclass(base, Layout)]
        known = {name: field for base in bases for name, field in base.model_fields.items()}
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
            elif not before:
                for place in filter(None, (base._named(is_data=False).get(name) for base in bases)):
                    message = f"{cls.__name__}.{name} is an old name of {'.'.join(place.path)}"
                    raise TypeError(f"{message}: declare that")
            elif flag_in(before) and not flag_in(field):
                keep_flag(name, field, before, cls._defined_at)
        flags = {name: flag for name, field in cls.model_fields.items() if (flag := flag_in(field))}
        own = cls.__pydantic_decorators__
        validators = own.validators, own.field_validators, own.root_validators, own.model_validators
        cls._has_code = any(validators) or any(flag.declared for flag in flags.values())
        cls._flags, cls._inner_models, cls._places = flags, inner, None
        cls._class_defaults = {name: flag.class_default for name, flag in flags.items() if flag.class_default}

    @classmethod
    def _is_inner(cls, name: str, kind: Any) -> bool:
        """Tell whether a field has flags in it that belong to this model: a group, or a config module."""
        # Not issubclass: in Python 3.10, it refuses dict[str, int], which counts as a type.
        return Layout in getattr(kind, "__mro__", ()) and kind._home == (*cls._home, name)

    @classmethod
    def _fields_in(cls, outer: FieldPath = ()) -> Iterator[Place]:
        """Yield every field, those of the models in this one included."""
        for name, declared in cls.model_fields.items():
            path, inner = (*outer, name), cls._inner_models.get(name)
            yield Place(path, declared, cls._flags.get(name), inner)
            if inner:
                yield from inner._fields_in(path)

    @classmethod
    def _named(cls, *, is_data: bool = True) -> Mapping[str, Place]:
        """Return the field that each name means.

        In ``InductorFlags``, ``triton.cudagraphs`` and ``inductor.triton.cudagraphs`` mean the same, and so
        do all old names of the flag. Data may have aliases, too; attributes have none.
        """
        if cls._places is None:
            start = "".join(f"{part}." for part in cls._home)
            flags, aliases = dict[str, Place](), dict[str, Place]()
            for place in cls._fields_in():
                *outer, field = place.path
                for name in names_of(place.flag.setting) if place.flag else ():
                    full = ".".join(split(name))
                    for each in (full.removeprefix(start), full, name):
                        flags.setdefault(each, place)
                names = [each for each in (*choices(place.declared), field) if isinstance(each, str)]
                aliases |= {".".join((*outer, each)): place for each in names}
            cls._places = flags, flags | aliases
        return cls._places[is_data]  # type: ignore[no-any-return]

    @classmethod
    def _path_to(cls, keys: FieldPath) -> FieldPath:
        """Return the fields that keys in the input lead to; keys that are not known stay as they are."""
        place = cls._named().get(".".join(keys))
        return place.path if place else keys

    @classmethod
    def _why_no_field(cls, name: str, release: Release) -> str:
        """Say why there is no field of a name, and which one may be meant."""
        start = "".join(f"{part}." for part in cls._home[1:])
        module, bare = split(start + name, cls._modules[0])
        home = next((each for each in (module, *MODULES) if is_known(bare, each)), "")
        newest = bare if bare in MODULES else split(newest_name(bare, home or module))[0]
        if newest not in cls._modules:
            problem = "a config module" if bare in MODULES else f"not a flag of {cls._modules[0]}"
            kind = "Settings" if hasattr(cls, "settings_customise_sources") else "Flags"
            return f"{name} is {problem}: use dynconf.{newest}.{kind}, or dynconf.Compile{kind}"
        known = catalogue(module).at(release).get(bare)
        if known and not known.public:
            return f"{known.qualified} is internal to torch and not a setting; `dynconf.patch` accepts it"
        if home or not cls._home:
            return why_unknown(bare, release, module)
        near = nearest(name, (".".join(each.path) for each in cls._fields_in() if each.flag))
        unknown = f"there is no {catalogue(module).noun} {short_repr(bare)}"
        return f"{unknown}: did you mean {qualified(module, start + near)!r}?" if near else unknown
