"""``dynconf audit``."""

from pathlib import Path

import click

from dynconf.cli import completion, options
from dynconf.cli.command import Command
from dynconf.cli.output import Styled, print_json, print_line, print_table


@click.command(
    cls=Command,
    examples=(
        "dynconf audit audit.0.4711.jsonl",
        "dynconf audit --all audit.0.4711.jsonl audit.1.4712.jsonl",
    ),
)
@click.argument(
    "files", metavar="FILE...", nargs=-1, required=True, type=Path, shell_complete=completion.files
)
@options.everything(help="Also show the changes that torch made for itself.")
@options.output_format()
def audit(*, files: tuple[Path, ...], everything: bool, output_format: str) -> None:
    """Show who changed which flag, from files of an audit.

    Takes the files that `dynconf run --audit-file` wrote, or folders of them, and groups the changes of all
    processes by flag and line.
    """
    from dynconf.tools.audit.file import read

    summary = read(files)
    if output_format == "json":
        print_json(summary.as_json(everything=everything))
        return
    found = summary.shown(everything=everything)
    rows = [(Styled(flag, "bold"), *rest) for flag, *rest in (each.row() for each in found)]
    if len({rank for each in found for rank in each.ranks}) > 1:
        ranks = [", ".join(map(str, sorted(each.ranks))) for each in found]
        print_table(("flag", "change", "by", "ranks"), [(*row, each) for row, each in zip(rows, ranks)])
    elif rows:
        print_table(("flag", "change", "by"), rows)
    else:
        print("nothing changed the configuration")
    for line in () if everything else summary.closing("--all lists them"):
        print_line(line)
