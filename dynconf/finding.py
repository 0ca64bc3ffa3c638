"""What a check returns: findings, and a report of several. Checks never print."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Level = Literal["error", "warning", "note"]
"""How much a finding matters; a note alone leaves the report fine."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a check has to say.

    Attributes:
        code: What sort of finding it is, in lower case with hyphens; programs may rely on it.
        level: How much it matters.
        message: The whole of it for people: what is wrong, what was expected, what to do.
        flag: The flag that it is about, by the name of the release at hand.
        variable: The environment variable that it is about.
        raw: The text that was read.
        facts: What else is known, as JSON values by name; which names depends on the code.
    """

    code: str
    level: Level
    message: str
    flag: str | None = None
    variable: str | None = None
    raw: str | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return the finding as a JSON object, with null for what there is not, and each fact by its name."""
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
    """The findings of a check, in the order in which they shall be read.

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
