"""Settings inside pydantic's own validation: what is known there of where the input came from."""

import json
import os
import sys
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from pydantic_settings import BaseSettings

from dynconf.origin import Caller, Origin


@dataclass(frozen=True, slots=True)
class Validation:
    """Input that pydantic validates: a nested field, `model_validate`, a TypeAdapter.

    Attributes:
        model: The settings model.
        given: The input.
        outer: The settings of a program that have the model as a field, if it is for them.
    """

    model: type[BaseSettings]
    given: Mapping[str, Any]
    outer: "Outer | None"

    def values(
        self, named: Mapping[str, tuple[Any, Origin | None]], here: Caller
    ) -> dict[str, tuple[Any, Origin]]:
        """Return the flags of the input, each with where it came from.

        That is the program's variable if it is known, else the call. An empty variable counts as not set.
        """
        found: dict[str, tuple[Any, Origin]] = {}
        for name, (value, origin) in named.items():
            variable = self.outer.variable(name, value) if self.outer and origin is None else None
            if variable is None:
                found[name] = value, origin or here.origin("keyword")
            elif os.environ[variable].strip():
                found[name] = value, Origin("env", variable, os.environ[variable])
        return found


VALIDATION: ContextVar[Validation | None] = ContextVar("dynconf_validation", default=None)
"""The validation for which settings are about to be made."""


@dataclass(frozen=True, slots=True)
class Outer:
    """The settings of a program that contain dynconf's.

    Attributes:
        prefix: What its variables begin with, in lower case.
        delimiter: What stands between the names of nested fields in its variables; empty for nothing.
    """

    prefix: str
    delimiter: str

    def variable(self, name: str, value: object) -> str | None:
        """Return the variable of the environment that gives the flag that value, if it is certain."""
        own = [each for each in os.environ if each.lower().startswith(self.prefix)]
        ending = f"{self.delimiter}{name.replace('.', self.delimiter)}".lower()
        found = [
            each
            for each in own
            if (self.delimiter and each.lower().endswith(ending) and os.environ[each] == value)
            or _gives(os.environ[each], name, value)
        ]
        return found[0] if len(found) == 1 else None


def _gives(text: str, name: str, value: object) -> bool:
    """Tell whether a variable contains the flags as JSON."""
    if not text.lstrip().startswith("{"):
        return False
    try:
        data = json.loads(text)
    except ValueError:
        return False
    for part in [name] if isinstance(data, dict) and name in data else name.split("."):
        if not isinstance(data, dict) or part not in data:
            return False
        data = data[part]
    return bool(data == value)


def passes_defaults() -> bool:
    """Tell whether settings are being made by jsonargparse, which passes the default of every field."""
    frame = sys._getframe(1)
    while frame.f_back is not None:
        package = str(frame.f_globals.get("__name__")).partition(".")[0]
        if package not in ("dynconf", "pydantic", "pydantic_settings"):
            return package == "jsonargparse"
        frame = frame.f_back
    return False


def outer_of(model: type[BaseSettings]) -> Outer | None:
    """Return the settings of which an instance is being made by this thread, with *model* inside."""
    frame = sys._getframe(1)
    while frame.f_back is not None:
        frame = frame.f_back
        if frame.f_code is BaseSettings.__init__.__code__:
            values = frame.f_locals
            maker = type(values[frame.f_code.co_varnames[0]])
            if maker is not model:
                config = maker.model_config
                prefix = values.get("_env_prefix") or config.get("env_prefix") or ""
                delimiter = values.get("_env_nested_delimiter") or config.get("env_nested_delimiter") or ""
                return Outer(prefix.lower(), delimiter)
    return None
