"""Reports as SARIF 2.1.0, which code hosts and editors read, and as commands for GitHub's runners."""

from pathlib import Path
from typing import Any
from urllib.parse import quote

from dynconf.tools.lint.codes import CODES, title
from dynconf.tools.show.finding import Finding, Report
from dynconf.version import __version__


def as_sarif(report: Report) -> dict[str, Any]:
    """Return a report as a SARIF log with one run."""
    codes = sorted({each.code for each in report.findings})
    rules = [_rule(code) for code in codes]
    driver = {"name": "dynconf", "semanticVersion": __version__, "rules": rules}
    results = [_result(each, codes) for each in report.findings]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}


def _rule(code: str) -> dict[str, Any]:
    text = {"text": CODES[code].text if code in CODES else f"`dynconf explain {code}` says which, and why."}
    return {"id": code, "shortDescription": {"text": title(code)}, "fullDescription": text, "help": text}


def _result(finding: Finding, codes: list[str]) -> dict[str, Any]:
    region = {"startLine": finding.line or 1, "startColumn": finding.column or 1}
    artifact = {"uri": quote(Path(finding.file or "").as_posix().encode(errors="surrogateescape"))}
    place = {"physicalLocation": {"artifactLocation": artifact, "region": region}}
    return {
        "ruleId": finding.code,
        "ruleIndex": codes.index(finding.code),
        "level": finding.level,
        "message": {"text": finding.message},
        "locations": [place] if finding.file else [],
    }


def annotation(finding: Finding, file: str | None) -> str:
    """Return the finding as a command for GitHub's runners, which show it beside the line in question."""
    command = "notice" if finding.level == "note" else finding.level
    title_of = f"dynconf {finding.code}"
    properties = {"file": file, "title": title_of, "line": finding.line, "col": finding.column}
    listed = ",".join(f"{name}={_escaped(str(fact), ',:')}" for name, fact in properties.items() if fact)
    return f"::{command} {listed}::{_escaped(finding.message)}"


def _escaped(text: str, further: str = "") -> str:
    return "".join(f"%{ord(each):02X}" if each in f"%\r\n{further}" else each for each in text)
