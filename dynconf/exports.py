"""A state in the languages that can set it: lines for a shell, a TOML file, a Python program."""

import shlex
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from dynconf.catalogue import Setting
from dynconf.flags.types import Mismatch, Named, SetOf, same, shown
from dynconf.modules import catalogue
from dynconf.snapshot import Snapshot
from dynconf.sources.environment import text_for


@dataclass(frozen=True, slots=True)
class Export:
    """A state as text, and what could not be written.

    Attributes:
        text: The text, with a line break at the end of each line.
        notes: One sentence for each flag that was left out, with the reason.
    """

    text: str
    notes: tuple[str, ...] = ()


def to_shell(snapshot: Snapshot, names: Iterable[str]) -> Export:
    """Return the lines with which a POSIX shell sets these flags.

    torch's own variable is preferred, so that bare torch sees the value too; a variable that would get in the
    way is unset.

    Args:
        snapshot: The state.
        names: The flags, by their names in the snapshot.
    """
    notes: list[str] = []
    lines: list[str] = []
    for setting, value, _ in _settable(snapshot, names, notes):
        found = _shell_lines(setting, value)
        lines += found
        if not found:
            notes.append(f"{setting.qualified} is left out: no variable can express {shown(value)}")
    return Export("".join(f"{line}\n" for line in lines), tuple(notes))


def to_toml(snapshot: Snapshot, names: Iterable[str]) -> Export:
    """Return these flags as a ``dynconf.toml``, those of modules other than dynamo in tables.

    Args:
        snapshot: The state.
        names: The flags, by their names in the snapshot.
    """
    import tomli_w

    notes: list[str] = []
    tables: dict[str, Any] = {}
    for setting, _, data in _settable(snapshot, names, notes):
        if _is_lost_in_toml(data):
            notes.append(f"{setting.qualified} is left out: TOML cannot express {shown(data)}")
        else:
            table = tables if setting.module == "dynamo" else tables.setdefault(setting.module, {})
            table[setting.name] = "none" if data is None else data
    return Export(tomli_w.dumps(tables), tuple(notes))


def to_python(snapshot: Snapshot, names: Iterable[str]) -> Export:
    """Return a program that installs these flags.

    Args:
        snapshot: The state.
        names: The flags, by their names in the snapshot.
    """
    notes: list[str] = []
    imports = {"dynconf"}
    keywords: dict[str, str] = {}
    others: dict[str, list[str]] = {}
    for setting, _, data in _settable(snapshot, names, notes):
        literal = _literal(setting, data, imports)
        if setting.module == "dynamo":
            keywords[setting.name] = literal
        else:
            others.setdefault(setting.module, []).append(f"{setting.name!r}: {literal}")
    keywords |= {module: f"{{{', '.join(items)}}}" for module, items in others.items()}
    lines = "".join(f"    {name}={literal},\n" for name, literal in keywords.items())
    header = "".join(f"import {module}\n" for module in sorted(imports))
    return Export(f"{header}\ndynconf.install(\n{lines})\n", tuple(notes))


def _settable(
    snapshot: Snapshot, names: Iterable[str], notes: list[str]
) -> Iterator[tuple[Setting, Any, Any]]:
    """Yield the settings that a user can set, with their values and the values as data; note the others."""
    for entry in snapshot.entries(names):
        if entry.origin.kind == "alias":
            continue
        if entry.setting is None or not entry.setting.public:
            notes.append(f"{entry.name} is left out: it is internal to torch")
            continue
        try:
            data = entry.setting.type.to_data(entry.meaning)
        except Mismatch as problem:
            notes.append(f"{entry.name} is left out: {problem}")
            continue
        yield entry.setting, entry.meaning, data


def _shell_lines(setting: Setting, value: Any) -> list[str]:
    """Return the lines of a shell that give the flag that value; none if no variable can express it.

    torch's own variable is used if dynconf and torch read the same text alike, otherwise the uniform one,
    unless another part of torch reads that one.
    """
    own = next(iter(setting.variables), None)
    if own is not None:
        text = text_for(setting, own, value)
        if text is not None:
            return [f"export {own.name}={shlex.quote(text)}"]
        if same(value, setting.default_value()):
            return [f"unset {own.name}"]
    uniform = setting.flag.uniform_variable
    if uniform in {own.name if own else "", *(each.name for each in catalogue(setting.module).foreign)}:
        return []
    try:
        line = f"export {uniform}={shlex.quote(setting.type.to_text(value))}"
    except Mismatch:
        return []
    # torch's own variable, which cannot express the value, would beat the uniform one.
    return [line] if own is None else [f"unset {own.name}", line]


def _is_lost_in_toml(data: object, *, nested: bool = False) -> bool:
    """Tell whether TOML cannot express *data*: it has no null; at the top level a word is used."""
    if isinstance(data, dict):
        return any(_is_lost_in_toml(item, nested=True) for item in data.values())
    if isinstance(data, list):
        return any(_is_lost_in_toml(item, nested=True) for item in data)
    return data is None if nested else isinstance(data, str) and data.strip().lower() == "none"


def _literal(setting: Setting, data: Any, imports: set[str]) -> str:
    """Return Python source for a value; modules that it needs are added to *imports*."""
    if not isinstance(setting.type, SetOf):
        return repr(data)
    if setting.type.names_objects:
        objects = [Named.parse(item) for item in data]
        imports |= {each.module for each in objects}
        items = [f"{each.module}.{each.qualname}" for each in objects]
    else:
        items = [repr(item) for item in data]
    return f"{{{', '.join(items)}}}" if items else "set()"
