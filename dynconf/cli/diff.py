"""``dynconf diff``."""

from functools import partial
from pathlib import Path

import click

from dynconf.cli import completion, options
from dynconf.cli.command import command
from dynconf.cli.options import Words
from dynconf.cli.output import complain, print_json, print_table
from dynconf.errors import InvalidValueError
from dynconf.sources.gather import gather
from dynconf.state import Missing
from dynconf.store.diff import RELEASE_KINDS, TABLE_HEADERS, compared, release_changes, side_of, table_row
from dynconf.store.snapshot import live_state
from dynconf.tools.pasted.pasted import opened
from dynconf.tools.report.machine import numerics


@command(
    "dynconf diff before.json after.json",
    "dynconf diff before.json",
    "dynconf diff before.json --live",
    "dynconf run -m dynconf diff theirs.json --live",
    "dynconf diff --torch 2.6 --torch 2.13",
    "dynconf diff --torch 2.6 --torch 2.13 --what variables",
)
@click.argument("files", metavar="[FILE]...", nargs=-1, type=Path, shell_complete=completion.files)
@options.live
@options.repeatable("-t", "--torch", **options.RELEASE, help="The torch release; two compare their defaults.")
@click.option("--what", type=click.Choice(tuple(RELEASE_KINDS)), help="With two --torch, list only these.")
@options.missing
@options.trust
@options.output_format()
def diff(
    *,
    files: tuple[Path, ...],
    live: bool,
    torch: Words,
    what: str | None,
    missing: Missing | None,
    trust: bool,
    output_format: str,
) -> int:
    """Compares two files (saved states or settings), a file with your settings, or a file with what torch
    reads here (--live; under dynconf run, with your settings). --torch twice compares the defaults of two
    releases: changed defaults first, then names, then variables that only one of the two reads. A flag that
    a file does not mention has its default.
    """
    warn = partial(complain, "warning")
    read = partial(side_of, missing=missing or "warn", warn=warn, trust=trust)
    if what and not torch[1:]:
        raise InvalidValueError("--what is for two releases: --torch R --torch R")
    match len(files), len(torch), live:
        case 0, 2, False:
            found, notes = release_changes(*torch), list[str]()
        case 2, 0 | 1, False:
            at = options.release(torch[0] if torch else None)
            found, notes = compared(*(read(opened(each, at, warn), at) for each in files))
        case 1, 0 | 1, False:
            at = options.release(torch[0] if torch else None)
            reading = gather(at)
            complain("warning", *reading.warnings)
            mine = reading.checked(), {"torch": at.version}
            found, notes = compared(read(opened(files[0], at, warn), at), mine)
        case 1, 0, True:
            state = live_state()
            before = read(opened(files[0], state.release, warn), state.release)
            found, notes = compared(before, (state, {"torch": state.release.version, "numerics": numerics()}))
        case _:
            raise InvalidValueError(
                "dynconf diff compares two files (A B), a file with your settings (A), a file with what torch"
                " reads here (A --live), or the defaults of two releases (--torch R --torch R)"
            )
    complain("note", *notes)
    if what:
        found = [each for each in found if each.kind in RELEASE_KINDS[what]]
    told = [each.as_json() for each in found]
    if output_format == "json":
        print_json({"changes": told})
    elif told:
        print_table(TABLE_HEADERS, map(table_row, told), fixed=2)
    else:
        print("no differences")
    return 1 if told else 0
