"""``dynconf dump``."""

import os
from typing import Annotated, Literal

from dynconf.cli.options import FORMAT, Live, Sources, Torch, release, state_of
from dynconf.cli.output import (
    Styled,
    complain,
    complain_of,
    print_export,
    print_json,
    print_lines,
    print_table,
    said_of,
)
from dynconf.cli.parser import option
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

EXAMPLES = (
    "dynconf dump --changed",
    "dynconf dump '*limit*' --torch 2.6",
    "dynconf dump --changed --format toml",
    "dynconf dump verbose --live",
)

_ORIGIN_STYLES = {"default": "dim", "alias": "dim", "forced": "bold red"}
"""Colors of origins; any other means that something set the flag, which is what users look for."""


def dump(
    *,
    patterns: Annotated[
        list[str], option("PATTERN", "Flags to show: names, or globs such as 'functorch.*'.")
    ],
    changed: Annotated[bool, option("-c --changed", "Only flags that something sets.")],
    everything: Annotated[bool, option("-a --all", "Internal flags, no-ops and old names too.")],
    topics: Annotated[bool, option("--topic", "Group the flags by topic.")],
    form: Annotated[Literal["text", "json", "toml", "env", "python"], FORMAT] = "text",
    torch: Torch,
    live: Live,
    sources: Sources,
) -> int:
    """Print the effective config, and where each value came from.

    Shows the flags of dynamo, and those of other config modules that are set or that a PATTERN names. A mark
    (!) says what a program without dynconf gets, if that differs, or why a value is not accepted (exit 2).
    Does not import torch, except with --live.
    """
    modules = modules_named(patterns)
    if not live:
        at = release(torch)
        reading = _gathered(at, sources)
        wanted = (*modules, *(split(each.flag)[0] for each in reading.errors if each.flag))
        snapshot = state_of(at, reading, wanted)
        if form not in ("text", "json"):
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
    if form == "text":
        remarks = {name: str(mark) for name, mark in differences.items()} | wrong
        _print_text(snapshot, names, remarks, topics=topics)
    elif form == "json":
        from dynconf.saving import document

        facts = {name: mark.as_json() for name, mark in differences.items()}
        print_json(document(snapshot, names, facts | {name: {"error": text} for name, text in wrong.items()}))
    else:
        from dynconf.exports import to_python, to_shell, to_toml

        write = {"toml": to_toml, "env": to_shell, "python": to_python}[form]
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
            print_lines([*([[""]] if number else []), [Styled(topic, "bold underline")]])
        print_table(headers, [_row(entry, remarks)[:columns] for entry in group], fixed=2)


def _row(entry: Entry, remarks: dict[str, str]) -> tuple[str, ...]:
    remark = remarks.get(entry.name, "")
    return (
        Styled(entry.name, "bold" if entry.is_set else ""),
        Styled(entry.text, "green" if entry.is_set else ""),
        Styled(said_of(entry.origin), _ORIGIN_STYLES.get(entry.origin.kind, "cyan")),
        Styled(f"! {remark}" if remark else "", "yellow"),
    )
