"""``dynconf verify``."""

import sys
from typing import IO, TYPE_CHECKING, Annotated

from dynconf.cli.options import Format, need_torch
from dynconf.cli.output import GAP, STYLES, Styled, print_json, print_lines, print_said
from dynconf.cli.parser import option
from dynconf.cli.progress import Progress

if TYPE_CHECKING:
    from dynconf.finding import Finding

EXAMPLES = ("dynconf verify", "dynconf verify --device cpu --backend eager")

_WIDTH = 24
_STYLES = {"ok": "green", "skipped": "dim", "warning": "yellow", "FAILED": "bold red"}


def verify(
    *,
    devices: Annotated[
        list[str], option("-d --device DEVICE", "A device such as cpu or cuda:1; by default, every one.")
    ],
    backends: Annotated[
        list[str], option("-b --backend BACKEND", "A backend; by default eager, aot_eager and inductor.")
    ],
    verbose: Annotated[bool, option("-v --verbose", "Show the traceback of each failure.")],
    form: Format = "text",
) -> int:
    """Check that torch.compile works on this machine (exit 1 if not).

    Checks versions and tools, compiles a function and a module with each backend on each device, from an
    empty cache, and compares results and gradients with those of plain PyTorch. Takes up to a minute.
    """
    need_torch()

    from dynconf.doctor.verify import BACKENDS
    from dynconf.doctor.verify import verify as run

    stream = sys.stdout if form == "text" else sys.stderr
    with Progress(plain=False) as progress:

        def finished(finding: "Finding") -> None:
            took = progress.finish()
            _print_outcome(finding, took, stream, verbose=verbose)
            stream.flush()

        progress.start("importing torch")
        report = run(
            devices=devices or None,
            backends=backends or BACKENDS,
            started=progress.start,
            finished=finished,
        )
    if form == "json":
        findings = [finding.as_json() for finding in report.findings]
        for each in [] if verbose else findings:
            each.pop("traceback", None)
        print_json({"ok": report.ok, "findings": findings})
    else:
        print()
        print_said((), Styled(report.summary, STYLES["ok" if report.ok else "error"]))
    return 0 if report.ok else 1


def _print_outcome(finding: "Finding", took: str, stream: IO[str], *, verbose: bool) -> None:
    """Print the line of a step, and what belongs below it."""
    facts = finding.facts
    word = {"passed": "ok", "skipped": "skipped", "failed": "FAILED"}[facts["status"]]
    if word == "FAILED" and not facts["required"]:
        word = "warning"
    head = (f"{facts['title']:<{_WIDTH}} ", Styled(f"{word:<8}", _STYLES[word]), " ")
    print_said(head, f"{facts['found']}{took}", indent=" " * sum(map(len, head)), stream=stream)
    for line in facts.get("lines", ()):
        print_said((2 * GAP,), line, indent=3 * GAP, stream=stream)
    if facts.get("advice"):
        print_said((2 * GAP, "Try: "), facts["advice"], indent=3 * GAP, stream=stream)
    if verbose and facts.get("traceback"):
        print_lines([[f"    | {line}"] for line in facts["traceback"].splitlines()], stream)
