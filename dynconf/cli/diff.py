"""``dynconf diff``."""

from pathlib import Path
from typing import Annotated

import typer

from dynconf.cli.expected import MissingOption, release
from dynconf.cli.output import Format, complain, print_json, print_table
from dynconf.errors import InvalidValueError
from dynconf.sources.layer import Layer
from dynconf.state.diff import Change, changes, read_for_diff
from dynconf.state.snapshot import Snapshot, effective
from dynconf.values import shown
from dynconf.versions import AtHand, asked


def diff(
    files: Annotated[
        list[Path] | None, typer.Argument(metavar="[A] [B]", help="Saved states or files of settings.")
    ] = None,
    *,
    live: Annotated[
        bool, typer.Option("--live", help="Compare A with the config module itself; imports torch.")
    ] = False,
    torch: Annotated[
        list[str] | None,
        typer.Option("--torch", metavar="RELEASE", help="The release; two compare their defaults."),
    ] = None,
    missing: Annotated[
        MissingOption, typer.Option("--missing", help="What to do about flags that the release lacks.")
    ] = MissingOption.warn,
    form: Annotated[Format, typer.Option("--format", help="The form of the result.")] = Format.text,
) -> None:
    """Print what differs between two states, and exit with 1 if anything does.

    The states are two files, a file and the live module (--live), or the defaults of two releases (--torch
    twice). What a file does not mention has its default.
    """
    before, after = _states(files or [], torch or [], missing, live=live)
    found = changes(before, after)
    if form is Format.json:
        print_json({"changes": [change.as_json() for change in found]})
    elif found:
        rows = [(each.kind, each.flag, *map(_side, _sides(each))) for each in found]
        print_table(("change", "flag", "before", "after"), rows)
    if found:
        raise typer.Exit(1)


def _states(
    files: list[Path], releases: list[str], missing: MissingOption, *, live: bool
) -> tuple[Snapshot, Snapshot]:
    match len(files), len(releases), live:
        case 0, 2, False:
            old, new = (effective(asked(each), Layer()) for each in releases)
            return old, new
        case 2, 0 | 1, False:
            at = release(releases[0] if releases else None)
            return _read(files[0], at, missing), _read(files[1], at, missing)
        case 1, 0, True:
            from dynconf.live.snapshot import snapshot  # noqa: PLC0415  the one place where a diff imports torch

            now = snapshot()
            return _read(files[0], AtHand(now.torch, "loaded"), missing), now
        case _:
            raise InvalidValueError(
                "dynconf diff compares two files (A B), a file with the live module (A --live), or the"
                " defaults of two releases (--torch R --torch R)"
            )


def _read(path: Path, at: AtHand, missing: MissingOption) -> Snapshot:
    snapshot, notes = read_for_diff(path, at, missing.value)
    for note in notes:
        complain("warning", str(note))
    return snapshot


def _sides(change: Change) -> tuple[object, object]:
    data = change.as_json()
    return data.get("before", ...), data.get("after", ...)


def _side(value: object) -> str:
    return "" if value is ... else shown(value)
