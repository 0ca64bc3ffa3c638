"""Files of flags, in TOML or JSON, with the line of each entry.

There are two forms. The settings form has a flag on each line, those of other config modules in tables. It
may choose how to treat flags that the release lacks (``missing``), and name flags to ``hold``. The state form
is the one that ``dynconf dump --format json`` and ``save`` write.
"""

import functools
import json
import os
import re
import stat
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple

from dynconf.catalogue import names
from dynconf.catalogue.catalogue import Setting
from dynconf.catalogue.flags.types import short_repr
from dynconf.catalogue.modules import MODULES, catalogue
from dynconf.errors import DynconfError, EnvironmentWarning, InvalidValueError, StateFileError
from dynconf.provenance import Origin
from dynconf.release import Release
from dynconf.sources.lines import MOST_WORK, Lines, json_lines, line_of, parsing_work, toml_lines
from dynconf.sources.reading import Reading, ReadingBuilder
from dynconf.sources.trust import without_reach
from dynconf.state import Missing, State, check_missing, not_a_mapping
from dynconf.text import place_text

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

STATE_FORMAT = 1
"""The number that a state file has under ``dynconf``; a higher one means a newer dynconf wrote it."""

LARGEST = 2**20
"""How many bytes a file may have."""

_MOST_ENTRIES = 5000
"""How many flags a file may have: several times as many as there are."""

_READING = sum(
    getattr(os, name, 0) for name in ("O_RDONLY", "O_NONBLOCK", "O_CLOEXEC", "O_NOCTTY", "O_BINARY")
)


@dataclass(frozen=True)  # without slots, which would leave no room for the cached lines
class Document:
    """A file that has been parsed but not interpreted yet.

    Attributes:
        name: The file, or the variable that holds the text, as origins will show it.
        table: The table that holds the flags, such as ``tool.dynconf``; empty for the whole file.
        data: The content of that table.
        trusted: Whether it may set flags with risks. Whoever opens the file decides, and not by its form,
            which was the choice of whoever wrote it: see `dynconf.sources.discovery`.
        origins: The origins of entries that another process had from elsewhere, by the names of the entries.
        own_lines: The lines of the entries of a text that is neither TOML nor JSON, such as a script.
    """

    name: str
    text: str
    syntax: Literal["toml", "json"]
    table: str
    data: dict[str, Any]
    trusted: bool = False
    origins: Mapping[str, Origin] = field(default_factory=dict)
    own_lines: Lines | None = None

    @functools.cached_property
    def lines(self) -> Lines:
        """The lines of all entries of the file, those outside the table included."""
        if self.own_lines is not None:
            return self.own_lines
        return toml_lines(self.text) if self.syntax == "toml" else json_lines(self.text)

    def origin(self, path: Sequence[str], raw: object, name: str = "") -> Origin:
        """Return where an entry stands to which the keys of *path* lead from the table.

        The origin calls it by that path, unless there is a *name*.
        """
        if found := self.origins.get(".".join(path)):
            return found
        whole = [*self.table.split("."), *path] if self.table else path
        return Origin("file", name or ".".join(whole), short_repr(raw), self.name, line_of(self.lines, whole))

    def part_of_report(self, part: str) -> dict[str, Any]:
        """Return a part of what a report has beside the state; empty in any other file."""
        report = self.data.get("report") if is_saved_state(self) else None
        found = report.get(part) if isinstance(report, dict) else None
        return found if isinstance(found, dict) else {}


class ReplacedError(DynconfError):
    """The file at a path is not the one that was checked."""


def open_document(path: str | Path) -> Document:
    """Read and parse a TOML or JSON file: as `read_bytes` and `document_of`."""
    name = str(path)
    return document_of(read_bytes(name), name)


def read_bytes(
    path: str, *, follow_links: bool = True, judged: os.stat_result | None = None, most: int = LARGEST
) -> bytes:
    """Return the content of a regular file, one byte over *most* at most.

    Anything else is a `StateFileError`: nothing waits for a pipe or a device. If only the file that was
    *judged* may be read, another one in its place is a `ReplacedError`.
    """
    try:
        # Only opening a pipe or a device can already do something, so it is not opened to find out.
        if stat.S_ISREG(Path(path).stat(follow_symlinks=follow_links).st_mode):
            no_links = 0 if follow_links else getattr(os, "O_NOFOLLOW", 0)
            descriptor, content = os.open(path, _READING | no_links), b""
            try:
                if judged is not None and not os.path.samestat(os.fstat(descriptor), judged):
                    raise ReplacedError(f"{path} cannot be read: it was replaced while being read")
                while len(content) <= most and (part := os.read(descriptor, most + 1 - len(content))):
                    content += part
                return content
            finally:
                os.close(descriptor)
    except OSError as problem:
        raise StateFileError(f"{path} cannot be read: {problem.strerror}") from None
    except ValueError as problem:  # the path contains a null character
        raise StateFileError(f"{path!r} cannot be read: {problem}") from None
    raise StateFileError(f"{path} cannot be read: it is not a regular file")


def document_of(content: bytes, name: str) -> Document:
    """Parse the content of a settings file; raise `StateFileError` if it is too large, or as `parse` does."""
    if len(content) > LARGEST:
        raise StateFileError(f"{name} is not a settings file: it is larger than {LARGEST} bytes")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise StateFileError(
            f"{name} is not a settings file: it is not UTF-8 text;"
            " `dynconf dump --from FILE` reads what torch's save_config() wrote"
        ) from None
    suffix = Path(name).suffix
    is_json = suffix == ".json" or (suffix != ".toml" and text.lstrip().startswith("{"))
    return parse(text, name, "json" if is_json else "toml")


def parse(text: str, name: str, syntax: Literal["toml", "json"]) -> Document:
    """Parse the text of a settings file; raise `StateFileError` if it is invalid, or too large."""
    if len(text) > LARGEST or parsing_work(text, syntax) > MOST_WORK:
        raise StateFileError(f"{name} is not a settings file: it is too long, or has too many entries")
    try:
        data = json.loads(text, object_pairs_hook=_table_of) if syntax == "json" else tomllib.loads(text)
    except RecursionError:
        raise StateFileError(f"{name} is not a settings file: it is nested too deeply") from None
    except MemoryError:
        raise StateFileError(f"{name} cannot be read: there is not enough memory") from None
    except ValueError as problem:
        message = f"{name} is not valid {syntax.upper()}: {problem}"
        if "Invalid value" in str(problem):  # tomllib's only word for True, yes and text without quotes
            message += "; true and false are in lower case, and text is in quotes"
        if not name.endswith((".toml", ".json")):
            message += (
                "; `dynconf dump --from FILE -o STATE.json` reads Python programs, reports and the like"
            )
        line = re.search(r"line (\d+)", str(problem))  # most parsers only say it in their message
        raise StateFileError(message, place=(name, int(line[1]) if line else None)) from None
    return Document(name, text, syntax, "", table_of_flags(data, name))


def _table_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) < len(pairs):
        (key, _), *_ = Counter(key for key, _ in pairs).most_common(1)
        raise ValueError(f"duplicate key {key!r}")
    return table


def table_of_flags(data: object, name: str) -> dict[str, Any]:
    """Return *data* if it is a table; raise `StateFileError` if not."""
    if not isinstance(data, dict):
        raise StateFileError(
            f"{name} is not a settings file: expected a table of flags, not {short_repr(data)}"
        )
    return data


def read_document(
    document: Document,
    release: Release,
    missing: Missing | None = None,
    modules: Sequence[str] = MODULES,
    newer: Mapping[str, Setting] | None = None,
) -> Reading:
    """Read the flags of a parsed file, in either form.

    Flags of other modules than *modules* are passed over. Unless the document is trusted, those with risks
    are mistakes: see `dynconf.sources.trust.risks_of`. For *missing*, None means the choice of the file.
    """
    try:
        own_choice, holds = _missing_in(document), _holds_in(document)
        is_saved = is_saved_state(document)
        entries = list(_state_entries(document) if is_saved else _settings_entries(document))
        if len(entries) > _MOST_ENTRIES:
            raise StateFileError(f"{document.name} is not a settings file: it has {len(entries)} entries")
    except DynconfError as error:
        return Reading(State(release), error.errors)
    has_tables = not is_saved and document.own_lines is None
    builder = ReadingBuilder(release, missing or own_choice, newer=newer, has_tables=has_tables)
    read = _toml_value if document.syntax == "toml" else lambda setting, data: setting.type.from_data(data)
    shown_only: set[Setting] = set()
    for path, data, kind in entries:
        name = path[-1] if is_saved else ".".join(path)
        default = names.find(name, release) if kind == "default" else None
        if default is not None:
            shown_only.add(default)
            if default.is_computed:  # torch derived it from the machine on which the state was saved
                continue
        if not names.modules_with(name).isdisjoint(modules):
            origin = document.origin(path, data, name if is_saved else "")
            builder.add(name, origin, data, read, is_default=kind in ("default", "release"))
    for name, place in holds:
        if not names.modules_with(name).isdisjoint(modules):
            builder.hold(name, place)
    builder.warnings += _lost_in(document, modules)
    return builder.done() if document.trusted else without_reach(builder.done(), shown_only)


def _toml_value(setting: Setting, data: object) -> Any:
    # TOML has no null, so the word stands for it, as it does in variables.
    if isinstance(data, str) and data.strip().lower() == "none" and setting.type.takes_none:
        return None
    return setting.type.from_data(data)


def is_saved_state(document: Document) -> bool:
    """Tell whether the file has the state form."""
    return not isinstance(document.data.get("dynconf", {}), dict)


class _Entry(NamedTuple):
    """A flag in a file: the keys that lead to it, its data, and the kind of its origin in a saved state."""

    path: tuple[str, ...]
    data: Any
    kind: object = None


def _missing_in(document: Document) -> Missing:
    """Return how a file wants flags to be treated that the release lacks."""
    if is_saved_state(document):
        return "warn"
    choice = document.data.get("missing", "error")
    place = document.origin(["missing"], choice)
    try:
        return check_missing(choice, "missing")
    except InvalidValueError as error:
        raise StateFileError(f"{error} (from {place})", place=place.place) from None


def _holds_in(document: Document) -> list[tuple[str, Origin]]:
    """Return the names of the flags that a file holds, with their places."""
    held = [] if is_saved_state(document) else document.data.get("hold", [])
    place = document.origin(["hold"], held)
    if not isinstance(held, list) or not all(isinstance(name, str) for name in held):
        raise StateFileError(
            f"hold: {short_repr(held)} (from {place}) is not valid: expected a list of names of flags",
            place=place.place,
        )
    return [(name, place) for name in held]


def _lost_in(document: Document, modules: Sequence[str]) -> Iterator[EnvironmentWarning]:
    """Yield a warning for each value that a report shows, and that no file can hold, such as a lambda."""
    for name, text in document.part_of_report("unwritten").items():
        if not names.modules_with(name).isdisjoint(modules):
            place = document.name, line_of(document.lines, ("report", "unwritten", name))
            why = "which a file cannot hold: it is not reproduced"
            message = f"{name} was set to {text} (from {place_text(*place)}), {why}"
            yield EnvironmentWarning(message, flag=name, place=place)


def _settings_entries(document: Document) -> Iterator[_Entry]:
    for key, data in document.data.items():
        if key in ("dynconf", "tool") and isinstance(data, dict):
            raise _table_of_pyproject(document, key)
        if key in MODULES:
            if not isinstance(data, dict):
                place = document.origin([key], data)
                raise StateFileError(str(not_a_mapping(key, data, f" (from {place})", "table")))
            for name, value in data.items():
                # In releases in which the name is that of a flag, the flag takes no table.
                if isinstance(value, dict) and name in catalogue(key).groups:
                    for member, inner in value.items():
                        yield _Entry((key, name, member), inner)
                else:
                    yield _Entry((key, name), value)
        elif key not in ("missing", "hold", "check"):  # the last one is for `dynconf check`
            yield _Entry((key,), data)


def _table_of_pyproject(document: Document, key: str) -> StateFileError:
    """Return the error for a table named like the one for flags in a pyproject.toml."""
    place = document.origin([key], document.data[key])
    if document.table:
        header, advice = f"{document.table}.{key}", f"write the flags in [{document.table}] itself"
    else:
        header = "tool.dynconf" if "dynconf" in document.data[key] else key
        advice = (
            "only pyproject.toml has a table [tool.dynconf]; in other files its flags go above all tables,"
            " and [tool.dynconf.inductor] is [inductor]"
        )
    return StateFileError(f"[{header}] (from {place}): {advice}", place=place.place)


def _state_entries(document: Document) -> Iterator[_Entry]:
    data, file = document.data, document.name
    number = data["dynconf"]
    if type(number) is not int or number != STATE_FORMAT:
        is_newer = type(number) is int and number > STATE_FORMAT
        hint = (
            "a newer one wrote it; upgrade dynconf"
            if is_newer
            else "it is not a saved state written by dynconf"
        )
        raise StateFileError(
            f"{file} has format {short_repr(number)}, but this dynconf reads format {STATE_FORMAT}: {hint}"
        )
    unknown = sorted(set(data) - {"dynconf", "torch", "flags", "report"})
    if unknown:
        raise StateFileError(f"{file} has entries that a saved state does not have: {', '.join(unknown)}")
    for name, entry in table_of_flags(data.get("flags", {}), f"{file}, under flags,").items():
        if not isinstance(entry, dict) or "value" not in entry:
            example = '{"value": ...}'
            raise StateFileError(f"{file}: flags.{name} has no value: expected {example}")
        origin = entry.get("origin")
        kind = origin.get("kind") if isinstance(origin, dict) else None
        if kind != "alias":  # the value of another flag, which the file has too
            yield _Entry(("flags", name), entry["value"], kind)
