"""The options that several commands share, and reading the settings that they name."""

import sys
from collections.abc import Callable
from functools import partial, wraps
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple, get_args

import click

from dynconf.cli import completion
from dynconf.cli.output import complain
from dynconf.release import Release
from dynconf.sources.calls import read_options
from dynconf.sources.files import Document
from dynconf.sources.gather import gather
from dynconf.sources.reading import Reading
from dynconf.state import Missing

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
Words = tuple[str, ...]
"""The values of an argument or an option that may be repeated."""

# click's own type for paths looks at the file while it parses; a command says why it cannot use a file.
FILE: Any = {"type": Path, "metavar": "FILE", "shell_complete": completion.files}
RELEASE: Any = {"metavar": "RELEASE", "shell_complete": completion.releases}
BACKEND: Any = {"metavar": "BACKEND", "shell_complete": completion.backends}
DEVICE: Any = {"metavar": "DEVICE", "shell_complete": completion.devices}
FLAG: Any = {"metavar": "FLAG", "shell_complete": completion.flags}

torch = click.option("-t", "--torch", **RELEASE, help="The torch release; by default, the one installed.")
live = click.option(
    "-l", "--live", is_flag=True, help="Import torch and read its live flags, without your settings."
)
config = click.option("--config", **FILE, help="Settings, a saved state, a script or a report to read.")
missing = click.option(
    "--missing", type=click.Choice(get_args(Missing)), help="How to treat flags that the release lacks."
)
trust = click.option("--trust", is_flag=True, help="Allow harmful flags in a file that you name.")
everything = partial(click.option, "-a", "--all", "everything", is_flag=True)
output = partial(click.option, "-o", "--output", **FILE)


def repeatable(*names: str, **settings: Any) -> Decorator:
    """Declare an option that may be given more than once, with its help."""
    settings["help"] += " Repeatable."
    return click.option(*names, multiple=True, **settings)


assignments = partial(repeatable, metavar="FLAG=VALUE", shell_complete=completion.assignments)


def output_format(*others: str) -> Decorator:
    """Declare ``--format`` with the choices text, json and *others*."""
    names, choices = ("-f", "--format", "output_format"), click.Choice(("text", "json", *others))
    return click.option(*names, type=choices, default="text", help="The format of the result.")


class Sources(NamedTuple):
    """The options that decide, together with the environment, which settings are in force."""

    assignments: Words
    config: Path | str | Document | None
    missing: Missing | None
    trust: bool

    @property
    def are_given(self) -> bool:
        """Whether any of the options is given."""
        return bool(self.assignments or self.config or self.missing or self.trust)

    def read(self, at: Release) -> Reading:
        """Read all sources, with the mistakes of files and the environment; one in --set is raised."""
        options, config = read_options(self.assignments, at), config_of(self.config, at)
        reading = gather(at, options, config=config, missing=self.missing, trust=self.trust, check=False)
        if options.errors:
            reading.checked()
        return reading


def sources(function: Callable[..., Any]) -> Callable[..., Any]:
    """Declare the options of `Sources`, and pass them to *function* together, as ``sources``."""

    @assignments("-s", "--set", "assignments", help="Set a flag; overrides environment and files.")
    @config
    @missing
    @trust
    @wraps(function)
    def with_sources(**values: Any) -> Any:
        own = {name: values.pop(name) for name in Sources._fields}
        return function(sources=Sources(**own), **values)

    return with_sources


def config_of(path: Path | str | Document | None, at: Release) -> str | Path | Document | None:
    """Return the file of --config; a script, a report or another text that people paste as a document."""
    if not isinstance(path, Path) or path.suffix == ".toml":
        return path
    from dynconf.tools.pasted.pasted import opened, switches_in

    document = opened(path, at, partial(complain, "warning"))
    complain("warning", *switches_in(document))
    return document


def release(torch: str | None) -> Release:
    """Return the release that ``--torch`` names, else the current one."""
    at = Release.at_hand() if torch is None else Release.named(torch)
    if at.source == "newest":
        complain("note", f"no torch is installed: this is for torch {at.version}, the newest that is known")
    return at


def need_torch() -> None:
    """Raise ModuleNotFoundError at once if torch is not installed."""
    if "torch" not in sys.modules and find_spec("torch") is None:
        raise ModuleNotFoundError("torch is not installed", name="torch")
