"""``dynconf check``."""

import os
from pathlib import Path

from dynconf.cli.options import CONFIG, TORCH, TRUST, format_option, release
from dynconf.cli.output import STYLES, Styled, print_json, print_lines
from dynconf.escaping import printable
from dynconf.finding import Finding, Report
from dynconf.lint.environment import check_environment

OPTIONS = (TORCH, CONFIG, TRUST, format_option("text", "json", "github"))
EXAMPLES = ("dynconf check", "dynconf check --torch 2.9", "dynconf check --format github")

_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}
"""What GitHub calls the levels."""


def check(*, torch: str | None, config: Path | None, trust: bool, form: str) -> int:
    """Find variables and settings that do not mean what they seem to.

    Reports variables that bare torch reads differently, names that are misspelt or belong to another release,
    and mistakes in settings files. Exits with 1 if there is an error or a warning. Does not import torch.
    """
    at = release(torch)
    report = check_environment(torch=torch, config=config, trust=trust)
    if form == "json":
        print_json(report.as_json())
    elif form == "github":
        for finding in report.findings:
            print(_annotation(finding))
    else:
        print_lines(_line(finding) for finding in report.findings)
        print(_verdict(report, at.version))
    return 0 if report.ok else 1


def _line(finding: Finding) -> list[str]:
    head = _place(finding) or finding.level
    style = STYLES[finding.level]
    return [
        Styled(f"{head}:", "bold" if finding.file else style),
        " ",
        Styled(finding.code, style),
        " ",
        printable(finding.message),
    ]


def _verdict(report: Report, torch: str) -> str:
    counts = {level: sum(each.level == level for each in report.findings) for level in STYLES}
    found = [f"{count} {level}{'s' * (count > 1)}" for level, count in counts.items() if count]
    read = ", ".join(["the environment", *map(_short, report.files)])
    return f"{', '.join(found) or 'nothing to report'} for torch {torch} in {read}"


def _place(finding: Finding) -> str:
    if finding.file is None:
        return ""
    line = f":{finding.line}" if finding.line else ""
    return f"{printable(_short(finding.file))}{line}"


def _short(file: str) -> str:
    """Return a path as it is seen from the working directory, if it lies there."""
    here = os.getcwd()  # noqa: PTH109
    return os.path.relpath(file, here) if file.startswith(f"{here}{os.sep}") else file


def _annotation(finding: Finding) -> str:
    """Return the finding as a command for GitHub's runners, which show it beside the line in question."""
    properties = {"title": f"dynconf {finding.code}"}
    if finding.file:
        properties = {"file": _short(finding.file), **properties}
        if finding.line:
            properties["line"] = str(finding.line)
    listed = ",".join(f"{name}={_escaped(text, ',:')}" for name, text in properties.items())
    return f"::{_COMMANDS[finding.level]} {listed}::{_escaped(finding.message)}"


def _escaped(text: str, further: str = "") -> str:
    return "".join(f"%{ord(each):02X}" if each in f"%\r\n{further}" else each for each in text)
