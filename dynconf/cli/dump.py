"""``dynconf dump``."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import click

from dynconf.catalogue.catalogue import Setting
from dynconf.catalogue.flags.flag import BARE_MODULE
from dynconf.catalogue.flags.types import is_same_value
from dynconf.catalogue.names import find, newest_module, with_former_modules
from dynconf.cli import completion, options
from dynconf.cli.command import command
from dynconf.cli.options import Sources, Words
from dynconf.cli.output import Styled, complain, complain_of, origin_text, print_json, print_line, print_table
from dynconf.errors import InvalidValueError, StateFileError
from dynconf.provenance import Origin
from dynconf.release import Release
from dynconf.sources.discovery import hidden_settings
from dynconf.sources.files import read_bytes
from dynconf.sources.gather import judge_rules
from dynconf.sources.reading import Reading
from dynconf.state import SettingValue, State
from dynconf.store.ignore import DEFAULT
from dynconf.store.saving import document, lost_objects, read_state, saved_document, write_document
from dynconf.store.snapshot import default_state, live_state, with_defaults, with_settings
from dynconf.store.writing import write
from dynconf.tools.lint.misspelling import misspelling_findings
from dynconf.tools.show.bare_torch import TorchReading, bare_torch_values
from dynconf.tools.show.selection import by_topic, modules_named, select

_ORIGIN_STYLES = {"default": "dim", "forced": "bold red"}
"""Colors of origins; any other means that something sets the flag: users look for those."""


@command(
    "dynconf dump",
    "dynconf dump '*limit*' --torch 2.6",
    "dynconf dump verbose --live",
    "dynconf dump -o state.json",
    "dynconf dump --from repro.py -o state.json",
    'eval "$(dynconf dump --format env)"',
)
@click.argument("patterns", metavar="[PATTERN]...", nargs=-1, shell_complete=completion.flags)
@click.option("--changed", is_flag=True, help="Of the flags that match PATTERN, show those that are set.")
@options.everything(help="Include defaults, internal flags and no-ops, of every config module.")
@click.option("--topic", "topics", is_flag=True, help="Group the flags by topic.")
@options.output_format("toml", "env", "fish", "python")
@options.output(help="Write to a file: a saved state, settings if it ends in .toml, or the given format.")
@options.live
@click.option("--from", "other", **options.FILE, help="Read a script, report or state, and nothing else.")
@click.option("--defaults", **options.RELEASE, help="Show every default of this torch release.")
@click.option("--pins", is_flag=True, help="With --live, include overrides that equal torch's default.")
@options.repeatable("--ignore", **options.FLAG, help="Leave this flag out of a saved state.")
@options.torch
@options.sources
def dump(
    *,
    patterns: Words,
    changed: bool,
    everything: bool,
    topics: bool,
    output_format: str,
    output: Path | None,
    live: bool,
    other: Path | None,
    defaults: str | None,
    pins: bool,
    ignore: Words,
    torch: str | None,
    sources: Sources,
) -> int:
    """Shows the flags that are set, every flag with --all, or those that match a PATTERN: a flag, or a glob
    such as 'functorch.*'. A mark (!) shows the value that a program without dynconf gets, if it differs, or
    why a value is rejected (exit 2). Only --live imports torch.

    The formats env and fish print lines for a shell, with torch's own variables where there are any. A value
    that a format cannot express is named on stderr. The file of --output (- for stdout) is a saved state,
    which --config and dynconf.load read; flags that are internal to torch, tied to this machine, or for
    torch's tests are left out of it. --from also reads what torch's own save_config() wrote.
    """
    given = sources.assignments or sources.config if other else sources.are_given
    if sum(map(bool, (live, other, defaults, given))) > 1 or (torch and (live or defaults)) or pins > live:
        raise InvalidValueError(
            "--live, --from, --defaults, and --set or --config are four sources of the state: choose one;"
            " --missing and --trust are for files, --pins is for --live, and --torch is neither for --live"
            " nor for --defaults"
        )
    patterns = patterns or ("*",) * everything
    modules = with_former_modules(modules_named(patterns))
    marks: dict[Setting, str] = {}
    bare: dict[Setting, TorchReading] = {}
    if live:
        reading = Reading(live_state(modules, pins=pins))
    elif defaults:
        reading = Reading(default_state(defaults).state)
    elif other:
        reading = _read_alone(other, sources, options.release(torch))
    else:
        reading = _read(options.release(torch), sources)
        bare = bare_torch_values(reading.state)
        marks = _marks(reading, bare)
    complain("warning", *reading.warnings)
    whole = reading.state if live else _with_defaults(reading, patterns, modules)
    changed = changed or not (patterns or everything)
    state = select(whole, patterns, changed=changed, everything=everything, extra=marks)
    if output or output_format not in ("text", "json"):
        reading.checked()
        _export(state, output_format, output, ignore)
    elif output_format == "json":
        facts = {each.newest: found.as_json(each) for each, found in bare.items()}
        facts |= {each.newest: {"error": mistake} for each, mistake in _mistakes(reading).items()}
        print_json(document(state, facts))
    else:
        _print_text(state, marks, topics=topics)
        if not bare.keys().isdisjoint(reading.state.keys() & state.keys()):
            print_line(Styled("! in force only with dynconf.install() or dynconf run", "yellow"))
        if changed and not patterns:
            _print_count(whole, state)
    complain_of(reading.errors)
    return 2 if reading.errors else 0


def _with_defaults(reading: Reading, patterns: Words, modules: Sequence[str]) -> State:
    """Return the state with the defaults of the flags that are named, else all a pattern may match."""
    mistakes = _mistakes(reading)
    named = [find(pattern, reading.state.release) for pattern in patterns]
    if named and all(named):  # the catalogues of whole modules would take time
        return with_settings(reading.state, (*filter(None, named), *mistakes))
    others = (*modules, *(setting.module for setting in mistakes))
    return with_defaults(reading.state, tuple(dict.fromkeys((BARE_MODULE, *others))))


def _read(at: Release, sources: Sources) -> Reading:
    """Read all sources, and check the rules over several flags; an unreadable file raises an error."""
    reading = sources.read(at)
    if any(isinstance(error, StateFileError) and not error.flag for error in reading.errors):
        reading.checked()
    found = [each.variable or "" for each in misspelling_findings(os.environ, at) if each.level != "note"]
    if found:
        complain("warning", f"nothing reads {', '.join(found)}: run `dynconf check`")
    complain("note", *(each.warning for each in hidden_settings(os.environ, sources.config)))
    return judge_rules(reading)


def _read_alone(path: Path, sources: Sources, at: Release) -> Reading:
    """Read a file of any form, without environment and other files."""
    from dynconf.tools.pasted.torch_saved_config import PICKLE, read_saved_config

    if path.is_file() and read_bytes(str(path)).startswith(PICKLE):
        reading, left_out = read_saved_config(path, at)
        complain("note", *(f"{name} is left out: torch {at.version} has no such flag" for name in left_out))
        return reading
    source = options.config_of(path, at) or path
    return read_state(source, at, sources.missing or "warn", trust=sources.trust)


def _export(state: State, output_format: str, output: Path | None, ignore: Words) -> None:
    """Print a state in another language, or write it to a file; say what is not in there."""
    if output and output_format in ("text", "json", "toml"):
        document = saved_document(state, DEFAULT | set(ignore), everything=True)
        write_document(output, document, output_format.replace("text", ""))
        complain("warning", *lost_objects(state, DEFAULT - set(ignore)))
        count = len(document["flags"])
        flags = f"{count} flag{'s' * (count != 1)}"
        complain("note", f"{output}: {flags} of torch {state.release.version}")
        return
    from dynconf.tools.show.exports import EXPORTS

    export = EXPORTS[output_format](state)
    complain("note", *export.notes)
    if output:
        write(output, export.text)
    else:
        print(export.text, end="")


def _marks(reading: Reading, bare: Mapping[Setting, TorchReading]) -> dict[Setting, str]:
    """Return what is to be said of settings: what bare torch reads, what they beat, what is wrong."""
    marks = {each: found.mark(each) for each, found in bare.items()}
    for each, beaten in reading.beaten.items():
        lost = [entry for entry in beaten if not is_same_value(entry.value, reading.state.value(each))]
        beats = (f"beats {each.text(value)} ({_origin(each, origin)})" for value, origin in lost)
        marks[each] = "; ".join(filter(None, (marks.get(each), *beats)))
    return marks | _mistakes(reading)


def _mistakes(reading: Reading) -> dict[Setting, str]:
    """Return the settings that have a wrong value somewhere, with the reason."""
    return {
        setting: str(error).removeprefix(f"{error.flag}: ")
        for error in reading.errors
        if error.flag and (setting := find(error.flag, reading.state.release))
    }


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
    return (
        Styled(setting.newest, "bold" if entry.is_set else ""),
        Styled(setting.text(entry.value), "green" if entry.is_set else ""),
        Styled(_origin(setting, entry.origin), _ORIGIN_STYLES.get(entry.origin.kind, "cyan")),
        Styled(f"! {mark}" if mark else "", "yellow"),
    )


def _origin(setting: Setting, origin: Origin) -> str:
    """Return an origin as text; the key in a file only if it is not the flag's name, which the row has."""
    is_named = origin.kind == "file" and origin.name == setting.newest
    return origin_text(replace(origin, name=None) if is_named else origin)
