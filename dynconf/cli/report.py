"""``dynconf report``."""

from pathlib import Path

import click

from dynconf.cli import options
from dynconf.cli.command import Command
from dynconf.cli.options import Sources
from dynconf.cli.output import complain, print_json
from dynconf.errors import InvalidValueError
from dynconf.sources.gather import check_conflicts
from dynconf.store.saving import text_of
from dynconf.store.writing import write
from dynconf.tools.report.report import report as live_report
from dynconf.tools.report.report import report_of
from dynconf.tools.run.outcome import Outcome


@click.command(
    cls=Command,
    examples=(
        "dynconf report",
        "dynconf report --live -o report.md",
        "dynconf run --report report.md train.py",
    ),
)
@options.live
@options.output(help="Write it to a file: .json, or Markdown.")
@click.option("--full", is_flag=True, help="Show the paths of your home and working folders as they are.")
@options.output_format()
@options.sources
def report(*, live: bool, output: Path | None, full: bool, output_format: str, sources: Sources) -> None:
    """Print the configuration for an issue, in Markdown.

    It has versions and platform, the settings with their origins, torch's variables, and with --live, which
    imports torch, the switches for numerics that are not flags. `dynconf diff` and `save --from` read
    it back. Variables that are not torch's are never read. For a program of yours: dynconf run --report FILE.
    """
    if live and sources.are_given:
        raise InvalidValueError("--live reads the config modules: it takes no --set, --config or --missing")
    if live:
        options.need_torch()
        import torch

        if torch.cuda.is_available():
            torch.cuda.init()  # type: ignore[no-untyped-call]  # or the report would not name the device
        found = live_report(full=full)
    else:
        reading = check_conflicts(sources.read(options.release(None)))
        state = reading.checked()
        complain("warning", *reading.warnings)
        found = report_of(Outcome(state, {}, {}), full=full)
    if output is not None and output_format == "json":
        write(output, text_of(found.as_json()))  # whatever the name
    elif output is not None:
        found.save(output)
    elif output_format == "json":
        print_json(found.as_json())
    else:
        print(found)
