"""``dynconf report``."""

from pathlib import Path

import click

from dynconf.cli import completion, options
from dynconf.cli.command import command
from dynconf.cli.options import Sources
from dynconf.cli.output import complain, print_changes, print_json, print_line
from dynconf.errors import InvalidValueError
from dynconf.sources.gather import judge_rules
from dynconf.store.saving import text_of
from dynconf.store.writing import write
from dynconf.tools.report.outcome import Outcome
from dynconf.tools.report.report import report as live_report
from dynconf.tools.report.report import report_of


@command(
    "dynconf report",
    "dynconf report --live -o report.md",
    "dynconf run --report report.md train.py",
    "dynconf report audit.0.4711.jsonl",
)
@click.argument("audits", metavar="[AUDIT]...", nargs=-1, type=Path, shell_complete=completion.files)
@options.live
@options.output(help="Write to a file: JSON if it ends in .json, else Markdown.")
@click.option("--full", is_flag=True, help="Do not shorten paths in your home and working folders.")
@options.everything(help="Of an AUDIT, also show the changes that torch made for its own use.")
@options.output_format()
@options.sources
def report(
    *,
    audits: tuple[Path, ...],
    live: bool,
    output: Path | None,
    full: bool,
    everything: bool,
    output_format: str,
    sources: Sources,
) -> None:
    """The report contains versions and platform, the settings with their origins, torch's variables, and with
    --live, which imports torch, the numerics switches that are not flags. `dynconf diff` and `dump --from`
    read it back. Only torch's variables are read. For your own program, use dynconf run --report FILE.

    AUDIT is a file that `dynconf run --audit-file` wrote, a folder of such files, or the name given to that
    option. The changes of all processes are grouped by flag and line.
    """
    if (audits and (live or output or full or sources.are_given)) or (everything and not audits):
        raise InvalidValueError("an AUDIT takes no options but --format and --all, which is for it alone")
    if audits:
        from dynconf.tools.audit.file import read

        if output_format == "json":
            print_json(read(audits).as_json(everything=everything))
        else:
            print_changes(read(audits), print_line, None, "", everything=everything)
        return
    if live and sources.are_given:
        raise InvalidValueError("--live reads the config modules: it takes no --set, --config or --missing")
    if live:
        import torch

        if torch.cuda.is_available():
            torch.cuda.init()  # type: ignore[no-untyped-call]  # or the report would not name the device
        found = live_report(full=full)
    else:
        reading = judge_rules(sources.read(options.release(None)))
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
