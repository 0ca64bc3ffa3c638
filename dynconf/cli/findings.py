"""How reports of findings are shown, apart from the findings of each command."""

from collections import Counter
from typing import get_args

from dynconf.cli.output import STYLES, Styled, print_line, short_path
from dynconf.tools.show.finding import Finding, Level, Report

_LEVELS: tuple[Level, ...] = get_args(Level)


def counts(report: Report) -> str:
    """Return how many findings of each level there are, such as "1 error, 2 notes"."""
    of = Counter(each.level for each in report.findings)
    found = [f"{of[level]} {level}{'s' * (of[level] > 1)}" for level in _LEVELS if of[level]]
    return ", ".join(found) or "nothing to report"


def further_help(report: Report) -> str:
    """Return the clause that names the command which explains the most serious finding."""
    worst = min(report.findings, key=lambda each: _LEVELS.index(each.level), default=None)
    return f"; `dynconf explain {worst.code}` says more" if worst else ""


def print_finding(finding: Finding) -> None:
    """Print a finding in a line: its place, or its level if it has none, its code, and what is wrong."""
    style = STYLES[finding.level]
    place = Styled(f"{finding.level}:", style)
    if finding.file:
        cell = f"cell {finding.facts['cell']}" if "cell" in finding.facts else None
        parts = (short_path(finding.file), cell, finding.line, finding.column)
        place = Styled("".join(f"{part}:" for part in parts if part), "bold")
    fix = " [*]" if "fix" in finding.facts else ""
    print_line(place, " ", Styled(finding.code, style), fix, " ", finding.message)


def annotation(finding: Finding) -> str:
    """Return the finding as a command for GitHub's runners, which show it beside the line in question."""
    command = "notice" if finding.level == "note" else finding.level
    properties = {
        "file": short_path(finding.file) if finding.file else None,
        "title": f"dynconf {finding.code}",
        "line": finding.line,
        "col": finding.column,
    }
    listed = ",".join(f"{name}={_escaped(str(fact), ',:')}" for name, fact in properties.items() if fact)
    return f"::{command} {listed}::{_escaped(finding.message)}"


def _escaped(text: str, further: str = "") -> str:
    return "".join(f"%{ord(each):02X}" if each in f"%\r\n{further}" else each for each in text)
