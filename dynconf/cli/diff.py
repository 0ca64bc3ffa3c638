"""``dynconf diff``."""

from collections.abc import Iterable
from functools import partial
from pathlib import Path

import click

from dynconf.cli import completion, options
from dynconf.cli.command import Command
from dynconf.cli.options import Words
from dynconf.cli.output import Styled, complain, print_json, print_table
from dynconf.diff import (
    TABLE_HEADERS,
    Change,
    Kind,
    changes,
    read_for_diff,
    table_row,
    variable_changes,
)
from dynconf.errors import InvalidValueError
from dynconf.snapshot import default_state, live_state
from dynconf.sources.missing import Missing

_KINDS: dict[str, tuple[Kind, ...]] = {
    "defaults": ("default-changed",),
    "names": ("renamed", "removed", "added"),
    "variables": ("variable-removed", "variable-added"),
}
"""The kinds of changes that --what names, in the order in which they are listed."""


@click.command(
    cls=Command,
    examples=(
        "dynconf diff before.json after.json",
        "dynconf diff before.json --live",
        "dynconf diff --torch 2.6 --torch 2.13",
        "dynconf diff --torch 2.6 --torch 2.13 --what variables",
    ),
)
@click.argument("files", metavar="[FILE]...", nargs=-1, type=Path, shell_complete=completion.files)
@options.live
@options.repeatable("-t", "--torch", **options.RELEASE, help="The torch release; two compare their defaults.")
@click.option("--what", type=click.Choice(tuple(_KINDS)), help="With two --torch, list these only.")
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
    """Compare two states (exit 1 if they differ).

    Compares two files (saved states or settings), or a file with the config in force (--live), or the
    defaults of two releases (--torch twice): changed defaults first, then names, then variables that only one
    of the two reads. A flag that a file does not mention has its default.
    """
    read = partial(read_for_diff, missing=missing or "warn", warn=partial(complain, "warning"), trust=trust)
    compares_releases = len(torch) > 1
    if what and not compares_releases:
        raise InvalidValueError("--what is for two releases: --torch R --torch R")
    match len(files), len(torch), live:
        case 0, 2, False:
            before, after = (default_state(each).state for each in torch)
        case 2, 0 | 1, False:
            at = options.release(torch[0] if torch else None)
            before, after = (read(each, release=at) for each in files)
        case 1, 0, True:
            after = live_state()
            before = read(files[0], release=after.release)
        case _:
            raise InvalidValueError(
                "dynconf diff compares two files (A B), a file with the live module (A --live), or the"
                " defaults of two releases (--torch R --torch R)"
            )
    found: list[Change] = changes(before, after)
    if compares_releases:
        found = list(_ranked([*found, *variable_changes(before.release, after.release)], what))
    _print(found, output_format)
    return 1 if found else 0


def _ranked(found: list[Change], what: str | None) -> Iterable[Change]:
    """Yield changes between two releases, those that change the behaviour of a program first."""
    for name, kinds in _KINDS.items():
        for kind in kinds if what in (None, name) else ():
            yield from (each for each in found if each.kind == kind)


def _print(changed: list[Change], output_format: str) -> None:
    found = [each.as_json() for each in changed]
    if output_format == "json":
        print_json({"changes": found})
    elif found:
        rows = [table_row(change) for change in found]
        print_table(TABLE_HEADERS, [(Styled(row[0], "bold"), *row[1:]) for row in rows], fixed=2)
    else:
        print("no differences")
