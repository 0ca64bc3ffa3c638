"""``dynconf save``."""

from pathlib import Path
from typing import Annotated

from dynconf.cli.options import Live, Sources, Torch, release
from dynconf.cli.output import complain
from dynconf.cli.parser import option
from dynconf.errors import InvalidValueError
from dynconf.ignore import DEFAULT
from dynconf.release import Release
from dynconf.saving import saved_document, write_document
from dynconf.selection import select
from dynconf.snapshot import live_state
from dynconf.state import State

EXAMPLES = ("dynconf save state.json", "dynconf save state.json --set recompile_limit=64 --all")


def save(
    *,
    out: Annotated[Path, option("OUT", "The file to write: .json, .toml, or - for stdout.")],
    live: Live,
    blob: Annotated[
        Path | None, option("--from-torch BLOB", "Convert what torch's own save_config() wrote.")
    ],
    everything: Annotated[bool, option("-a --all", "Flags that nothing sets, too.")],
    ignore: Annotated[list[str], option("--ignore FLAG", "Leave out this flag as well.")],
    torch: Torch,
    sources: Sources,
) -> None:
    """Save the current settings to a file.

    The file is for `dynconf.load`, `dynconf diff` and --config. It contains every flag that something sets,
    except those that are internal to torch, tied to this machine, or for torch's tests. Does not import
    torch, except with --live.
    """
    if (live and (sources.are_given or torch or blob)) or (blob and sources.are_given):
        raise InvalidValueError(
            "--live, --from-torch, and --set, --config, --missing or --trust are three ways to say what to"
            " save: choose one"
        )
    if live:
        state = live_state()
    elif blob:
        state = _converted(blob, release(torch), everything=everything)
    else:
        state = select(sources.state(release(torch)), everything=True)  # of other modules only what is set
    document = saved_document(state, DEFAULT | set(ignore), everything=everything)
    write_document(out, document)
    count = len(document["flags"])
    complain("note", f"{out}: {count} {'flag' if count == 1 else 'flags'} of torch {state.release.version}")


def _converted(blob: Path, at: Release, *, everything: bool) -> State:
    from dynconf.torch_saved_config import read_saved_config

    converted = read_saved_config(blob, at, everything=everything)
    for name in converted.left_out:
        complain("note", f"{name} is left out: torch {at.version} has no such flag")
    complain("warning", *converted.warnings)
    return converted.state
