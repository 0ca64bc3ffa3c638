"""What a check returns: a report of findings. Checks never print."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Level = Literal["error", "warning", "note"]
"""How serious a finding is; notes alone leave the report fine."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a check reports.

    Attributes:
        code: The kind of finding, in lower case with hyphens; programs may rely on it.
        level: How serious it is.
        message: Everything in words: what is wrong, what was expected, what to do.
        flag: The flag it is about, by its name in the release at hand.
        variable: The environment variable it is about.
        raw: The text that was read.
        facts: Anything else that is known, as JSON values by name; the names depend on the code.
    """

    code: str
    level: Level
    message: str
    flag: str | None = None
    variable: str | None = None
    raw: str | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return the finding as a JSON object: null for whatever is absent, and each fact under its name."""
        return {
            "code": self.code,
            "level": self.level,
            "flag": self.flag,
            "variable": self.variable,
            "raw": self.raw,
            **self.facts,
            "message": self.message,
        }


@dataclass(frozen=True, slots=True)
class Report:
    """The findings of a check, in reading order.

    Example:
        >>> Report((Finding("inert-flag", "note", "it does nothing"),)).ok
        True
    """

    findings: tuple[Finding, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong: no error and no warning."""
        return all(finding.level == "note" for finding in self.findings)

    def as_json(self) -> dict[str, Any]:
        """Return the report as a JSON object."""
        return {"findings": [finding.as_json() for finding in self.findings]}
