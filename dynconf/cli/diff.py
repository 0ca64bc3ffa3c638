"""``dynconf diff``."""

from pathlib import Path
from typing import Annotated, Any

import typer

from dynconf.cli.options import Format, FormatOption, LiveOption, MissingPolicy, live_state, release
from dynconf.cli.output import complain, print_json, print_table
from dynconf.diff import changes, read_for_diff
from dynconf.errors import InvalidValueError
from dynconf.flags.types import shown
from dynconf.release import Release
from dynconf.snapshot import Snapshot, effective
from dynconf.sources.layer import Layer


def diff(
    files: Annotated[
        list[Path] | None, typer.Argument(metavar="FILE", help="Saved states or settings files.")
    ] = None,
    *,
    live: LiveOption = False,
    torch: Annotated[
        list[str] | None,
        typer.Option("--torch", metavar="RELEASE", help="The torch release; two compare their defaults."),
    ] = None,
    missing: Annotated[
        MissingPolicy, typer.Option("--missing", help="What to do about flags that the release lacks.")
    ] = MissingPolicy.warn,
    form: FormatOption = Format.text,
) -> None:
    """Compare two states (exit 1 if they differ).

    Compares two files, or a file with the config in force (--live), or the defaults of two releases (--torch
    twice). What a file does not mention has its default.
    """
    before, after = _states(files or [], torch or [], missing, live=live)
    found = [change.as_json() for change in changes(before, after)]
    if form is Format.json:
        print_json({"changes": found})
    elif found:
        print_table(("change", "flag", "before", "after"), [_row(change) for change in found])
    if found:
        raise typer.Exit(1)


def _states(
    files: list[Path], releases: list[str], missing: MissingPolicy, *, live: bool
) -> tuple[Snapshot, Snapshot]:
    match len(files), len(releases), live:
        case 0, 2, False:
            old, new = (effective(Release.named(each), Layer(), ("dynamo",)) for each in releases)
            return old, new
        case 2, 0 | 1, False:
            at = release(releases[0] if releases else None)
            return _read(files[0], at, missing), _read(files[1], at, missing)
        case 1, 0, True:
            now = live_state()
            return _read(files[0], now.release, missing), now
        case _:
            raise InvalidValueError(
                "dynconf diff compares two files (A B), a file with the live module (A --live), or the"
                " defaults of two releases (--torch R --torch R)"
            )


def _read(path: Path, at: Release, missing: MissingPolicy) -> Snapshot:
    snapshot, notes = read_for_diff(path, at, missing.value)
    for note in notes:
        complain("warning", note)
    return snapshot


def _row(change: dict[str, Any]) -> tuple[str, ...]:
    sides = (shown(change[side]) if side in change else "" for side in ("before", "after"))
    return change["kind"], change["flag"], *sides
