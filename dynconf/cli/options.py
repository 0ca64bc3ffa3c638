"""The options that several commands share, and reading the settings that they name."""

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import wraps
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar, get_args

import click

from dynconf.cli import completion
from dynconf.cli.output import complain
from dynconf.release import Release
from dynconf.snapshot import Snapshot, effective
from dynconf.sources.calls import read_options
from dynconf.sources.gather import check_conflicts, gather
from dynconf.sources.missing import Missing
from dynconf.sources.reading import Reading

Function = TypeVar("Function", bound=Callable[..., Any])


# click's own type for paths looks at the file while it parses; a command reports why it cannot use one.
FILE: Any = {"type": Path, "shell_complete": completion.files}

RELEASE: Any = {"metavar": "RELEASE", "shell_complete": completion.releases}

torch = click.option(
    "-t", "--torch", **RELEASE, help="The torch release; by default, the one that is installed."
)
live = click.option("-l", "--live", is_flag=True, help="Import torch and read its config modules.")
config = click.option("--config", **FILE, metavar="FILE", help="A settings file or a saved state to read.")
trust = click.option(
    "--trust",
    is_flag=True,
    help="Accept every flag of a saved state, even those that run programs or write files.",
)


def everything(text: str) -> Callable[[Function], Function]:
    """Declare ``--all``, whose help is *text*."""
    return click.option("-a", "--all", "everything", is_flag=True, help=text)


def assignments(*names: str, text: str) -> Callable[[Function], Function]:
    """Declare an option for ``FLAG=VALUE``, which may be repeated and whose help is *text*."""
    return click.option(
        *names,
        multiple=True,
        metavar="FLAG=VALUE",
        shell_complete=completion.assignments,
        help=f"{text} Repeatable.",
    )


def output(text: str) -> Callable[[Function], Function]:
    """Declare ``--output``, whose help is *text*."""
    return click.option("-o", "--output", **FILE, metavar="FILE", help=text)


def missing(default: Missing | None = None) -> Callable[[Function], Function]:
    """Declare ``--missing``."""
    return click.option(
        "--missing",
        type=click.Choice(get_args(Missing)),
        default=default,
        show_default=default is not None,
        help="What to do about flags that the release lacks.",
    )


def output_format(*others: str) -> Callable[[Function], Function]:
    """Declare ``--format`` with the choices text, json and *others*."""
    return click.option(
        "-f",
        "--format",
        "output_format",
        type=click.Choice(("text", "json", *others)),
        default="text",
        show_default=True,
        help="How to print the result.",
    )


@dataclass(frozen=True, slots=True)
class Sources:
    """What --set, --config, --missing and --trust say; with the environment, it decides what is set."""

    assignments: tuple[str, ...]
    config: Path | None
    missing: Missing | None
    trust: bool

    @property
    def are_given(self) -> bool:
        """Whether any of the options is given."""
        return bool(self.assignments or self.config or self.missing or self.trust)

    def read(self, at: Release) -> Reading:
        """Return what is set for a release, with the mistakes of files and the environment.

        Raises:
            DynconfError: An option is wrong; the error lists all mistakes.
        """
        given = read_options(self.assignments, at)
        reading = gather(at, given, config=self.config, missing=self.missing, trust=self.trust, check=False)
        if given.errors:
            reading.checked()
        return reading

    def state(self, at: Release) -> Snapshot:
        """Return what dynconf would put in force: all of dynamo, and of other modules what something sets.

        Raises:
            DynconfError: There is a mistake anywhere.
        """
        return state_of(at, check_conflicts(self.read(at)))


def sources(function: Callable[..., Any]) -> Callable[..., Any]:
    """Declare the options of `Sources`, and pass them to *function* together, as ``sources``."""

    @assignments("-s", "--set", "assignments", text="Set a flag; overrides environment and files.")
    @config
    @missing()
    @trust
    @wraps(function)
    def with_sources(
        assignments: tuple[str, ...],
        config: Path | None,
        missing: Missing | None,
        trust: bool,  # noqa: FBT001
        **others: Any,
    ) -> Any:
        return function(sources=Sources(assignments, config, missing, trust), **others)

    return with_sources


def release(torch: str | None) -> Release:
    """Return the release that ``--torch`` names, else the one at hand.

    Raises:
        InvalidValueError: The catalogue does not cover it.
    """
    at = Release.at_hand() if torch is None else Release.named(torch)
    if at.source == "newest":
        complain("note", f"no torch is installed: this is for torch {at.version}, the newest that is known")
    return at


def state_of(at: Release, reading: Reading, modules: Iterable[str] = ()) -> Snapshot:
    """Return the same for a reading of all sources, with all of *modules*, and print its warnings."""
    complain("warning", *reading.warnings)
    wanted = ("dynamo", *modules, *(setting.module for setting in reading.state))
    return effective(at, reading.state, tuple(dict.fromkeys(wanted)))


def need_torch() -> None:
    """Raise ModuleNotFoundError at once if torch is not installed."""
    if "torch" not in sys.modules and find_spec("torch") is None:
        raise ModuleNotFoundError("torch is not installed", name="torch")
