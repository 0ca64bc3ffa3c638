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
    """Return an entry with a message of dynconf's; nothing in it needs a serializer."""
    # pydantic asks for literals, so that they can be translated; ours are made of names and values.
    kind = PydanticCustomError(typing.cast("Any", code), typing.cast("Any", message))
    return InitErrorDetails(type=kind, loc=location, input=value)


def entry_of(error: DynconfError, location: Location, value: Any = None) -> InitErrorDetails:
    """Return the entry for a mistake that dynconf has found."""
    return entry(_CODES.get(type(error), "flag_value"), str(error), location, value)


def again(details: ErrorDetails, message: str | None = None) -> InitErrorDetails:
    """Return an entry of an error for another one, with a better message if there is one."""
    code, context = details["type"], details.get("ctx")
    made = InitErrorDetails(type=code, loc=details["loc"], input=details["input"])
    # A custom error may have a code of pydantic, but another message.
    if message is None and code in _KNOWN:
        kind: Any = code
        if PydanticKnownError(kind, context).message() == details["msg"]:
            return {**made, "ctx": context} if context else made
    text: Any = message or details["msg"]
    return {**made, "type": PydanticCustomError(typing.cast("Any", code), text, context)}


def raised(model: Any, entries: list[InitErrorDetails], mode: str = "python") -> ValidationError:
    """Return the error with these entries."""
    return ValidationError.from_exception_data(
        model.model_config.get("title") or model.__name__,
        entries,
        input_type="json" if mode == "json" else "python",
        hide_input=bool(model.model_config.get("hide_input_in_errors")),
    )
