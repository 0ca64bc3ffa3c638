"""Callables and classes by name: ``module:qualname``, and which of them may be looked up.

A name out of a file must never run code. So nothing is imported for it, apart from a few harmless modules;
nothing is taken from the rest of the standard library (``os:system``); and attributes are read without
calling anything (no module ``__getattr__``, no property).
"""

import importlib
import inspect
import re
import sys
from dataclasses import dataclass
from types import BuiltinFunctionType, FunctionType, ModuleType

HARMLESS: dict[str, frozenset[str] | None] = {
    "builtins": frozenset({"print"}),
    "logging": None,
    "warnings": None,
    "_warnings": None,
}
"""The standard modules whose members may be named; None stands for all that the module itself defines."""

_NAME = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")


class Unresolvable(Exception):
    """There is no such object, or none that may be looked up, or an object has no name."""


@dataclass(frozen=True, slots=True)
class Named:
    """The name of a callable or class that has not been looked up yet."""

    module: str
    qualname: str

    @classmethod
    def parse(cls, text: str) -> "Named":
        """Return the name that *text* gives.

        Raises:
            Unresolvable: It is not of the form ``module:qualname``, or it is out of bounds.
        """
        module, _, qualname = text.strip().partition(":")
        if not _NAME.fullmatch(module) or not _NAME.fullmatch(qualname):
            raise Unresolvable(f"{text!r} is not of the form module:qualname")
        named = cls(module, qualname)
        _keep_within_bounds(named)
        return named

    def __str__(self) -> str:
        return f"{self.module}:{self.qualname}"


def resolve(named: Named) -> object:
    """Return the object of that name.

    Raises:
        Unresolvable: The module is not imported, is out of bounds, or has no such member.
    """
    found: object = _module(named)
    for part in named.qualname.split("."):
        try:
            found = inspect.getattr_static(found, part)
        except AttributeError:
            raise Unresolvable(f"{named} does not exist") from None
        if issubclass(type(found), ModuleType):
            raise Unresolvable(f"{named} goes through another module; name that one")
    if issubclass(type(found), (staticmethod, classmethod)):
        raise Unresolvable(f"{named} is bound to its class; name a plain function or a class")
    home = _home(found)
    if isinstance(home, str) and home != named.module and not _allowed(home, named.qualname):
        raise Unresolvable(f"{named} is {home}:{named.qualname}, which may not be named in a file")
    return found


def name_of(item: object) -> str:
    """Return the ``module:qualname`` by which `resolve` finds *item* again.

    Raises:
        Unresolvable: It has none: a lambda, a local function, a method bound to an object.
    """
    module, qualname = getattr(item, "__module__", None), getattr(item, "__qualname__", None)
    if not isinstance(module, str) or not isinstance(qualname, str):
        raise Unresolvable(f"{item!r} has no module and name of its own")
    if "<" in qualname:
        raise Unresolvable(f"{item!r} is a lambda or a local object and cannot be found by name again")
    named = Named(module, qualname)
    try:
        found = resolve(named)
    except Unresolvable as problem:
        raise Unresolvable(f"{item!r} cannot be saved by name: {problem}") from None
    if found is not item:
        raise Unresolvable(f"{item!r} is not what the name {named} stands for")
    return str(named)


def _home(found: object) -> object:
    """Return the module that an object says it is from; a proxy is not woken by the question."""
    if issubclass(type(found), (type, FunctionType, BuiltinFunctionType)):
        return getattr(found, "__module__", None)
    return inspect.getattr_static(found, "__module__", None)


def _keep_within_bounds(named: Named) -> None:
    if not _allowed(named.module, named.qualname):
        raise Unresolvable(f"{named} is part of the standard library and may not be named in a file")


def _module(named: Named) -> ModuleType:
    _keep_within_bounds(named)
    if named.module in HARMLESS:
        return importlib.import_module(named.module)
    module = sys.modules.get(named.module)
    if module is None:
        raise Unresolvable(f"the module of {named} is not imported; import it before the settings are read")
    return module


def _allowed(module: str, qualname: str) -> bool:
    if module in HARMLESS:
        members = HARMLESS[module]
        return members is None or qualname in members
    return module.partition(".")[0] not in sys.stdlib_module_names
