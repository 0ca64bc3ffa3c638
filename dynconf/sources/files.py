"""Files: ``dynconf.toml``, ``[tool.dynconf]`` of ``pyproject.toml``, and JSON, with the line of each entry.

Two forms are read. The settings form has a flag on each line, and may say what to do about flags that the
release lacks (``missing``). The state form is what ``dynconf dump --format json`` and ``save`` write.
"""

import json
import re
import sys
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal, get_args

from dynconf.catalogue.record import Flag
from dynconf.catalogue.value_types import Optional
from dynconf.errors import DynconfError, StateFileError
from dynconf.provenance import Origin
from dynconf.sources.layer import Layer, LayerBuilder, Missing
from dynconf.values import from_json, shown
from dynconf.versions import AtHand

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

CONFIG_VARIABLE = "DYNCONF_CONFIG"
STATE_FORMAT = 1
"""The number that a state file carries under ``dynconf``; a higher one is of a newer dynconf."""

_LARGEST = 16 * 1024 * 1024
_PROBE = "is-it-here"
"""A key that no flag has."""


@dataclass(frozen=True, slots=True)
class Document:
    """A settings file that has been parsed but not understood yet.

    Attributes:
        name: The file, or the variable that holds the text, as origins shall give it.
        text: All of it.
        syntax: What it is written in.
        table: The table that holds the flags, such as ``tool.dynconf``; empty for the whole file.
        data: That table.
    """

    name: str
    text: str
    syntax: Literal["toml", "json"]
    table: str
    data: dict[str, Any]

    def origin(self, key: str, raw: object) -> Origin:
        """Return where the entry *key* stands."""
        full = f"{self.table}.{key}" if self.table else key
        return Origin("file", full, shown(raw), self.name, _line_of(self, key))


def find(start: Path) -> Document | None:
    """Return the settings nearest to *start*: in that folder or a parent, ``dynconf.toml`` first.

    Raises:
        StateFileError: A file that was found cannot be read.
    """
    for folder in (start, *start.parents):
        if _is_file(folder / "dynconf.toml"):
            return open_document(folder / "dynconf.toml")
        if _is_file(folder / "pyproject.toml"):
            whole = open_document(folder / "pyproject.toml")
            tool = whole.data.get("tool", {})
            if isinstance(tool, dict) and "dynconf" in tool:
                return Document(
                    whole.name, whole.text, "toml", "tool.dynconf", _table(tool["dynconf"], whole.name)
                )
    return None


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a parent folder that may not be looked into holds no settings for us
        return False


def chosen(environ: Mapping[str, str], config: str | Path | None, start: Path) -> Document | None:
    """Return the settings file that counts: *config*, else what ``DYNCONF_CONFIG`` says, else the nearest.

    Raises:
        StateFileError: The file that counts cannot be read.
    """
    if config is not None:
        return open_document(Path(config))
    named = environ.get(CONFIG_VARIABLE, "").strip()
    if named.startswith("{"):
        return parse(named, CONFIG_VARIABLE, "json")
    return open_document(Path(named)) if named else find(start)


def open_document(path: Path) -> Document:
    """Read and parse a TOML or JSON file.

    Raises:
        StateFileError: It does not exist, is no text, or is neither TOML nor JSON.
    """
    name = str(path)
    try:
        with path.open("rb") as file:
            content = file.read(_LARGEST + 1)
        if len(content) > _LARGEST:
            raise StateFileError(f"{name} is no settings file: it is larger than {_LARGEST} bytes")
        text = content.decode("utf-8-sig")
    except OSError as problem:
        raise StateFileError(f"{name} cannot be read: {problem.strerror}") from None
    except UnicodeDecodeError:
        raise StateFileError(f"{name} is no settings file: it is not UTF-8 text") from None
    except ValueError as problem:
        raise StateFileError(f"{name!r} cannot be read: {problem}") from None
    is_json = path.suffix == ".json" or (path.suffix != ".toml" and text.lstrip().startswith("{"))
    return parse(text, name, "json" if is_json else "toml")


def parse(text: str, name: str, syntax: Literal["toml", "json"]) -> Document:
    """Parse the text of a settings file.

    Raises:
        StateFileError: It is not what *syntax* says, or not a table.
    """
    try:
        data = json.loads(text, object_pairs_hook=_unique) if syntax == "json" else tomllib.loads(text)
    except RecursionError:
        raise StateFileError(f"{name} is no settings file: it is nested too deeply") from None
    except ValueError as problem:
        raise StateFileError(f"{name} is no valid {syntax.upper()}: {problem}") from None
    return Document(name, text, syntax, "", _table(data, name))


def read_document(
    document: Document, at: AtHand, missing: Missing | None = None, beyond: Collection[str] = ()
) -> Layer:
    """Read the flags of a parsed file, in either form.

    Args:
        document: The file.
        at: The release that the flags are for.
        missing: What to do about flags that it lacks; None for what the file itself says.
        beyond: Flags of the release that are newer than the catalogue; their values are taken as they stand.
    """
    try:
        entries, said = _entries(document)
    except DynconfError as error:
        return Layer(errors=error.errors)
    builder = LayerBuilder(at, missing or said)
    for name, data in entries.items():
        if name in beyond:
            builder.values[name], builder.origins[name] = data, document.origin(name, data)
            continue
        builder.add(name, document.origin(name, data), partial(_value, document, data), data)
    return builder.done()


def _value(document: Document, data: object, flag: Flag) -> Any:
    if document.syntax == "toml" and isinstance(flag.type, Optional):
        # TOML has no null, so that the word stands for it, as in variables.
        data = None if isinstance(data, str) and data.strip().lower() == "none" else data
    return from_json(flag.type, data)


def is_state(document: Document) -> bool:
    """Tell whether the file has the state form."""
    return "dynconf" in document.data


def _entries(document: Document) -> tuple[dict[str, Any], Missing]:
    """Return the flags of a file with their data, and what it says of missing ones."""
    data = dict(document.data)
    if is_state(document):
        return _state_entries(document), "warn"
    missing = data.pop("missing", "error")
    if missing not in get_args(Missing):
        place = document.origin("missing", missing)
        raise StateFileError(
            f"missing: {shown(missing)} (from {place}): expected one of 'error', 'warn', 'skip'"
        )
    return data, missing


def _state_entries(document: Document) -> dict[str, Any]:
    data, name = document.data, document.name
    if type(data["dynconf"]) is not int or data["dynconf"] != STATE_FORMAT:
        raise StateFileError(
            f"{name} has format {shown(data['dynconf'])}: this dynconf reads format {STATE_FORMAT};"
            " a newer one wrote it"
        )
    unknown = sorted(set(data) - {"dynconf", "torch", "flags"})
    if unknown:
        raise StateFileError(f"{name} has entries that a saved state has not: {', '.join(unknown)}")
    flags = _table(data.get("flags", {}), f"{name}, in flags")
    for flag, entry in flags.items():
        if not isinstance(entry, dict) or "value" not in entry:
            raise StateFileError(f"{name}: flags.{flag} has no value")
    return {flag: entry["value"] for flag, entry in flags.items() if not _derived(entry)}


def _derived(entry: dict[str, Any]) -> bool:
    """Tell whether the entry only repeats what holds without it: a default, or an old name."""
    origin = entry.get("origin")
    return isinstance(origin, dict) and origin.get("kind") == "alias"


def _table(data: object, name: str) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise StateFileError(f"{name} is no settings file: expected a table of flags, not {shown(data)}")
    return data


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) < len(pairs):
        names = [key for key, _ in pairs]
        raise ValueError(f"{next(key for key in names if names.count(key) > 1)!r} stands there twice")
    return table


def _line_of(document: Document, key: str) -> int | None:
    """Return the line that the entry begins on, counted from 1."""
    name = re.escape(key)
    pattern = rf'\s*["\']?{name}["\']?\s*=' if document.syntax == "toml" else rf'.*"{name}"\s*:'
    lines = document.text.split("\n")
    for number, line in enumerate(lines):
        if re.match(pattern, line) and (document.syntax == "json" or _stands_in(document, lines[:number])):
            return number + 1
    return None


def _stands_in(document: Document, before: list[str]) -> bool:
    """Tell whether a TOML line after *before* belongs to the document's own table.

    TOML itself says so: an entry put in its place comes out in that table, or nowhere in a multi-line text.
    """
    try:
        table = tomllib.loads("\n".join([*before, f"{_PROBE} = 1"]))
    except ValueError:
        return False
    for part in filter(None, document.table.split(".")):
        table = table.get(part, {})
    return _PROBE in table
