"""The options that several commands share, and what is read from them."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from dynconf.cli.output import complain
from dynconf.cli.parser import Option, option, repeatable, switch
from dynconf.release import Release
from dynconf.snapshot import Snapshot, effective

if TYPE_CHECKING:
    from dynconf.sources.layer import Missing

Format = Literal["text", "json"]


def format_option(*choices: str) -> Option:
    """Declare the option for the format of a result; the first choice is the default."""
    return option(
        "--format",
        choices=choices,
        default=choices[0],
        dest="form",
        help=f"How to print the result; by default, {choices[0]}.",
    )


FORMAT = format_option("text", "json")
TORCH = option("--torch", metavar="RELEASE", help="The torch release; by default the one installed.")
LIVE = switch("--live", "live", "Import torch and read its config modules.")
SET = repeatable("--set", "options", "FLAG=VALUE", "Set a flag; overrides environment and files.")
CONFIG = option("--config", metavar="FILE", type=Path, help="A settings file or a saved state to read.")
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
    modules: Iterable[str] = (),
) -> Snapshot:
    """Return what dynconf would put in force: all of dynamo, and of other modules that something sets.

    Args:
        at: The release.
        options: What ``--set`` says.
        config: What ``--config`` says.
        missing: What ``--missing`` says.
        modules: Further modules that are wanted, even if nothing sets a flag of them.

    Raises:
        DynconfError: A source holds a mistake.
    """
    from dynconf.sources.calls import read_options
    from dynconf.sources.merge import gather

    whole = gather(at, read_options(options, at), config=config, missing=missing)
    for note in whole.notes:
        complain("warning", note)
    wanted = ("dynamo", *modules, *(setting.module for setting in whole.values))
    return effective(at, whole, tuple(dict.fromkeys(wanted)))
