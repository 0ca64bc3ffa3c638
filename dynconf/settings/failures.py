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

    Args:
        title: The model.
        error: The mistakes.
        given: The input.
        module: The config module of bare names.
    """
    return ValidationError.from_exception_data(title, [_entry(each, given, module) for each in error.errors])


def _entry(error: DynconfError, given: Mapping[str, object], module: str) -> InitErrorDetails:
    name = _name_in(given, error.flag, module)
    place = () if name is None else (name,)
    value = given.get(name, given) if name is not None else given
    if isinstance(error, UnknownFlagError):
        # The code is that of pydantic for names that a model does not have.
        custom = PydanticCustomError("extra_forbidden", "{error}", {"error": str(error)})
        return InitErrorDetails(type=custom, loc=place, input=value)
    return InitErrorDetails(type="value_error", loc=place, input=value, ctx={"error": error})


def _name_in(given: Mapping[str, object], flag: str | None, module: str) -> str | None:
    """Return what the input calls the flag, or its newest name if something else sets it."""
    if flag is None or flag in given:
        return flag
    home, bare = split(flag, module)
    known = catalogue(home)
    names = known.names_of(bare)
    return next((name for name in given if name in names), known.canonical(bare))
