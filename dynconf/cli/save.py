"""``dynconf save``."""

from pathlib import Path

import click

from dynconf.catalogue.modules import MODULES
from dynconf.cli import completion, options
from dynconf.cli.command import Command
from dynconf.cli.options import Sources, Words
from dynconf.cli.output import complain
from dynconf.errors import InvalidValueError
from dynconf.release import Release
from dynconf.sources.gather import check_conflicts
from dynconf.state import State
from dynconf.store.ignore import DEFAULT
from dynconf.store.saving import lost_objects, read_state, saved_document, write_document
from dynconf.store.snapshot import default_state, live_state, with_defaults


@click.command(
    cls=Command,
    examples=(
        "dynconf save state.json",
        "dynconf save state.json --from repro.py",
        "dynconf save state.json --set recompile_limit=64 --all",
        "dynconf save 2.8.json --defaults 2.8",
    ),
)
@click.argument("out", type=Path, shell_complete=completion.files)
@options.live
@click.option("--from", "other", **options.FILE, help="A script, a report, a saved state, or settings.")
@click.option("--from-torch", "blob", **options.FILE, help="Convert a file of torch's own save_config().")
@click.option("--defaults", **options.RELEASE, help="Save every default of this torch release.")
@options.everything(help="Include flags that nothing sets, of all config modules.")
@click.option("--pins", is_flag=True, help="With --live, include overrides that equal torch's default.")
@options.repeatable("--ignore", **options.FLAG, help="Leave out this flag.")
@options.torch
@options.sources
def save(
    *,
    out: Path,
    live: bool,
    other: Path | None,
    blob: Path | None,
    defaults: str | None,
    everything: bool,
    pins: bool,
    ignore: Words,
    torch: str | None,
    sources: Sources,
) -> None:
    """Save the current settings to a file.

    OUT is the file: .json, .toml, or - for stdout. `dynconf.load`, `dynconf diff` and --config read it. It
    contains every flag that something sets, except those that are internal to torch, tied to this machine, or
    for torch's tests. Does not import torch, except with --live.

    --from reads its file alone, without environment, and warns of flags that the release lacks, unless
    --missing says otherwise.
    """
    others = sources.assignments or sources.config if other else sources.are_given
    if sum(map(bool, (live, other, blob, defaults, others))) > 1 or (torch and (live or defaults)):
        raise InvalidValueError(
            "--live, --from, --from-torch, --defaults, and --set or --config are five sources of the state:"
            " choose one; --missing and --trust are for files of flags, and --torch is neither for --live nor"
            " for --defaults"
        )
    if pins and not live:
        raise InvalidValueError("--pins is for --live")
    if live:
        state = live_state(MODULES if everything else (), pins=pins)
    elif other:
        at = options.release(torch)
        source = options.config_of(other, at) or other
        reading = read_state(source, at, sources.missing or "warn", trust=sources.trust)
        complain("warning", *reading.warnings)
        state = with_defaults(reading.state) if everything else reading.state
    elif blob:
        state = _converted(blob, options.release(torch), everything=everything)
    elif defaults:
        state = default_state(defaults).state
    else:
        reading = check_conflicts(sources.read(options.release(torch)))
        state = options.state_of(reading, MODULES if everything else ())
    document = saved_document(state, DEFAULT | set(ignore), everything=everything)
    write_document(out, document)
    complain("warning", *lost_objects(state, DEFAULT - set(ignore)))
    count = len(document["flags"])
    complain("note", f"{out}: {count} {'flag' if count == 1 else 'flags'} of torch {state.release.version}")


def _converted(blob: Path, at: Release, *, everything: bool) -> State:
    from dynconf.tools.pasted.torch_saved_config import read_saved_config

    reading, left_out = read_saved_config(blob, at, everything=everything)
    complain("note", *(f"{name} is left out: torch {at.version} has no such flag" for name in left_out))
    complain("warning", *reading.warnings)
    return reading.state
