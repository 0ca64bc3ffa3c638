"""What dynconf would put in force, for the commands that ask without importing torch."""

from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from dynconf.cli.output import complain
from dynconf.sources.gathering import gather
from dynconf.sources.keywords import read_options
from dynconf.state.snapshot import Snapshot, effective
from dynconf.versions import AtHand, asked, at_hand


class MissingOption(str, Enum):
    """What to do about flags of a file that the release does not have."""

    error = "error"
    warn = "warn"
    skip = "skip"


TorchOption = Annotated[
    str | None,
    typer.Option("--torch", metavar="RELEASE", help="The release; else the one at hand."),
]
SetOptions = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="FLAG=VALUE", help="Set a flag; beats environment and files."),
]
ConfigOption = Annotated[
    Path | None, typer.Option("--config", metavar="FILE", help="A file of settings or a saved state.")
]
MissingChoice = Annotated[
    MissingOption | None,
    typer.Option("--missing", help="What to do about flags of a file that the release lacks."),
]


def release(torch: str | None) -> AtHand:
    """Return the release that was asked for, else the one at hand.

    Raises:
        InvalidValueError: The catalogue has nothing on it.
    """
    at = at_hand() if torch is None else asked(torch)
    if at.source == "newest":
        complain("note", f"no torch is installed: this is for torch {at.version}, the newest that is known")
    return at


def expected(
    at: AtHand, options: list[str], config: Path | None, missing: MissingOption | None = None
) -> Snapshot:
    """Return what dynconf would put in force; what it would warn of is said.

    Raises:
        DynconfError: A source holds a mistake.
    """
    given = read_options(options, at)
    whole = gather(at, given, config=config, missing=missing.value if missing else None)
    for note in whole.notes:
        complain("warning", str(note))
    return effective(at, whole)
