"""``dynconf dump``."""

import os
from enum import Enum
from fnmatch import fnmatchcase
from typing import Annotated, Any

import typer

from dynconf.catalogue import FLAGS
from dynconf.catalogue.names import spelled, why_unknown
from dynconf.catalogue.value_types import Reference, SetOf
from dynconf.cli.expected import ConfigOption, MissingChoice, SetOptions, TorchOption, expected, release
from dynconf.cli.exports import print_exports, settable
from dynconf.cli.output import complain, print_json, print_table
from dynconf.errors import InvalidValueError, UnknownFlagError, combined
from dynconf.references import Named
from dynconf.sources.env import read_environment, torch_disagrees, torch_reading
from dynconf.sources.layer import merged
from dynconf.state.snapshot import Snapshot, effective
from dynconf.state.store import document, shown_as_json
from dynconf.values import shown
from dynconf.versions import AtHand

Marks = dict[str, dict[str, Any]]


class DumpFormat(str, Enum):
    """The forms of a dump."""

    text = "text"
    json = "json"
    toml = "toml"
    env = "env"
    python = "python"


def dump(
    patterns: Annotated[
        list[str] | None,
        typer.Argument(metavar="[PATTERN]...", help="Names or globs of flags; all where none is given."),
    ] = None,
    *,
    changed: Annotated[bool, typer.Option("--changed", help="Only flags that something sets.")] = False,
    everything: Annotated[
        bool, typer.Option("--all", help="Internal and no-op flags and old names too.")
    ] = False,
    form: Annotated[DumpFormat, typer.Option("--format", help="The form of the result.")] = DumpFormat.text,
    torch: TorchOption = None,
    live: Annotated[
        bool, typer.Option("--live", help="Import torch and read its config module itself.")
    ] = False,
    options: SetOptions = None,
    config: ConfigOption = None,
    missing: MissingChoice = None,
) -> None:
    """Print the effective config, and where each value came from. Does not import torch.

    A value marked with ! is one that bare torch would read differently from the same environment.
    """
    if live:
        if not (torch is None and options is None and config is None and missing is None):
            raise InvalidValueError(
                "--live reads the module as it is: it takes no --torch, --set, --config or --missing"
            )
        snapshot, marks = _live()
    else:
        at = release(torch)
        snapshot, marks = expected(at, options or [], config, missing), _marks(at)
    names = _selected(snapshot, patterns or [], everything=everything, changed=changed)
    PRINTERS[form](snapshot, names, marks)


def _marks(at: AtHand) -> Marks:
    """Return what bare torch makes of the environment, for each flag where that is not what dynconf does."""
    environment = effective(at, merged(read_environment(os.environ, at)))
    marks: Marks = {}
    for name, value in environment.values.items():
        flag = FLAGS[name]
        if flag.is_alias_in(at.minor):
            continue
        reading = torch_reading(flag, at.minor, os.environ)
        if torch_disagrees(flag, reading, value):
            marks[name] = (
                {"torch_error": reading.error}
                if reading.error
                else {"torch_reads": shown_as_json(name, reading.value)}
            )
    return marks


def _live() -> tuple[Snapshot, Marks]:
    from dynconf.live.snapshot import snapshot  # noqa: PLC0415  the one place where a dump imports torch

    return snapshot(), {}


def _selected(snapshot: Snapshot, patterns: list[str], *, everything: bool, changed: bool) -> list[str]:
    """Return the flags to show; a flag that is named outright, or that something sets, is never left out."""
    named = {spelled(pattern, snapshot.minor) for pattern in patterns}
    unmatched = [
        pattern
        for pattern in patterns
        if spelled(pattern, snapshot.minor) is None
        and not any(fnmatchcase(name, pattern) for name in snapshot.values)
    ]
    if unmatched:
        raise combined(
            [UnknownFlagError(why_unknown(each, snapshot.minor, snapshot.torch)) for each in unmatched]
        )
    names = []
    for name in snapshot.values:
        kind = snapshot.origins[name].kind
        is_set = kind not in ("default", "alias")
        if patterns and name not in named and not any(fnmatchcase(name, pattern) for pattern in patterns):
            continue
        if changed and not is_set:
            continue
        if everything or is_set or name in named or not _hidden(name, snapshot):
            names.append(name)
    return names


def _hidden(name: str, snapshot: Snapshot) -> bool:
    if snapshot.origins[name].kind == "alias":
        return True
    return name in FLAGS and FLAGS[name].status_in(snapshot.minor) in ("internal", "no-op")


def _print_text(snapshot: Snapshot, names: list[str], marks: Marks) -> None:
    rows = []
    for name in names:
        mark = marks.get(name, {})
        note = ""
        if "torch_error" in mark:
            note = f"! bare torch: {mark['torch_error']}"
        elif "torch_reads" in mark:
            note = f"! bare torch reads {shown(mark['torch_reads'])}"
        rows.append((name, shown(snapshot.values[name]), str(snapshot.origins[name]), note))
    if any(row[3] for row in rows):
        print_table(("flag", "value", "origin", "mark"), rows)
    else:
        print_table(("flag", "value", "origin"), [row[:3] for row in rows])


def _print_json(snapshot: Snapshot, names: list[str], marks: Marks) -> None:
    print_json(document(snapshot, names, marks))


def _print_toml(snapshot: Snapshot, names: list[str], _: Marks) -> None:
    import tomli_w  # noqa: PLC0415

    entries = {}
    for name, value in settable(snapshot, names).items():
        if _lost_in_toml(value):
            complain("note", f"{name} is left out: TOML cannot tell {shown(value)}")
        else:
            entries[name] = "none" if value is None else value
    print(tomli_w.dumps(entries), end="")


def _lost_in_toml(value: object, *, inside: bool = False) -> bool:
    """Tell whether TOML has no form for *value*: it lacks null, for which a word stands at the top."""
    if isinstance(value, dict):
        return any(_lost_in_toml(item, inside=True) for item in value.values())
    if isinstance(value, list):
        return any(_lost_in_toml(item, inside=True) for item in value)
    return value is None if inside else isinstance(value, str) and value.strip().lower() == "none"


def _print_env(snapshot: Snapshot, names: list[str], _: Marks) -> None:
    print_exports(snapshot, names)


def _print_python(snapshot: Snapshot, names: list[str], _: Marks) -> None:
    modules, lines = {"dynconf"}, []
    for name, data in settable(snapshot, names).items():
        value, type_ = repr(data), FLAGS[name].type
        if isinstance(type_, SetOf):
            names_objects = isinstance(type_.item, Reference)
            objects = [Named.parse(item) for item in data] if names_objects else []
            modules |= {each.module for each in objects}
            items = [f"{each.module}.{each.qualname}" for each in objects] or [repr(item) for item in data]
            value = f"{{{', '.join(items)}}}" if items else "set()"
        lines.append(f"    {name}={value},\n")
    imports = "".join(f"import {module}\n" for module in sorted(modules))
    print(f"{imports}\ndynconf.install(\n{''.join(lines)})")


PRINTERS = {
    DumpFormat.text: _print_text,
    DumpFormat.json: _print_json,
    DumpFormat.toml: _print_toml,
    DumpFormat.env: _print_env,
    DumpFormat.python: _print_python,
}
