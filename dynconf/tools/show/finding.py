"""The result of a check: a report of findings. Checks never print."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from dynconf.text import html_table

Level = Literal["error", "warning", "note"]
"""How serious a finding is; a report that has only notes is ok."""

LEVELS = get_args(Level)
"""The most serious one first."""


def page_of(code: str) -> str:
    """Return the page about a code such as DC301, from the root of the documentation of any release."""
    return f"reference/codes/{code}.html"


@dataclass(frozen=True, slots=True)
class Finding:
    """One problem, or one remark, of a check.

    Attributes:
        code: The kind of finding, such as ``DC402``; programs may rely on it.
        message: The finding in words: the problem, the expected value and the remedy.
        flag: The flag it is about, by its newest name, whatever the release.
        variable: The environment variable it is about.
        raw: The text that was read.
        facts: Further facts as JSON values; their names depend on the code.
        file: The file that it is in, if it is in one.
        line: The line there, counted from 1.
        column: The character in that line, counted from 1.
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
    column: int | None = None

    @property
    def subject(self) -> tuple[object, ...]:
        """What it is about, and where; this is the same for each release."""
        return (self.code, self.flag, self.variable, self.file, self.line)

    def as_json(self) -> dict[str, Any]:
        """Return the finding as a JSON object, each of the facts under its own name."""
        return {
            "code": self.code,
            "level": self.level,
            "flag": self.flag,
            "variable": self.variable,
            "raw": self.raw,
            **({"file": self.file, "line": self.line} if self.file else {}),
            **({"column": self.column} if self.column else {}),
            **self.facts,
            "message": self.message,
        }


@dataclass(frozen=True, slots=True)
class Report:
    """The findings of a check, in reading order.

    Attributes:
        files: The settings files that were read.
        skipped: The settings files that were found but not used, each with the reason.

    Example:
        >>> Report((Finding("DC306", "note", "it does nothing"),)).ok
        True
    """

    findings: tuple[Finding, ...]
    files: tuple[str, ...] = ()
    skipped: tuple[tuple[str, str], ...] = ()

    @property
    def ok(self) -> bool:
        """Whether the report has neither errors nor warnings."""
        return all(finding.level == "note" for finding in self.findings)

    def _repr_html_(self) -> str:
        rows = [(each.level, each.code, each.message) for each in self.findings]
        verdict = "ok" if self.ok else "not ok"
        return html_table(verdict, rows, ", ".join(self.files), ("level", "code", "message"))

    def as_json(self) -> dict[str, Any]:
        """Return the report as a JSON object."""
        files: dict[str, Any] = {"files": list(self.files)} if self.files else {}
        if self.skipped:
            files["skipped"] = [{"file": file, "reason": reason} for file, reason in self.skipped]
        return {**files, "findings": [finding.as_json() for finding in self.findings]}
