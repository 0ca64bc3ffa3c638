"""``dynconf dump``."""

import os
from collections.abc import Mapping
from dataclasses import replace

import click

from dynconf.catalogue.catalogue import Setting
from dynconf.catalogue.flags.flag import BARE_MODULE
from dynconf.catalogue.names import find, newest_module, with_former_modules
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
from dynconf.errors import DynconfError, InvalidValueError, StateFileError
from dynconf.release import Release
from dynconf.sources.environment import TorchReading
from dynconf.sources.gather import check_conflicts
from dynconf.sources.reading import Reading
from dynconf.state import SettingValue, State
from dynconf.store.snapshot import live_state, with_settings
from dynconf.tools.lint.bare_torch import bare_torch_values
from dynconf.tools.lint.misspelling import misspelling_findings
from dynconf.tools.show.selection import by_topic, modules_named, select

_ORIGIN_STYLES = {"default": "dim", "forced": "bold red"}
"""Colors of origins; any other means that something sets the flag: users look for those."""

_ONLY_WITH_DYNCONF = "! in force only with dynconf.install() or dynconf run"


@click.command(
    cls=Command,
    examples=(
        "dynconf dump",
        "dynconf dump '*limit*' --torch 2.6",
        "dynconf dump --format toml",
        "dynconf dump verbose --live",
    ),
)
@click.argument("patterns", metavar="[PATTERN]...", nargs=-1, shell_complete=completion.flags)
@click.option("-c", "--changed", is_flag=True, help="Of the flags of a PATTERN, only those that are set.")
@options.everything(help="Include defaults, internal flags and no-ops.")
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

    Shows the flags that are set, with --all every flag of dynamo, or those that a PATTERN names: a flag, or a
    glob such as 'functorch.*'. A mark (!) shows the value that a program without dynconf gets, where it
    differs, or why a value is rejected (exit 2). Does not import torch, except with --live.
    """
    modules = with_former_modules(modules_named(patterns))
    if live and (torch is not None or sources.are_given):
        raise InvalidValueError(
            "--live reads the module as it is: it takes no --torch, --set, --config, --missing or --trust"
        )
    mistakes: dict[Setting, str] = {}
    bare: dict[Setting, TorchReading] = {}
    if live:
        reading = Reading(live_state(modules))
        state = reading.state
    else:
        at = options.release(torch)
        reading = _read(at, sources)
        mistakes = _mistakes(reading)
        named = [find(pattern, at) for pattern in patterns]
        if named and all(named):
            complain("warning", *reading.warnings)
            state = with_settings(reading.state, (*filter(None, named), *mistakes))
        else:
            state = options.state_of(reading, (*modules, *(setting.module for setting in mistakes)))
        bare = bare_torch_values(reading.state)
        _warn_of_variables(at)
    whole, changed = state, changed or not (patterns or everything)
    state = select(whole, patterns, changed=changed, everything=everything, extra={*mistakes, *bare})
    if output_format == "text":
        marks = {each: _bare_mark(each, found) for each, found in bare.items()}
        _print_text(state, {**marks, **mistakes}, topics=topics)
        if not bare.keys().isdisjoint(reading.state.keys() & state.keys()):
            print_line(Styled(_ONLY_WITH_DYNCONF, "yellow"))
        if changed and not patterns:
            _print_count(whole, state)
    elif output_format == "json":
        from dynconf.store.saving import document

        facts = {each.newest: found.as_json(each) for each, found in bare.items()}
        facts |= {each.newest: {"error": mistake} for each, mistake in mistakes.items()}
        print_json(document(state, facts))
    else:
        from dynconf.tools.show.exports import to_python, to_shell, to_toml

        reading.checked()
        print_export({"toml": to_toml, "env": to_shell, "python": to_python}[output_format](state))
    complain_of(reading.errors)
    return 2 if reading.errors else 0


def _read(at: Release, sources: Sources) -> Reading:
    """Read all sources, and judge the rules over several flags; an unreadable file is raised."""
    reading = sources.read(at)
    if any(isinstance(error, StateFileError) and not error.flag for error in reading.errors):
        reading.checked()
    try:
        return check_conflicts(reading)
    except DynconfError as error:
        return Reading(reading.state, error.errors, reading.warnings)


def _mistakes(reading: Reading) -> dict[Setting, str]:
    """Return the settings that have a wrong value somewhere, with the reason."""
    return {
        setting: str(error).removeprefix(f"{error.flag}: ")
        for error in reading.errors
        if error.flag and (setting := find(error.flag, reading.state.release))
    }


def _warn_of_variables(at: Release) -> None:
    found = [each.variable or "" for each in misspelling_findings(os.environ, at) if each.level != "note"]
    if found:
        complain("warning", f"nothing reads {', '.join(found)}: run `dynconf check`")


def _bare_mark(setting: Setting, found: TorchReading) -> str:
    """Return the value that bare torch gives a flag, in words."""
    return f"bare torch: {found.error}" if found.error else f"bare torch reads {setting.text(found.value)}"


def _print_text(state: State, marks: Mapping[Setting, str], *, topics: bool) -> None:
    if not state:
        print("nothing is set")
        return
    headers = ("flag", "value", "origin", "mark" if marks.keys() & state.keys() else "")
    groups = by_topic(state) if topics else {"": list(state)}
    for number, (topic, group) in enumerate(groups.items()):
        if topic:
            print("\n" * bool(number), end="")
            print_line(Styled(topic, "bold underline"))
        print_table(headers, [_row(each, state[each], marks.get(each, "")) for each in group], fixed=2)


def _print_count(whole: State, shown: State) -> None:
    """Print the number of dynamo's flags that are not in a table of those that are set."""
    rest = sum(newest_module(each) == BARE_MODULE and each not in shown for each in whole)
    text = f"{rest} {'other ' * bool(shown)}flags of dynamo have the default of torch {whole.release.version}"
    print_line(Styled(f"{text}; `dynconf dump --all` shows them", "dim"))


def _row(setting: Setting, entry: SettingValue, mark: str) -> tuple[str, ...]:
    # The key in a file is shown only if it is not the name of the flag, which is in the same row.
    key = entry.origin.name if entry.origin.name != setting.newest else None
    origin = replace(entry.origin, name=key) if entry.origin.kind == "file" else entry.origin
    return (
        Styled(setting.newest, "bold" if entry.is_set else ""),
        Styled(setting.text(entry.value), "green" if entry.is_set else ""),
        Styled(origin_text(origin), _ORIGIN_STYLES.get(entry.origin.kind, "cyan")),
        Styled(f"! {mark}" if mark else "", "yellow"),
    )
