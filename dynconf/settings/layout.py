"""What a class of flags has: which of its fields are flags or models of flags, and what names mean there."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dynconf.catalogue.flags.flag import qualified
from dynconf.catalogue.flags.types import short_repr
from dynconf.catalogue.modules import MODULES, catalogue
from dynconf.catalogue.names import is_known, names_of, newest_name, split, why_unknown
from dynconf.provenance import DEFAULT, Origin
from dynconf.release import Release
from dynconf.settings.field import FieldPath, FlagField, Place, choices, flag_in, keep_flag
from dynconf.text import nearest


class Layout:
    """What pydantic does not know about a class of flags, in its ``__dynconf__``: see `FlagModel`.

    A subclass may have any further names, so there is hardly another attribute.
    """

    def __init__(self, model: Any, home: FieldPath = (), defined_at: Origin = DEFAULT) -> None:
        known = [base.__dynconf__ for base in model.__bases__ if hasattr(base, "__dynconf__")]
        homes = [each.home for each in known if each.home]
        if len({each[0] for each in homes}) > 1:
            names = " and ".join(each.model.__name__ for each in known if each.home)
            raise TypeError(f"{model.__name__}: {names} are of different config modules: use CompileSettings")
        self.model = model
        self.home = home or next(iter(homes), ())  # the config module and the group, as far as there is one
        self.modules: Sequence[str] = self.home[:1] or MODULES
        self.defined_at = defined_at
        self.flags: Mapping[str, FlagField] = {}
        self.inner: Mapping[str, Any] = {}  # the models of flags in its fields
        self.class_defaults: Mapping[str, Origin] = {}  # of flags, each with the place of the class
        self.has_code = False  # validators may have changed a value that pydantic has validated
        self._places: Any = None  # the result of `named`, once asked for: a cache would keep the class

    def note_fields(self) -> None:
        """Note which fields are models of flags, and have flags that the class declares again stay flags.

        pydantic has collected the fields, and has not made the schema from them yet.
        """
        model, inner = self.model, dict[str, Any]()
        bases = [base.__dynconf__ for base in reversed(model.__mro__[1:]) if hasattr(base, "__dynconf__")]
        known = {name: field for base in bases for name, field in base.model.model_fields.items()}
        for name, field in model.model_fields.items():
            kind: Any = field.annotation
            before: Any = known.get(name)
            if self.is_inner(name, kind):
                inner[name] = kind
                if field.is_required():
                    field.default_factory = kind.of_defaults
            elif before and self.is_inner(name, before.annotation):
                message = f"{model.__name__}.{name} has flags in it: declare {before.annotation.__qualname__}"
                raise TypeError(f"{message}, or a subclass of it")
            elif not before:
                for place in filter(None, (base.named(is_data=False).get(name) for base in bases)):
                    message = f"{model.__name__}.{name} is an old name of {'.'.join(place.path)}"
                    raise TypeError(f"{message}: declare that")
            elif flag_in(before) and not flag_in(field):
                keep_flag(name, field, before, self.defined_at)
        flags = {name: flag for name, field in model.model_fields.items() if (flag := flag_in(field))}
        own = model.__pydantic_decorators__
        validators = own.validators, own.field_validators, own.root_validators, own.model_validators
        self.has_code = any(validators) or any(flag.declared for flag in flags.values())
        self.flags, self.inner, self._places = flags, inner, None
        self.class_defaults = {name: flag.class_default for name, flag in flags.items() if flag.class_default}

    def is_inner(self, name: str, kind: Any) -> bool:
        """Tell whether a field has flags in it that belong to this model: a group, or a config module."""
        layout = getattr(kind, "__dynconf__", None)
        return layout is not None and layout.home == (*self.home, name)

    def places(self, outer: FieldPath = ()) -> Iterator[Place]:
        """Yield every field, those of the models in this one included."""
        for name, declared in self.model.model_fields.items():
            path, inner = (*outer, name), self.inner.get(name)
            yield Place(path, declared, self.flags.get(name), inner)
            if inner:
                yield from inner.__dynconf__.places(path)

    def named(self, *, is_data: bool = True) -> Mapping[str, Place]:
        """Return the field that each name means.

        In ``InductorFlags``, ``triton.cudagraphs`` and ``inductor.triton.cudagraphs`` mean the same, and so
        do all old names of the flag. Data may have aliases, too; attributes have none.
        """
        if self._places is None:
            start = "".join(f"{part}." for part in self.home)
            flags, aliases = dict[str, Place](), dict[str, Place]()
            for place in self.places():
                *outer, field = place.path
                for name in names_of(place.flag.setting) if place.flag else ():
                    full = ".".join(split(name))
                    for each in (full.removeprefix(start), full, name):
                        flags.setdefault(each, place)
                names = [each for each in (*choices(place.declared), field) if isinstance(each, str)]
                aliases |= {".".join((*outer, each)): place for each in names}
            self._places = flags, flags | aliases
        return self._places[is_data]  # type: ignore[no-any-return]

    def path_to(self, keys: FieldPath) -> FieldPath:
        """Return the fields that keys in the input lead to; keys that are not known stay as they are."""
        place = self.named().get(".".join(keys))
        return place.path if place else keys

    def why_no_field(self, name: str, release: Release) -> str:
        """Say why there is no field of a name, and which one may be meant."""
        start = "".join(f"{part}." for part in self.home[1:])
        module, bare = split(start + name, self.modules[0])
        home = next((each for each in (module, *MODULES) if is_known(bare, each)), "")
        newest = bare if bare in MODULES else split(newest_name(bare, home or module))[0]
        if newest not in self.modules:
            problem = "a config module" if bare in MODULES else f"not a flag of {self.modules[0]}"
            kind = "Settings" if hasattr(self.model, "settings_customise_sources") else "Flags"
            return f"{name} is {problem}: use dynconf.{newest}.{kind}, or dynconf.Compile{kind}"
        known = catalogue(module).at(release).get(bare)
        if known and not known.public:
            return f"{known.qualified} is internal to torch and not a setting; `dynconf.patch` accepts it"
        if home or not self.home:
            return why_unknown(bare, release, module)
        near = nearest(name, (".".join(each.path) for each in self.places() if each.flag))
        unknown = f"there is no {catalogue(module).noun} {short_repr(bare)}"
        return f"{unknown}: did you mean {qualified(module, start + near)!r}?" if near else unknown
