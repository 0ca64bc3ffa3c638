"""Environment variables: those that torch reads for a flag, how it reads each, and those of other parts."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from dynconf.release import Minor, minor

ReadingRule = Literal[
    "equals_one",
    "not_zero",
    "truthy",
    "text",
    "integer",
    "integer_or_none",
    "tristate",
    "default",
    "force",
    "debug_dir",
]


@dataclass(frozen=True, slots=True)
class Reading:
    """One of the ways in which torch turns the text of a variable into a value.

    Attributes:
        words: The rule, for people.
        read: Takes the text and the flag's default, returns torch's value; raises ValueError where torch
            itself would, while it is imported.
    """

    words: str
    read: Callable[[str, Any], Any]


READINGS: Mapping[ReadingRule, Reading] = MappingProxyType(
    {
        "equals_one": Reading("exactly 1 is True, any other text is False", lambda raw, _: raw == "1"),
        "not_zero": Reading("exactly 0 is False, any other text is True", lambda raw, _: raw != "0"),
        "truthy": Reading(
            "any text is True, even 0 and false; an empty one is False", lambda raw, _: bool(raw)
        ),
        "text": Reading("the text as it is", lambda raw, _: raw),
        "integer": Reading(
            "a whole number; anything else makes the import of torch fail", lambda raw, _: int(raw)
        ),
        "integer_or_none": Reading(
            "a whole number, 0 meaning None; anything else makes the import of torch fail",
            lambda raw, default: None if default is None else int(raw) or None,
        ),
        "tristate": Reading(
            "1 is True, 0 is False, anything else counts as unset",
            {"1": True, "0": False}.get,
        ),
        "default": Reading(
            "1 is True, 0 is False, any other text stays text; assignments override it",
            lambda raw, _: {"1": True, "0": False}.get(raw, raw),
        ),
        "force": Reading(
            "1 is True, 0 is False, any other text stays text; it overrides every assignment",
            lambda raw, _: {"1": True, "0": False}.get(raw, raw),
        ),
        "debug_dir": Reading(
            "a path, to which torch_compile_debug is appended",
            lambda raw, _: os.path.join(raw, "torch_compile_debug"),  # noqa: PTH118  as torch joins, "" included
        ),
    }
)
"""How torch reads text, by rule."""


@dataclass(frozen=True, slots=True)
class Variable:
    """An environment variable that torch itself reads for a flag, from release *since* to *until*."""

    name: str
    rule: ReadingRule
    since: str = "2.4"
    until: str = ""

    def is_read_in(self, release: Minor) -> bool:
        """Tell whether that release reads the variable."""
        return minor(self.since) <= release and (not self.until or release <= minor(self.until))

    def torch_value(self, raw: str, default: object) -> Any:
        """Return what torch makes of the text *raw*, *default* being the flag's default.

        Raises:
            ValueError: torch's own conversion would raise the same.
        """
        return READINGS[self.rule].read(raw, default)


@dataclass(frozen=True, slots=True)
class ForeignVariable:
    """A variable that torch reads for something other than a flag, from release *since* to *until*."""

    name: str
    read_by: str
    since: str = "2.4"
    until: str = ""

    def is_read_in(self, release: Minor) -> bool:
        """Tell whether that release reads the variable."""
        return minor(self.since) <= release and (not self.until or release <= minor(self.until))
