"""The options that several commands share, and what is read from them."""

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Literal

from dynconf.cli.output import complain
from dynconf.cli.parser import option
from dynconf.flags.flag import BARE_MODULE
from dynconf.release import Release
from dynconf.snapshot import with_defaults
from dynconf.sources.calls import read_options
from dynconf.sources.gather import check_conflicts, gather
from dynconf.sources.missing import Missing
from dynconf.sources.reading import Reading
from dynconf.state import State

FORMAT = option("-f --format", "How to print the result.")
Format = Annotated[Literal["text", "json"], FORMAT]

Torch = Annotated[
    str | None, option("-t --torch RELEASE", "The torch release; by default the one installed.")
]
Live = Annotated[bool, option("-l --live", "Import torch and read its config modules.")]
Config = Annotated[Path | None, option("--config FILE", "A settings file or a saved state to read.")]
Trust = Annotated[
    bool,
    option("--trust", "Accept every flag of a saved state, even those that run programs or write files."),
]
MISSING = option("--missing", "What to do about flags that the release lacks.")


@dataclass(frozen=True, slots=True)
class Sources:
    """The options that say what is set, beside the environment."""

    options: Annotated[
        list[str], option("-s --set FLAG=VALUE", "Set a flag; overrides environment and files.")
    ]
    config: Config
    missing: Annotated[Missing | None, MISSING]
    trust: Trust

    @property
    def are_given(self) -> bool:
        """Whether there is any of them."""
        return bool(self.options or self.config or self.missing or self.trust)

    def read(self, at: Release) -> Reading:
        """Return what is set for a release, with the mistakes of files and the environment.

        Raises:
            DynconfError: An option is wrong; the error lists all mistakes.
        """
        given = read_options(self.options, at)
        reading = gather(at, given, config=self.config, missing=self.missing, trust=self.trust, check=False)
        if given.errors:
            reading.checked()
        return reading

    def state(self, at: Release) -> State:
        """Return what dynconf would put in force: all of dynamo, and of other modules what something sets.

        Raises:
            DynconfError: There is a mistake anywhere.
        """
        return state_of(check_conflicts(self.read(at)))


def release(torch: str | None) -> Release:
    """Return the release that ``--torch`` names, else the one at hand.

    Raises:
        InvalidValueError: The catalogue does not cover it.
    """
    at = Release.at_hand() if torch is None else Release.named(torch)
    if at.source == "newest":
        complain("note", f"no torch is installed: this is for torch {at.version}, the newest that is known")
    return at


def state_of(reading: Reading, modules: Iterable[str] = ()) -> State:
    """Return the same for a reading of all sources, with all of *modules*, and print its warnings."""
    complain("warning", *reading.warnings)
    return with_defaults(reading.state, tuple(dict.fromkeys((BARE_MODULE, *modules))))


def need_torch() -> None:
    """Raise ModuleNotFoundError at once if torch is not installed."""
    if "torch" not in sys.modules and find_spec("torch") is None:
        raise ModuleNotFoundError("torch is not installed", name="torch")
