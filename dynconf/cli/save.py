"""``dynconf save``."""

from pathlib import Path

import click

from dynconf.cli import completion, options
from dynconf.cli.command import Command
from dynconf.cli.options import Sources, Words
from dynconf.cli.output import complain
from dynconf.errors import InvalidValueError
from dynconf.ignore import DEFAULT
from dynconf.release import Release
from dynconf.saving import saved_document, write_document
from dynconf.selection import select
from dynconf.snapshot import live_state
from dynconf.state import State


@click.command(
    cls=Command,
    examples=("dynconf save state.json", "dynconf save state.json --set recompile_limit=64 --all"),
)
@click.argument("out", type=Path, shell_complete=completion.files)
@options.live
@click.option("--from-torch", "blob", **options.FILE, help="Convert a file of torch's own save_config().")
@options.everything(help="Include flags that nothing sets.")
@options.repeatable("--ignore", **options.FLAG, help="Leave out this flag.")
@options.torch
@options.sources
def save(
    *,
    out: Path,
    live: bool,
    blob: Path | None,
    everything: bool,
    ignore: Words,
    torch: str | None,
    sources: Sources,
) -> None:
    """Save the current settings to a file.

    OUT is the file: .json, .toml, or - for stdout. `dynconf.load`, `dynconf diff` and --config read it. It
    contains every flag that something sets, except those that are internal to torch, tied to this machine, or
    for torch's tests. Does not import torch, except with --live.
    """
    if (live and (sources.are_given or torch or blob)) or (blob and sources.are_given):
        raise InvalidValueError(
            "--live, --from-torch, and --set, --config, --missing or --trust are three sources of the"
            " state: choose one"
        )
    if live:
        state = live_state()
    elif blob:
        state = _converted(blob, options.release(torch), everything=everything)
    else:
        # Of other modules than dynamo only the flags that are set.
        state = select(sources.state(options.release(torch)), everything=True)
    document = saved_document(state, DEFAULT | set(ignore), everything=everything)
    write_document(out, document)
    count = len(document["flags"])
    complain("note", f"{out}: {count} {'flag' if count == 1 else 'flags'} of torch {state.release.version}")


def _converted(blob: Path, at: Release, *, everything: bool) -> State:
    from dynconf.torch_saved_config import read_saved_config

    reading, left_out = read_saved_config(blob, at, everything=everything)
    complain("note", *(f"{name} is left out: torch {at.version} has no such flag" for name in left_out))
    complain("warning", *reading.warnings)
    return reading.state
