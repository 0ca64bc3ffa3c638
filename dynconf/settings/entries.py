"""Entries of a `pydantic.ValidationError`: dynconf's mistakes as such, and pydantic's with more to go by."""

import typing
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails, InitErrorDetails, PydanticCustomError, PydanticKnownError, core_schema

from dynconf.errors import ConflictError, DynconfError, StateFileError, UnknownFlagError

Location = tuple[int | str, ...]

_KNOWN = frozenset(typing.get_args(core_schema.ErrorType))
"""The codes of which pydantic makes the message; every other one is of a custom error."""

_CODES = {
    UnknownFlagError: "extra_forbidden",  # the code of pydantic for names that a model does not have
    ConflictError: "flag_conflict",
    StateFileError: "settings_file",
}


def entry(code: str, message: str, location: Location, value: Any = None) -> InitErrorDetails:
    """Return an entry with a message of dynconf's; there is nothing in its context to serialize."""
    # pydantic asks for literals, so that they can be translated; ours are made of names and values.
    kind = PydanticCustomError(code, message)  # type: ignore[arg-type]
    return InitErrorDetails(type=kind, loc=location, input=value)


def entry_of(error: DynconfError, location: Location, value: Any = None) -> InitErrorDetails:
    """Return the entry for a mistake that dynconf has found."""
    return entry(_CODES.get(type(error), "flag_value"), str(error), location, value)


def entries_in(error: ValidationError) -> list[InitErrorDetails]:
    """Return the entries of an error, such that another one can have them, too."""
    return [_as_it_is(each) for each in error.errors(include_url=False)]


def _as_it_is(details: ErrorDetails) -> InitErrorDetails:
    kind, context = details["type"], details.get("ctx")
    # A custom error may have a code of pydantic, but another message.
    if kind in _KNOWN and PydanticKnownError(kind, context).message() == details["msg"]:  # type: ignore[arg-type]
        made = InitErrorDetails(type=kind, loc=details["loc"], input=details["input"])
        return {**made, "ctx": context} if context else made
    return with_message(details, details["msg"])


def with_message(details: ErrorDetails, message: str) -> InitErrorDetails:
    """Return the entry with another message; its code and context stay."""
    kind = PydanticCustomError(details["type"], message, details.get("ctx"))  # type: ignore[arg-type]
    return InitErrorDetails(type=kind, loc=details["loc"], input=details["input"])


def raised(model: Any, entries: list[InitErrorDetails], mode: str = "python") -> ValidationError:
    """Return the error with these entries."""
    return ValidationError.from_exception_data(
        model.model_config.get("title") or model.__name__,
        entries,
        input_type="json" if mode == "json" else "python",
        hide_input=bool(model.model_config.get("hide_input_in_errors")),
    )
