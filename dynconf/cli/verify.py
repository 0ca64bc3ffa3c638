"""``dynconf verify``."""

import sys
from typing import IO, TYPE_CHECKING

import click

from dynconf.cli import options
from dynconf.cli.command import Command
from dynconf.cli.options import Words
from dynconf.cli.output import GAP, STYLES, Styled, print_json, print_line
from dynconf.cli.progress import Progress

if TYPE_CHECKING:
    from dynconf.tools.show.finding import Finding

_WIDTH = 24
_LONG = 1.0  # seconds from which on the duration of a step is shown
_STYLES = {"ok": "green", "skipped": "dim", "warning": "yellow", "FAILED": "bold red"}


@click.command(cls=Command, examples=("dynconf verify", "dynconf verify --device cpu --backend eager"))
@options.repeatable("-d", "--device", **options.DEVICE, help="Such as cpu or cuda:1; by default, all.")
@options.repeatable("-b", "--backend", **options.BACKEND, help="By default, eager, aot_eager and inductor.")
@click.option("-v", "--verbose", is_flag=True, help="Show the traceback of each failure.")
@options.output_format()
def verify(*, device: Words, backend: Words, verbose: bool, output_format: str) -> int:
    """Check that torch.compile works on this machine (exit 1 if not).

    Checks versions and tools, compiles a function and a module with each backend on each device, from an
    empty cache, and compares results and gradients with those of plain PyTorch. Takes up to a minute.
    """
    options.need_torch()

    from dynconf.tools.doctor.verify import BACKENDS
    from dynconf.tools.doctor.verify import verify as run

    stream = sys.stdout if output_format == "text" else sys.stderr
    with Progress(plain=False) as progress:

        def finished(finding: "Finding") -> None:
            progress.finish()
            _print_outcome(finding, stream, verbose=verbose)
            print(end="", file=stream, flush=True)  # there may be no stream

        progress.start("importing torch")
        report = run(
            devices=device or None, backends=backend or BACKENDS, started=progress.start, finished=finished
        )
    if output_format == "json":
        findings = [finding.as_json() for finding in report.findings]
        for each in [] if verbose else findings:
            each.pop("traceback", None)
        print_json({"ok": report.ok, "findings": findings})
    else:
        print()
        print_line(Styled(report.summary, STYLES["ok" if report.ok else "error"]))
    return 0 if report.ok else 1


def _print_outcome(finding: "Finding", stream: IO[str], *, verbose: bool) -> None:
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
