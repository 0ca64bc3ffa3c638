"""The options that several commands share, and what is read from them."""

from collections.abc import Iterable
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dynconf.cli.output import complain
from dynconf.release import Release

if TYPE_CHECKING:
    from dynconf.snapshot import Snapshot


class Format(str, Enum):
    """The format of a result."""

    text = "text"
    json = "json"


class MissingPolicy(str, Enum):
    """What to do about flags of a file that the release does not have."""

    error = "error"
    warn = "warn"
    skip = "skip"


FormatOption = Annotated[Format, typer.Option("--format", help="How to print the result.")]
TorchOption = Annotated[
    str | None,
    typer.Option("--torch", metavar="RELEASE", help="The torch release; by default the one installed."),
]
LiveOption = Annotated[bool, typer.Option("--live", help="Import torch and read its config modules.")]
SetOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="FLAG=VALUE", help="Set a flag; overrides environment and files."),
]
ConfigOption = Annotated[
    Path | None, typer.Option("--config", metavar="FILE", help="A settings file or a saved state to read.")
]
MissingOption = Annotated[
    MissingPolicy | None,
    typer.Option("--missing", help="What to do about flags in a file that the release lacks."),
]


def release(torch: str | None) -> Release:
    """Return the release that ``--torch`` names, else the one at hand.

    Raises:
        InvalidValueError: The catalogue does not cover it.
    """
    at = Release.at_hand() if torch is None else Release.named(torch)
    if at.source == "newest":
        complain("note", f"no torch is installed: this is for torch {at.version}, the newest that is known")
    return at


def state(
    at: Release, options: list[str] | None, config: Path | None, missing: MissingPolicy | None
) -> "Snapshot":
    """Return what dynconf would put in force, all modules together; its warnings go to stderr.

    Raises:
        DynconfError: A source holds a mistake.
    """
    from dynconf.snapshot import effective
    from dynconf.sources.calls import read_options
    from dynconf.sources.merge import gather

    whole = gather(
        at, read_options(options or [], at), config=config, missing=missing.value if missing else None
    )
    for note in whole.notes:
        complain("warning", note)
    return effective(at, whole)


def live_state(patterns: Iterable[str] = ()) -> "Snapshot":
    """Return what is in force in this process: all of dynamo, of other modules what is set or matches."""
    from dynconf.snapshot import snapshot

    return snapshot()
