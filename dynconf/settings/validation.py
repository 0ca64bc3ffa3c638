"""What makes settings: a call, or pydantic's own validation; and what is known of its input."""

import json
import os
import sys
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pydantic_settings import BaseSettings

from dynconf.errors import DynconfError
from dynconf.origin import Caller, Origin
from dynconf.release import Release
from dynconf.sources.missing import Missing


@dataclass(frozen=True, slots=True)
class Call:
    """What makes settings: a call of the class, or of its `from_data`.

    Attributes:
        here: The line that calls.
        release: The release that the settings are for.
        config: The settings file that it names.
        missing: What it asks to do about flags that the release lacks.
        data_origin: Where the values are from if they are JSON-like data; None for Python values.
        validation: The validation by pydantic that makes the call, if it is one.
    """

    here: Caller
    release: Release
    config: str | Path | None
    missing: Missing | None
    data_origin: Origin | None
    validation: "Validation | None"

    @property
    def origin(self) -> Origin:
        """Where the values are from."""
        return self.data_origin or self.here.origin("keyword")

    def with_origins(self, named: Mapping[str, tuple[Any, Origin | None]]) -> dict[str, tuple[Any, Origin]]:
        """Return the flags that are given, each with where it came from.

        That is the program's variable if it is known, else the call. An empty variable counts as not set.
        """
        found: dict[str, tuple[Any, Origin]] = {}
        outer = self.validation.outer if self.validation else None
        for name, (value, origin) in named.items():
            variable = outer.variable(name, value) if outer and origin is None else None
            if variable is None:
                found[name] = value, origin or self.origin
            elif os.environ[variable].strip():
                found[name] = value, Origin("env", variable, os.environ[variable])
        return found

    def within(self, outer: "Call") -> "Call":
        """Return the call with what it leaves open as in the one that makes the settings around these."""
        return replace(
            self,
            config=self.config or outer.config,
            missing=self.missing or outer.missing,
            data_origin=outer.data_origin,
        )


@dataclass(slots=True, eq=False)
class Shared:
    """What the settings of several modules share that are made as one.

    Attributes:
        model: The model that they are fields of.
        call: The call that makes it.
        options: The options of pydantic-settings that hold for each of them.
        errors: The mistakes in any of them.
        is_begun: Whether the validation of *model* itself has begun.
    """

    model: Any
    call: Call
    options: Mapping[str, Any]
    errors: tuple[DynconfError, ...] = ()
    is_begun: bool = False

    def defaults_of(self, module: str) -> dict[str, Any]:
        """Return the defaults that the model gives flags of that module."""
        defaults = self.model._plan.defaults
        start = f"{module}."
        return {name[len(start) :]: each for name, each in defaults.items() if name.startswith(start)}


SHARED: ContextVar[Shared | None] = ContextVar("dynconf_shared", default=None)
"""What the settings share that are being made in this thread or task."""


@dataclass(frozen=True, slots=True)
class Validation:
    """Input that pydantic validates: a nested field, `model_validate`, a TypeAdapter.

    Attributes:
        model: The settings model.
        given: The input.
        outer: The settings of a program that have the model as a field, if it is for them.
        shared: What it shares with the settings of other modules, if they are made as one.
        mode: What pydantic calls the kind of input: ``python``, ``json``, or ``string`` if all of it is text.
    """

    model: type[BaseSettings]
    given: Mapping[str, Any]
    outer: "Outer | None"
    shared: Shared | None
    mode: str

    @property
    def has_texts(self) -> bool:
        """Whether values may be texts of variables, or of options of the command line."""
        around = self.shared.call.validation if self.shared else None
        return self.outer is not None or self.mode == "string" or (around is not None and around.has_texts)


VALIDATION: ContextVar[Validation | None] = ContextVar("dynconf_validation", default=None)
"""The validation for which settings are about to be made."""


def taken(model: type[BaseSettings]) -> Validation | None:
    """Return the validation for which *model* is called, if any; settings made on the way do not get it."""
    validation = VALIDATION.get()
    if validation is None or validation.model is not model:
        return None
    VALIDATION.set(None)
    return validation


@dataclass(frozen=True, slots=True)
class Outer:
    """The settings of a program that contain dynconf's.

    Attributes:
        prefix: What its variables begin with, in lower case.
        delimiter: What separates the names of nested fields in its variables; empty for nothing.
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


def asked_by(package: str) -> bool:
    """Tell whether *package* is the first of the callers, apart from dynconf and what it builds on."""
    own = {"dynconf", "pydantic", "pydantic_settings"} - {package}
    frame = sys._getframe(1)
    while frame.f_back is not None:
        frame = frame.f_back
        name = str(frame.f_globals.get("__name__")).partition(".")[0]
        if name not in own:
            return name == package
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
