"""``dynconf verify``."""

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dynconf.cli.output import Format, print_json

if TYPE_CHECKING:
    from dynconf.checks.finding import Finding, Report

_WIDTH = 24


def verify(
    *,
    devices: Annotated[
        list[str] | None,
        typer.Option("--device", help="A device such as cpu, cuda or cuda:1; all that are there by default."),
    ] = None,
    backends: Annotated[
        list[str] | None,
        typer.Option("--backend", help="A backend; eager, aot_eager and inductor by default."),
    ] = None,
    verbose: Annotated[bool, typer.Option("--verbose", help="Show the traceback of each failure.")] = False,
    form: Annotated[Format, typer.Option("--format", help="The form of the result.")] = Format.text,
) -> None:
    """Check that this machine can run torch.compile: versions, compilations, config (exit 1 if not).

    Each backend compiles a function and a module on each device, from an empty cache; results and gradients
    are compared with plain PyTorch's. This takes up to a minute.
    """
    from dynconf.checks.verify import BACKENDS  # noqa: PLC0415  everything behind it imports torch
    from dynconf.checks.verify import verify as run  # noqa: PLC0415

    progress = sys.stdout if form is Format.text else sys.stderr

    def started(title: str) -> None:
        print(f"{title:<{_WIDTH}}", end="", file=progress, flush=True)

    def finished(finding: "Finding") -> None:
        print(_shown(finding, verbose=verbose), file=progress, flush=True)

    report = run(devices=devices, backends=backends or BACKENDS, started=started, finished=finished)
    if form is Format.json:
        print_json(_document(report, verbose=verbose))
    else:
        print(f"\n{_verdict(report)}")
    if not report.ok:
        raise typer.Exit(1)


def _shown(finding: "Finding", *, verbose: bool) -> str:
    """Return the rest of the line that `started` began, and what belongs below it."""
    facts = finding.facts
    word = {"passed": "ok", "skipped": "skipped", "failed": "FAILED"}[facts["status"]]
    if word == "FAILED" and not facts["required"]:
        word = "warning"
    lines = [f" {word:<8} {facts['found']}", *(f"    {line}" for line in facts.get("lines", ()))]
    if facts.get("advice"):
        lines.append(f"    Try: {facts['advice']}")
    if verbose and facts.get("traceback"):
        lines += [f"    | {line}" for line in facts["traceback"].splitlines()]
    return "\n".join(lines)


def _document(report: "Report", *, verbose: bool) -> dict[str, Any]:
    findings = [finding.as_json() for finding in report.findings]
    for each in findings:
        if not verbose:
            each.pop("traceback", None)
    return {"ok": report.ok, "findings": findings}


def _verdict(report: "Report") -> str:
    failed = [each.facts["title"] for each in report.findings if each.level == "error"]
    skipped = [each.facts["title"] for each in report.findings if each.facts["status"] == "skipped"]
    tail = f"; skipped: {', '.join(skipped)}" if skipped else ""
    return f"Failed: {', '.join(failed)}{tail}." if failed else f"All required checks passed{tail}."
