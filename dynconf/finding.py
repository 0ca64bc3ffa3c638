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
        file: The file that it is about.
        line: The line in that file, counted from 1.
        facts: Anything else that is known, as JSON values by name; the names depend on the code.
    """

    code: str
    level: Level
    message: str
    flag: str | None = None
    variable: str | None = None
    raw: str | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    file: str | None = None
    line: int | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the finding as a JSON object: null for whatever is absent, and each fact under its name."""
        return {
            "code": self.code,
            "level": self.level,
            "flag": self.flag,
            "variable": self.variable,
            "raw": self.raw,
            **({"file": self.file, "line": self.line} if self.file else {}),
            **self.facts,
            "message": self.message,
        }


@dataclass(frozen=True, slots=True)
class Report:
    """The findings of a check, in reading order.

    Attributes:
        findings: The findings.
        files: The files that were read for them.
        skipped: The files that were found and not taken, each with the reason.

    Example:
        >>> Report((Finding("inert-flag", "note", "it does nothing"),)).ok
        True
    """

    findings: tuple[Finding, ...]
    files: tuple[str, ...] = ()
    skipped: tuple[tuple[str, str], ...] = ()

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong: no error and no warning."""
        return all(finding.level == "note" for finding in self.findings)

    def as_json(self) -> dict[str, Any]:
        """Return the report as a JSON object."""
        files: dict[str, Any] = {"files": list(self.files)} if self.files else {}
        if self.skipped:
            files["skipped"] = [{"file": file, "reason": reason} for file, reason in self.skipped]
        return {**files, "findings": [finding.as_json() for finding in self.findings]}
