"""``dynconf dump``."""

from pathlib import Path

from dynconf.cli.options import CONFIG, LIVE, MISSING, SET, TORCH, format_option, release, state
from dynconf.cli.output import print_export, print_json, print_table
from dynconf.cli.parser import option, switch
from dynconf.errors import InvalidValueError
from dynconf.flags.types import shown
from dynconf.lint.marks import Mark, marks
from dynconf.selection import live as live_state
from dynconf.selection import modules_named, select
from dynconf.snapshot import Snapshot
from dynconf.sources.layer import Missing

OPTIONS = (
    option(
        "patterns", metavar="PATTERN", nargs="*", help="Flags to show: names, or globs such as 'functorch.*'."
    ),
    switch("--changed", "changed", "Only flags that something sets."),
    switch("--all", "everything", "Internal flags, no-ops and old names too."),
    format_option("text", "json", "toml", "env", "python"),
    TORCH,
    LIVE,
    SET,
    CONFIG,
    MISSING,
)


def dump(
    *,
    patterns: list[str],
    changed: bool,
    everything: bool,
    form: str,
    torch: str | None,
    live: bool,
    options: list[str],
    config: Path | None,
    missing: Missing | None,
) -> None:
    """Print the effective config, and where each value came from.

    Shows the flags of dynamo, and those of other config modules that are set or that a PATTERN names. A value
    marked with ! is one that bare torch reads differently from the same environment. Does not import torch,
    except with --live.
    """
    modules = modules_named(patterns)
    differences: dict[str, Mark] = {}
    if not live:
        at = release(torch)
        snapshot, differences = state(at, options, config, missing, modules=modules), marks(at)
    elif torch is None and config is None and missing is None and not options:
        snapshot = live_state(modules)
    else:
        raise InvalidValueError(
            "--live reads the module as it is: it takes no --torch, --set, --config or --missing"
        )
    names = select(snapshot, patterns, changed=changed, everything=everything)
    if form == "text":
        _print_text(snapshot, names, differences)
    elif form == "json":
        from dynconf.saving import document

        facts = {name: mark.as_json() for name, mark in differences.items()}
        print_json(document(snapshot, names, facts))
    else:
        from dynconf.exports import to_python, to_shell, to_toml

        write = {"toml": to_toml, "env": to_shell, "python": to_python}[form]
        print_export(write(snapshot, names))


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
