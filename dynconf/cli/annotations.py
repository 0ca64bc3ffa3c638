"""Findings as commands for GitHub's runners, which show them beside the lines in question."""

from dynconf.cli.output import short_path
from dynconf.finding import Finding


def annotation(finding: Finding) -> str:
    """Return the finding as such a command."""
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
