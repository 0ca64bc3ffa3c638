"""Mistakes as pydantic reports them, where it is pydantic that validates."""

from collections.abc import Mapping

from pydantic import ValidationError
from pydantic_core import InitErrorDetails, PydanticCustomError

from dynconf.errors import DynconfError, UnknownFlagError
from dynconf.modules import catalogue
from dynconf.names import split


def as_validation_error(
    title: str, error: DynconfError, given: Mapping[str, object], module: str
) -> ValidationError:
    """Return the ValidationError that has an entry for each mistake.

    The location of a mistake is the flag as the input calls it; a rule over several flags has none.
    Bare names in the input are those of flags of *module*.
    """
    return ValidationError.from_exception_data(title, [_entry(each, given, module) for each in error.errors])


def _entry(error: DynconfError, given: Mapping[str, object], module: str) -> InitErrorDetails:
    place = _place_in(given, error.flag, module)
    value: object = given
    for part in place:
        value = value.get(part, value) if isinstance(value, Mapping) else value
    if isinstance(error, UnknownFlagError):
        # The code is that of pydantic for names that a model does not have.
        custom = PydanticCustomError("extra_forbidden", "{error}", {"error": str(error)})
        return InitErrorDetails(type=custom, loc=place, input=value)
    return InitErrorDetails(type="value_error", loc=place, input=value, ctx={"error": error})


def _place_in(given: Mapping[str, object], flag: str | None, module: str) -> tuple[str, ...]:
    """Return where the input has the flag, or would have it by its newest name if something else sets it."""
    if flag is None:
        return ()
    home, bare = split(flag, module)
    known = catalogue(home)
    for name in (flag, *known.names_of(bare)):
        if name in given:
            return (name,)
        group, dot, rest = name.partition(".")
        inner = given.get(group)
        if dot and isinstance(inner, Mapping) and rest in inner:
            return group, rest
    return tuple(known.canonical(bare).split("."))
