"""``dynconf verify``."""

import sys
from typing import IO

import click

from dynconf.cli import options
from dynconf.cli.command import command
from dynconf.cli.options import Words
from dynconf.cli.output import GAP, STYLES, Styled, complain, print_json, print_line, print_table
from dynconf.cli.progress import progress
from dynconf.errors import InvalidValueError
from dynconf.tools.doctor.backends import Backend, list_backends
from dynconf.tools.doctor.verify import BACKENDS
from dynconf.tools.doctor.verify import verify as run
from dynconf.tools.show.finding import Finding

_WIDTH = 24
_LONG = 1.0  # seconds from which on the duration of a step is shown
_STYLES = {**STYLES, "skipped": "dim", **dict.fromkeys(("FAILED", "wrong", "failed"), STYLES["error"])}


@command("dynconf verify", "dynconf verify --device cpu --backend eager", "dynconf verify --list")
@options.repeatable("-d", "--device", **options.DEVICE, help="A device, such as cuda:1; by default, all.")
@options.repeatable("-b", "--backend", **options.BACKEND, help="By default: eager, aot_eager, inductor.")
@click.option("--list", "listed", is_flag=True, help="Only list the backends and what they need.")
@click.option("--try", "attempt", is_flag=True, help="List them, and compile a small model with each.")
@click.option("-v", "--verbose", is_flag=True, help="Show the traceback of each failure.")
@options.output_format()
def verify(
    *, device: Words, backend: Words, listed: bool, attempt: bool, verbose: bool, output_format: str
) -> int:
    """Checks versions and tools, compiles a function and a module with each backend on each device, from an
    empty cache, and compares results and gradients with those of plain PyTorch. Takes up to a minute.

    With --try, a backend with a tag, such as debug, counts only if you name it: some of torch's own are meant
    to fail.
    """
    options.need_torch()
    if listed or attempt:
        if device or verbose:
            raise InvalidValueError("--list and --try are about backends: they take no --device or --verbose")
        return _list_backends(backend, output_format, attempt=attempt)

    stream = sys.stdout if output_format == "text" else sys.stderr
    with progress(plain=False) as step:

        def finished(finding: Finding) -> None:
            step("")
            _print_outcome(finding, stream, verbose=verbose)
            print(end="", file=stream, flush=True)  # there may be no stream

        step("importing torch")
        report = run(devices=device or None, backends=backend or BACKENDS, started=step, finished=finished)
    if output_format == "json":
        findings = [finding.as_json() for finding in report.findings]
        for each in [] if verbose else findings:
            each.pop("traceback", None)
        print_json({"ok": report.ok, "findings": findings})
    else:
        print()
        print_line(Styled(report.summary, STYLES["ok" if report.ok else "error"]))
    return 0 if report.ok else 1


def _print_outcome(finding: Finding, stream: IO[str], *, verbose: bool) -> None:
    """Print the line of a step, and its details below."""
    facts = finding.facts
    failed = "FAILED" if facts["required"] else "warning"
    word = {"passed": "ok", "skipped": "skipped", "failed": failed}[facts["status"]]
    took = f" ({facts['seconds']:.1f} s)" if facts["seconds"] >= _LONG else ""
    head = f"{facts['title']:<{_WIDTH}} "
    print_line(head, Styled(f"{word:<8}", _STYLES[word]), " ", f"{facts['found']}{took}", stream=stream)
    for line in facts.get("lines", ()):
        print_line(2 * GAP, line, stream=stream)
    if facts.get("advice"):
        print_line(2 * GAP, "Try: ", facts["advice"], stream=stream)
    for line in facts.get("traceback", "").splitlines() if verbose else ():
        print_line(2 * GAP, "| ", line, stream=stream)


def _list_backends(names: Words, output_format: str, *, attempt: bool) -> int:
    with progress(plain=attempt) as step:
        step("importing torch")
        found = list_backends(names or None, attempt=attempt, started=step)
    if output_format == "json":
        print_json({"backends": [backend.as_json() for backend in found]})
    else:
        headers = ("backend", "tags", "available", *(["result"] if attempt else []), "note")
        rows = [_row(each, attempt=attempt) for each in found]
        print_table(headers, rows, fixed=len(headers) - 1)
    bad = [each for each in found if each.result in ("wrong", "failed") and (names or not each.tags)]
    if bad:
        complain("error", f"{', '.join(each.name for each in bad)}: no correct result")
    return 1 if bad else 0


def _row(backend: Backend, *, attempt: bool) -> tuple[str, ...]:
    return (
        Styled(backend.name, "bold"),
        ", ".join(backend.tags),
        Styled("yes", "green") if backend.available else Styled("no", "dim"),
        *([Styled(backend.result or "", _STYLES.get(backend.result or "", ""))] if attempt else []),
        backend.missing or backend.message,
    )
