"""Entries of a `pydantic.ValidationError`."""

import typing
from collections.abc import Mapping
from typing import Any

from pydantic_core import InitErrorDetails, PydanticCustomError, PydanticKnownError, core_schema

from dynconf.errors import ConflictError, StateFileError, UnknownFlagError

_KNOWN = frozenset(typing.get_args(core_schema.ErrorType))
"""The codes of which pydantic makes the message; every other one is of a custom error."""

CODES: Mapping[Any, str] = {
    UnknownFlagError: "extra_forbidden",  # the code of pydantic for names that a model does not have
    ConflictError: "flag_conflict",
    StateFileError: "settings_file",
}


def entry(details: Any, message: str) -> InitErrorDetails:
    """Return an entry for an error that is like another entry, but may have a better message."""
    code, context = details["type"], details.get("ctx")
    made = InitErrorDetails(type=code, loc=details["loc"], input=details["input"])
    # A custom error may have a code of pydantic, but another message.
    if code in _KNOWN and PydanticKnownError(code, context).message() == message:
        return {**made, "ctx": context} if context else made
    # pydantic asks for literals, so that they can be translated; ours are made of names and values.
    return {**made, "type": PydanticCustomError(code, typing.cast("Any", message), context)}
