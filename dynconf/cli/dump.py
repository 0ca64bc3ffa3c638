"""``dynconf dump``."""

from enum import Enum
from typing import Annotated

import typer

from dynconf import exports
from dynconf.cli.options import (
    ConfigOption,
    LiveOption,
    MissingOption,
    SetOption,
    TorchOption,
    live_state,
    release,
    state,
)
from dynconf.cli.output import print_export, print_json, print_table
from dynconf.errors import InvalidValueError
from dynconf.flags.types import shown
from dynconf.lint.marks import Mark, marks
from dynconf.saving import document
from dynconf.selection import select
from dynconf.snapshot import Snapshot


class DumpFormat(str, Enum):
    """The formats of a dump."""

    text = "text"
    json = "json"
    toml = "toml"
    env = "env"
    python = "python"


_EXPORTS = {"toml": exports.to_toml, "env": exports.to_shell, "python": exports.to_python}


def dump(
    patterns: Annotated[
        list[str] | None,
        typer.Argument(metavar="PATTERN", help="Flags to show: names, or globs such as 'functorch.*'."),
    ] = None,
    *,
    changed: Annotated[bool, typer.Option("--changed", help="Only flags that something sets.")] = False,
    everything: Annotated[
        bool, typer.Option("--all", help="Internal flags, no-ops and old names too.")
    ] = False,
    form: Annotated[DumpFormat, typer.Option("--format", help="How to print the result.")] = DumpFormat.text,
    torch: TorchOption = None,
    live: LiveOption = False,
    options: SetOption = None,
    config: ConfigOption = None,
    missing: MissingOption = None,
) -> None:
    """Print the effective config, and where each value came from.

    Shows the flags of dynamo, and those of other config modules that are set or that a PATTERN names. A value
    marked with ! is one that bare torch reads differently from the same environment. Does not import torch,
    except with --live.
    """
    if not live:
        at = release(torch)
        shown_state, differences = state(at, options, config, missing), marks(at)
    elif (torch, options, config, missing) == (None, None, None, None):
        shown_state, differences = live_state(patterns or ()), {}
    else:
        raise InvalidValueError(
            "--live reads the module as it is: it takes no --torch, --set, --config or --missing"
        )
    names = select(shown_state, patterns or (), changed=changed, everything=everything)
    if form is DumpFormat.text:
        _print_text(shown_state, names, differences)
    elif form is DumpFormat.json:
        facts = {name: mark.as_json() for name, mark in differences.items()}
        print_json(document(shown_state, names, facts))
    else:
        print_export(_EXPORTS[form.value](shown_state, names))


def _print_text(snapshot: Snapshot, names: list[str], differences: dict[str, Mark]) -> None:
    headers = ("flag", "value", "origin", "mark")
    columns = 4 if any(name in differences for name in names) else 3
    rows = [
        (
            name,
            shown(snapshot.values[name]),
            str(snapshot.origins[name]),
            f"! {differences[name]}" if name in differences else "",
        )[:columns]
        for name in names
    ]
    print_table(headers[:columns], rows)
