"""``dynconf save``."""

from dataclasses import replace
from pathlib import Path

from dynconf.cli.options import CONFIG, LIVE, MISSING, SET, TORCH, TRUST, need_torch, release, state
from dynconf.cli.output import complain
from dynconf.cli.parser import option, repeatable, switch
from dynconf.errors import InvalidValueError
from dynconf.ignore import DEFAULT
from dynconf.release import Release
from dynconf.saving import saved_document, write_document
from dynconf.selection import live as live_state
from dynconf.selection import select
from dynconf.snapshot import Snapshot
from dynconf.sources.layer import Missing

OPTIONS = (
    option(
        "out",
        metavar="OUT",
        type=Path,
        help="The file to write: .json, .toml, or - for stdout.",
        values="file",
    ),
    LIVE,
    option(
        "--from-torch",
        metavar="BLOB",
        type=Path,
        dest="blob",
        help="Convert what torch's own save_config() wrote.",
        values="file",
    ),
    switch("-a", "--all", parameter="everything", text="Flags that nothing sets, too."),
    repeatable(
        "--ignore", parameter="ignore", metavar="FLAG", text="Leave out this flag as well.", values="flag"
    ),
    TORCH,
    SET,
    CONFIG,
    MISSING,
    TRUST,
)
EXAMPLES = ("dynconf save state.json", "dynconf save state.json --set recompile_limit=64 --all")


def save(
    *,
    out: Path,
    live: bool,
    blob: Path | None,
    everything: bool,
    ignore: list[str],
    torch: str | None,
    options: list[str],
    config: Path | None,
    missing: Missing | None,
    trust: bool,
) -> None:
    """Save the current settings to a file.

    The file is for `dynconf.load`, `dynconf diff` and --config. It contains every flag that something sets,
    except those that are internal to torch, tied to this machine, or for torch's tests. Does not import
    torch, except with --live.
    """
    others = bool(options or config or missing or trust)
    if (live and (others or torch or blob)) or (blob and others):
        raise InvalidValueError(
            "--live, --from-torch, and --set, --config, --missing or --trust are three ways to say what to"
            " save: choose one"
        )
    if live:
        need_torch("save --live")
        snapshot = live_state()
    elif blob:
        snapshot = _converted(blob, release(torch), everything=everything)
    else:
        snapshot = state(release(torch), options, config, missing, trust=trust)
        names = select(snapshot, everything=True)  # of other modules only what is set
        snapshot = replace(snapshot, values={name: snapshot.values[name] for name in names})
    document = saved_document(snapshot, DEFAULT | set(ignore), everything=everything)
    write_document(out, document)
    count = len(document["flags"])
    complain("note", f"{out}: {count} {'flag' if count == 1 else 'flags'} of torch {snapshot.torch}")


def _converted(blob: Path, at: Release, *, everything: bool) -> Snapshot:
    from dynconf.torch_blob import convert

    converted = convert(blob, at, everything=everything)
    for name in converted.left_out:
        complain("note", f"{name} is left out: torch {at.version} has no such flag")
    for warning in converted.warnings:
        complain("warning", warning)
    return converted.snapshot
