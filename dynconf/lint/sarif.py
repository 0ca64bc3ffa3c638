"""Reports as SARIF 2.1.0, which code hosts and editors read."""

from pathlib import Path
from typing import Any

from dynconf.finding import Finding, Report
from dynconf.lint.codes import CODES
from dynconf.version import __version__


def as_sarif(report: Report) -> dict[str, Any]:
    """Return a report as a SARIF log with one run."""
    codes = sorted({each.code for each in report.findings})
    rules = [
        {"id": code, "shortDescription": {"text": CODES.get(code, "A rule over several flags is broken")}}
        for code in codes
    ]
    driver = {"name": "dynconf", "semanticVersion": __version__, "rules": rules}
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "columnKind": "unicodeCodePoints",
                "results": [_result(each, codes) for each in report.findings],
            }
        ],
    }


def _result(finding: Finding, codes: list[str]) -> dict[str, Any]:
    region = {"startLine": finding.line or 1, "startColumn": finding.column or 1}
    artifact = {"uri": Path(finding.file or "").as_posix()}
    return {
        "ruleId": finding.code,
        "ruleIndex": codes.index(finding.code),
        "level": finding.level,
        "message": {"text": finding.message},
        "locations": [{"physicalLocation": {"artifactLocation": artifact, "region": region}}],
    }
