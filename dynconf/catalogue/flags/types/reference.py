"""Callables and classes by name, ``module:qualname``, and which of them may be looked up.

A name in a file must never run code. So nothing is imported for it, apart from a few harmless modules;
nothing is taken from the rest of the standard library (``os:system``); and attributes are read without
calling anything (no module ``__getattr__``, no property).
"""

import importlib
import inspect
import keyword
import sys
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, Literal

from dynconf.catalogue.flags.types.any_value import short_repr
from dynconf.catalogue.flags.types.value_type import Mismatch, Schema, ValueType, in_json

HARMLESS: dict[str, frozenset[str] | None] = {
    "builtins": frozenset({"print"}),
    "logging": None,
    "warnings": None,
    "_warnings": None,
}
"""The standard modules whose members may be named; None means all that the module itself defines."""


def leaves(value: object) -> Iterator[object]:
    """Yield the keys and values in a container, however deep; any other value is a leaf itself."""
    if isinstance(value, (dict, set, frozenset, list, tuple)):
        for item in (*value, *value.values()) if isinstance(value, dict) else value:
            yield from leaves(item)
    else:
        yield value


def _is_dotted_name(text: str) -> bool:
    """Tell whether Python reads a text as exactly that name; it reads full-width letters as ordinary ones."""
    parts = text.split(".")
    # Comparing with `normalize` would take quadratic time on a long run of accents, which that sorts.
    return unicodedata.is_normalized("NFKC", text) and all(
        part.isidentifier() and not keyword.iskeyword(part) for part in parts
    )


@dataclass(frozen=True, slots=True)
class Named:
    """The name of a callable or class that has not been looked up yet."""

    module: str
    qualname: str

    @classmethod
    def parse(cls, text: str) -> "Named":
        """Return the name that *text* spells; raise `Mismatch` if it is not one that may be looked up."""
        module, _, qualname = text.strip().partition(":")
        if not _is_dotted_name(module) or not _is_dotted_name(qualname):
            raise Mismatch(f"{short_repr(text)} is not of the form module:qualname")
        named = cls(module, qualname)
        named._refuse_standard_library()
        return named

    def __str__(self) -> str:
        return f"{self.module}:{self.qualname}"

    def resolve(self) -> object:
        """Return the object of that name; raise `Mismatch` if it is not imported, or out of bounds."""
        self._refuse_standard_library()
        if self.module in HARMLESS:
            found: object = importlib.import_module(self.module)
        elif self.module in sys.modules:
            found = sys.modules[self.module]
        else:
            raise Mismatch(f"the module of {self} is not imported; import it before the settings are read")
        for part in self.qualname.split("."):
            try:
                found = inspect.getattr_static(found, part)
            except AttributeError:
                raise Mismatch(f"{self} does not exist") from None
            if issubclass(type(found), ModuleType):
                raise Mismatch(f"{self} goes through another module; name that module instead")
        if issubclass(type(found), (staticmethod, classmethod)):
            raise Mismatch(f"{self} is bound to its class; name a plain function or a class")
        # A proxy would load its object to say which module it is from.
        is_plain = issubclass(type(found), (type, FunctionType, BuiltinFunctionType))
        home = (getattr if is_plain else inspect.getattr_static)(found, "__module__", None)
        if isinstance(home, str) and home != self.module and not _may_be_named(home, self.qualname):
            raise Mismatch(f"{self} is {home}:{self.qualname}, which may not be named in a file")
        return found

    def _refuse_standard_library(self) -> None:
        if not _may_be_named(self.module, self.qualname):
            raise Mismatch(f"{self} is part of the standard library and may not be named in a file")


def name_of(item: object) -> Named:
    """Return the name under which `Named.resolve` finds *item* again; raise `Mismatch` if there is none."""
    if type(item) is Named:
        return item
    module, qualname = _attribute(item, "__module__"), _attribute(item, "__qualname__")
    if type(module) is not str or type(qualname) is not str:
        raise Mismatch(f"{short_repr(item)} has no module and name of its own")
    if "<" in qualname:
        raise Mismatch(f"{short_repr(item)} is a lambda or a local object, which cannot be looked up by name")
    named = Named(module, qualname)
    try:
        found = named.resolve()
    except Mismatch as problem:
        raise Mismatch(f"{short_repr(item)} cannot be saved by name: {problem}") from None
    if found is not item:
        raise Mismatch(f"{short_repr(item)} cannot be saved by name: {named} is something else")
    return named


@dataclass(frozen=True, slots=True)
class Reference(ValueType):
    """A Python object that files and variables name as ``module:qualname``."""

    EXPECTED = "the 'module:qualname' of a {0.to}"

    to: Literal["callable", "class"]

    @property
    def plural(self) -> str:
        """The plural for messages."""
        return "classes" if self.to == "class" else "callables"

    @property
    def annotation(self) -> str:
        return "type[Any]" if self.to == "class" else "Callable[..., Any]"

    @property
    def names_objects(self) -> bool:
        return True

    def check(self, value: object) -> Any:
        if type(value) is Named:
            value = value.resolve()
        # isinstance would ask the value for its class, which makes a lazy proxy load its object.
        suits = callable(value) if self.to == "callable" else issubclass(type(value), type)
        if suits:
            return value
        raise Mismatch("in Python, pass the object itself")

    def value_schema(self) -> Schema:
        # pydantic would ask an object for its class, which makes a lazy proxy load it; `check` does not.
        return {"type": "any", **in_json({"type": "string", "pattern": r"^[\w.]+:[\w.]+$"})}

    def parse_word(self, text: str) -> Named:
        return Named.parse(text)

    def from_data(self, data: object) -> Any:
        if type(data) is not str:
            raise Mismatch
        return Named.parse(data)

    def to_data(self, value: Any) -> str:
        return value if type(value) is str else str(name_of(value))


def _attribute(item: object, name: str) -> object:
    try:
        return getattr(item, name, None)
    except Exception:  # noqa: BLE001  a proxy or property may raise anything
        return None


def _may_be_named(module: str, qualname: str) -> bool:
    if module in HARMLESS:
        members = HARMLESS[module]
        return members is None or qualname in members
    return module.partition(".")[0] not in sys.stdlib_module_names
