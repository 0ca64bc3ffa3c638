"""``dynconf save``."""

import functools
from pathlib import Path
from typing import Annotated, Any

import typer

from dynconf.catalogue import FLAGS
from dynconf.catalogue.names import default_of
from dynconf.catalogue.record import Flag
from dynconf.cli.expected import ConfigOption, MissingChoice, SetOptions, TorchOption, expected, release
from dynconf.cli.output import complain
from dynconf.errors import InertFlagWarning, InvalidValueError, StateFileError, combined
from dynconf.provenance import Origin
from dynconf.sources.layer import LayerBuilder
from dynconf.state.ignore import DEFAULT
from dynconf.state.snapshot import Snapshot, effective, meant
from dynconf.state.store import saved_document, text_of, write
from dynconf.values import checker, same, shown
from dynconf.versions import AtHand


def save(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The JSON file to write.")],
    *,
    live: Annotated[
        bool, typer.Option("--live", help="Import torch and save its config module as it is.")
    ] = False,
    blob: Annotated[
        Path | None,
        typer.Option("--from-torch", metavar="BLOB", help="Convert what torch's own save_config() wrote."),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Flags that nothing sets too.")] = False,
    ignore: Annotated[
        list[str] | None,
        typer.Option("--ignore", metavar="FLAG", help="Leave this flag out, besides those left out anyway."),
    ] = None,
    torch: TorchOption = None,
    options: SetOptions = None,
    config: ConfigOption = None,
    missing: MissingChoice = None,
) -> None:
    """Save what dynconf would put in force, in a file that load, diff and --config read.

    Only what something sets is written, without what is torch's own, tied to this machine, or for torch's
    tests. Does not import torch, unless --live asks for it.
    """
    others = bool(options or config or missing)
    if (live and (others or torch or blob)) or (blob and others):
        raise InvalidValueError(
            "--live, --from-torch, and --set, --config or --missing are three ways to say what to save:"
            " choose one"
        )
    if live:
        from dynconf.live.snapshot import snapshot  # noqa: PLC0415  the one place where this imports torch

        state: Snapshot = snapshot()
    elif blob:
        state = _converted(blob, release(torch), everything=everything)
    else:
        state = expected(release(torch), options or [], config, missing)
    document = saved_document(state, DEFAULT | set(ignore or ()), everything=everything)
    write(out, text_of(document))
    count = len(document["flags"])
    complain("note", f"{out}: {count} {'flag' if count == 1 else 'flags'} of torch {state.torch}")


def _converted(path: Path, at: AtHand, *, everything: bool) -> Snapshot:
    """Return the state in a blob of torch's own; what equals the release's default counts as not set."""
    from dynconf.state.torch_blob import flags_of_blob  # noqa: PLC0415  the only use of pickle there is

    try:
        content = path.read_bytes()
    except OSError as problem:
        raise StateFileError(f"{path} cannot be read: {problem.strerror}") from None
    builder = LayerBuilder(at, missing="warn")
    for name, value in sorted(flags_of_blob(content, str(path)).items()):
        if name not in FLAGS:
            complain("note", f"{name} is left out: it is no flag that torch {at.version} has")
            continue
        origin = Origin("file", name, shown(value), str(path))
        builder.add(name, origin, functools.partial(_checked, name, value), value)
    layer = builder.done()
    if layer.errors:
        raise StateFileError(f"{path}: {combined(layer.errors)}", layer.errors)
    whole = effective(at, layer)
    kept = [
        name
        for name in whole.names_set()
        if everything or not same(whole.values[name], default_of(name, at.minor))
    ]
    for note in layer.notes:
        # The blob has every flag; a no-op one is worth a word only where someone has set it.
        if not isinstance(note, InertFlagWarning) or note.flag in kept:
            complain("warning", str(note))
    return Snapshot(
        at.version, {name: whole.values[name] for name in kept}, {name: whole.origins[name] for name in kept}
    )


def _checked(name: str, value: object, flag: Flag) -> Any:
    return checker(flag.type)(meant(name, value))
