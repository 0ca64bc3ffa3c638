"""``dynconf dump``."""

import os

import click

from dynconf.cli import completion, options
from dynconf.cli.command import Command
from dynconf.cli.options import Sources, Words
from dynconf.cli.output import (
    Styled,
    complain,
    complain_of,
    origin_text,
    print_export,
    print_json,
    print_line,
    print_table,
)
from dynconf.entry import Entry
from dynconf.errors import DynconfError, InvalidValueError, StateFileError
from dynconf.lint.marks import marks
from dynconf.lint.misspelling import misspelling_findings
from dynconf.names import split
from dynconf.release import Release
from dynconf.selection import by_topic, modules_named, select
from dynconf.selection import live as live_state
from dynconf.snapshot import Snapshot
from dynconf.sources.gather import check_conflicts
from dynconf.sources.reading import Reading
from dynconf.state import State

_ORIGIN_STYLES = {"default": "dim", "alias": "dim", "forced": "bold red"}
"""Colors of origins; any other means that something set the flag, which is what users look for."""


@click.command(
    cls=Command,
    examples=(
        "dynconf dump --changed",
        "dynconf dump '*limit*' --torch 2.6",
        "dynconf dump --changed --format toml",
        "dynconf dump verbose --live",
    ),
)
@click.argument("patterns", metavar="[PATTERN]...", nargs=-1, shell_complete=completion.flags)
@click.option("-c", "--changed", is_flag=True, help="Only flags that something sets.")
@options.everything(help="Internal flags, no-ops and old names too.")
@click.option("--topic", "topics", is_flag=True, help="Group the flags by topic.")
@options.output_format("toml", "env", "python")
@options.torch
@options.live
@options.sources
def dump(
    *,
    patterns: Words,
    changed: bool,
    everything: bool,
    topics: bool,
    output_format: str,
    torch: str | None,
    live: bool,
    sources: Sources,
) -> int:
    """Print the effective config, and where each value came from.

    Shows the flags of dynamo, and those of other config modules that are set or that a PATTERN names: a flag,
    or a glob such as 'functorch.*'. A mark (!) says which value a program without dynconf gets, if that
    differs, or why a value is not accepted (exit 2). Does not import torch, except with --live.
    """
    modules = modules_named(patterns)
    if not live:
        at = options.release(torch)
        reading = _gathered(at, sources)
        wanted = (*modules, *(split(each.flag)[0] for each in reading.errors if each.flag))
        snapshot = options.state_of(at, reading, wanted)
        if output_format not in ("text", "json"):
            reading.checked()
        differences = marks(at, reading.state.bare_values())
        _warn_of_variables(at)
    elif torch is None and not sources.are_given:
        snapshot, differences = live_state(modules), {}
        reading = Reading(State(snapshot.release))
    else:
        raise InvalidValueError(
            "--live reads the module as it is: it takes no --torch, --set, --config, --missing or --trust"
        )
    wrong = {
        each.flag: str(each).removeprefix(f"{each.flag}: ")
        for each in reading.errors
        if each.flag is not None and each.flag in snapshot.values
    }
    names = select(snapshot, patterns, changed=changed, everything=everything)
    names += [] if patterns else [name for name in wrong if name not in names]
    if output_format == "text":
        remarks = {name: str(mark) for name, mark in differences.items()} | wrong
        _print_text(snapshot, names, remarks, topics=topics)
    elif output_format == "json":
        from dynconf.saving import document

        facts = {name: mark.as_json() for name, mark in differences.items()}
        print_json(document(snapshot, names, facts | {name: {"error": text} for name, text in wrong.items()}))
    else:
        from dynconf.exports import to_python, to_shell, to_toml

        write = {"toml": to_toml, "env": to_shell, "python": to_python}[output_format]
        print_export(write(snapshot, names))
    complain_of(reading.errors)
    return 2 if reading.errors else 0


def _gathered(at: Release, sources: Sources) -> Reading:
    """Return what is set, with the mistakes.

    Raises:
        DynconfError: An option is wrong, or a file cannot be read at all.
    """
    reading = sources.read(at)
    if any(isinstance(error, StateFileError) and not error.flag for error in reading.errors):
        reading.checked()
    try:
        return check_conflicts(reading)
    except DynconfError as error:
        return Reading(reading.state, error.errors, reading.warnings)


def _warn_of_variables(at: Release) -> None:
    found = [each.variable or "" for each in misspelling_findings(os.environ, at) if each.level != "note"]
    if found:
        count = "1 problem" if len(found) == 1 else f"{len(found)} problems"
        complain("warning", f"{count}: run `dynconf check` (nothing reads {', '.join(found)})")


def _print_text(snapshot: Snapshot, names: list[str], remarks: dict[str, str], *, topics: bool) -> None:
    if not names:
        print(f"nothing is set: every flag has the default of torch {snapshot.torch}")
        return
    columns = 4 if any(name in remarks for name in names) else 3
    headers = ("flag", "value", "origin", "mark")[:columns]
    entries = list(snapshot.entries(names))
    groups = by_topic(entries) if topics else {"": entries}
    for number, (topic, group) in enumerate(groups.items()):
        if topic:
            print("\n" * bool(number), end="")
            print_line(Styled(topic, "bold underline"))
        print_table(headers, [_row(entry, remarks)[:columns] for entry in group], fixed=2)


def _row(entry: Entry, remarks: dict[str, str]) -> tuple[str, ...]:
    remark = remarks.get(entry.name, "")
    return (
        Styled(entry.name, "bold" if entry.is_set else ""),
        Styled(entry.text, "green" if entry.is_set else ""),
        Styled(origin_text(entry.origin), _ORIGIN_STYLES.get(entry.origin.kind, "cyan")),
        Styled(f"! {remark}" if remark else "", "yellow"),
    )
