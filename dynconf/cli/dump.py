"""``dynconf dump``."""

import os
from typing import Annotated, Literal

from dynconf.catalogue import Setting
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
from dynconf.errors import DynconfError, InvalidValueError, StateFileError
from dynconf.lint.marks import marks
from dynconf.lint.misspelling import misspelling_findings
from dynconf.names import find
from dynconf.release import Release
from dynconf.selection import by_topic, modules_named, select
from dynconf.snapshot import live_state
from dynconf.sources.gather import check_conflicts
from dynconf.sources.reading import Reading
from dynconf.state import SettingValue, State

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
        wrong = {find(each.flag, at): each for each in reading.errors if each.flag}
        state = state_of(reading, (*modules, *(each.module for each in wrong if each)))
        if form not in ("text", "json"):
            reading.checked()
        differences = marks(at, reading.state.bare_values())
        _warn_of_variables(at)
    elif torch is None and not sources.are_given:
        state, differences, wrong = live_state(modules), {}, {}
        reading = Reading(state)
    else:
        raise InvalidValueError(
            "--live reads the module as it is: it takes no --torch, --set, --config, --missing or --trust"
        )
    mistakes = {
        setting.newest: str(error).removeprefix(f"{error.flag}: ")
        for setting, error in wrong.items()
        if setting is not None and setting in state
    }
    extra = [setting for setting in wrong if setting is not None and setting in state]
    state = select(state, patterns, changed=changed, everything=everything, extra=extra)
    if form == "text":
        remarks = {name: str(mark) for name, mark in differences.items()} | mistakes
        _print_text(state, remarks, topics=topics)
    elif form == "json":
        from dynconf.saving import document

        facts = {name: mark.as_json() for name, mark in differences.items()}
        print_json(document(state, facts | {name: {"error": text} for name, text in mistakes.items()}))
    else:
        from dynconf.exports import to_python, to_shell, to_toml

        write = {"toml": to_toml, "env": to_shell, "python": to_python}[form]
        print_export(write(state))
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


def _print_text(state: State, remarks: dict[str, str], *, topics: bool) -> None:
    if not state:
        print(f"nothing is set: every flag has the default of torch {state.release.version}")
        return
    columns = 4 if any(setting.newest in remarks for setting in state) else 3
    headers = ("flag", "value", "origin", "mark")[:columns]
    groups = by_topic(state) if topics else {"": list(state)}
    for number, (topic, group) in enumerate(groups.items()):
        if topic:
            print_lines([*([[""]] if number else []), [Styled(topic, "bold underline")]])
        print_table(headers, [_row(each, state[each], remarks)[:columns] for each in group], fixed=2)


def _row(setting: Setting, entry: SettingValue, remarks: dict[str, str]) -> tuple[str, ...]:
    remark = remarks.get(setting.newest, "")
    return (
        Styled(setting.newest, "bold" if entry.is_set else ""),
        Styled(setting.text(entry.value), "green" if entry.is_set else ""),
        Styled(said_of(entry.origin), _ORIGIN_STYLES.get(entry.origin.kind, "cyan")),
        Styled(f"! {remark}" if remark else "", "yellow"),
    )
