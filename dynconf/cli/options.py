"""The options that several commands share, and what is read from them."""

import sys
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from dynconf.cli.output import complain
from dynconf.cli.parser import Option, option, repeatable, switch
from dynconf.errors import InvalidValueError
from dynconf.release import Release
from dynconf.snapshot import Snapshot, effective

if TYPE_CHECKING:
    from dynconf.sources.layer import Layer, Missing

Format = Literal["text", "json"]


def format_option(*choices: str) -> Option:
    """Declare the option for the format of a result; the first choice is the default."""
    return option(
        "-f",
        "--format",
        choices=choices,
        default=choices[0],
        dest="form",
        help=f"How to print the result; by default, {choices[0]}.",
    )


FORMAT = format_option("text", "json")
TORCH = option(
    "-t",
    "--torch",
    metavar="RELEASE",
    help="The torch release; by default the one installed.",
    values="release",
)
LIVE = switch("-l", "--live", parameter="live", text="Import torch and read its config modules.")
SET = repeatable(
    "-s",
    "--set",
    parameter="options",
    metavar="FLAG=VALUE",
    text="Set a flag; overrides environment and files.",
    values="assignment",
)
CONFIG = option(
    "--config", metavar="FILE", type=Path, help="A settings file or a saved state to read.", values="file"
)
TRUST = switch(
    "--trust",
    parameter="trust",
    text="Accept every flag of a saved state, even those that run programs or write files.",
)
MISSING = option(
    "--missing", choices=("error", "warn", "skip"), help="What to do about flags that the release lacks."
)


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
    at: Release,
    options: list[str],
    config: Path | None,
    missing: "Missing | None",
    *,
    trust: bool = False,
) -> Snapshot:
    """Return what dynconf would put in force: all of dynamo, and of other modules that something sets.

    Args:
        at: The release.
        options: What ``--set`` says.
        config: What ``--config`` says.
        missing: What ``--missing`` says.
        trust: What ``--trust`` says.

    Raises:
        DynconfError: A source contains a mistake.
    """
    from dynconf.sources.calls import read_options
    from dynconf.sources.merge import gather

    whole = gather(at, read_options(options, at), config=config, missing=missing, trust=trust)
    return state_of(at, whole)


def state_of(at: Release, layer: "Layer", modules: Iterable[str] = ()) -> Snapshot:
    """Return the same for a layer that was gathered already, and print its warnings.

    Args:
        at: The release.
        layer: What is set.
        modules: Further modules to include, even if nothing sets a flag of them.
    """
    for note in layer.notes:
        complain("warning", note)
    wanted = ("dynamo", *modules, *(setting.module for setting in layer.values))
    return effective(at, layer, tuple(dict.fromkeys(wanted)))


def need_torch(command: str) -> None:
    """Raise InvalidValueError if torch is not installed, because *command* needs it."""
    if "torch" not in sys.modules and find_spec("torch") is None:
        raise InvalidValueError(f"dynconf {command} needs torch, which is not installed: pip install torch")
