"""Changes as JSON data, and for people: grouped by flag and line, with counts, and drawn by time."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from types import NoneType
from typing import Any

from dynconf.catalogue.flags.types import is_same_value, short_repr
from dynconf.catalogue.names import show_data
from dynconf.provenance import Origin, path_from_here, relative_path
from dynconf.text import place_text, printable
from dynconf.tools.audit.writes import ENVIRONMENT, FOR_TORCH_ITSELF, ConfigWrite

MOST_ENTRIES = 10_000
"""How many changes are kept, or written to a file, one by one; further ones are counted by their lines."""

_LONGEST_VALUE = 1_000  # characters; a longer value is shown as text
MOST_STEPS = 3  # different changes of a line that are shown

Record = dict[str, Any]
"""A change as JSON data; the attributes of its origin are beside those of the change itself."""


def record_of(write: ConfigWrite) -> Record:
    """Return a change as JSON data."""
    record = write._asdict()
    del record["origin"]
    for side in ("before", "after"):
        record[side] = _shown(write.flag, record[side])
    return record | write.origin.as_json()


def _shown(flag: str, value: object) -> Any:
    with suppress(Exception):  # values may be of any kind; an int can be too long to write
        data = value if isinstance(value, (bool, int, NoneType)) else show_data(flag, value)
        if len(repr(data)) <= _LONGEST_VALUE:
            return data
    return short_repr(value)


def line_of(record: Record) -> tuple[object, ...]:
    """Return the flag and the line of a change, as a key by which changes are grouped."""
    names = ("flag", "how", "by_torch", "kind", "name", "raw", "file", "line")
    return tuple(map(record.get, names))


def is_torchs_own(record: Record) -> bool:
    """Tell whether torch changes a flag for itself, as by a patch, which it takes back."""
    return bool(record["by_torch"] and record["how"] in FOR_TORCH_ITSELF)


@dataclass(slots=True, eq=False)
class LineChanges:
    """The changes of one flag by one line, in one way."""

    first: Record
    last: Any = None  # the value after the last one
    count: int = 0
    steps: dict[str, list[Any]] = field(default_factory=dict)  # different ones, one more than shown at most
    ranks: set[int] = field(default_factory=set)  # of the processes in which they happened

    def add(self, record: Record) -> None:
        step = [record["before"], record["after"]]
        self.last = step[1]
        self.count += record.get("count", 1)
        if len(self.steps) <= MOST_STEPS:
            self.steps.setdefault(repr(step), step)  # False is not 0 there
        self.ranks.update([record["rank"]] if "rank" in record else ())

    def _text(self, value: object) -> str:
        return "unset" if value is None and self.first["how"] == ENVIRONMENT else short_repr(value)

    @property
    def is_torchs_own(self) -> bool:
        """Whether torch changed the flag for itself, or put it back."""
        is_back = is_same_value(self.last, self.first["before"])
        return is_torchs_own(self.first) or bool(self.first["by_torch"] and is_back)

    @property
    def change(self) -> str:
        """The values, such as ``8 -> 64 -> 8``."""
        steps = [step for step in self.steps.values() if not is_same_value(*step)]
        if not steps:
            return f"{self._text(self.last)}, unchanged"
        text, value = "", ""
        for before, after in (map(self._text, step) for step in steps[:MOST_STEPS]):
            text += f" -> {after}" if before == value else f"{', ' * bool(text)}{before} -> {after}"
            value = after
        return text + ", ..." * (len(steps) > MOST_STEPS)

    @property
    def by(self) -> str:
        """The line, or the source of a setting, and the way."""
        origin = Origin(*map(self.first.get, ("kind", "name", "raw", "file", "line")))  # type: ignore[arg-type]
        return f"{place(origin)} ({printable(self.first['how'])})"

    def row(self) -> tuple[str, str, str]:
        """Return the cells of a table."""
        writes = f" ({self.count} writes)" * (self.count > 1)
        return printable(self.first["flag"]), self.change + writes, self.by


class Summary:
    """All changes, by flag and line."""

    def __init__(self) -> None:
        self._lines: dict[tuple[object, ...], LineChanges] = {}

    def add(self, record: Record) -> None:
        """Count a change, or several, as the record says."""
        key = line_of(record)
        if key not in self._lines:
            self._lines[key] = LineChanges(record)
        self._lines[key].add(record)

    def shown(self, *, everything: bool = False) -> list[LineChanges]:
        """Return the changes of each line, sorted by flag; torch's own only if *everything* is asked for."""
        lines = [each for each in self._all() if everything or not each.is_torchs_own]
        return sorted(lines, key=lambda each: str(each.first["flag"]))

    def closing(self, more: str) -> list[str]:
        """Return a line about torch's own changes if there are any; *more* says how to see them."""
        count = self._own_count()
        return [f"changes by torch itself: {count}; {more}"] if count else []

    def as_json(self, *, everything: bool) -> dict[str, Any]:
        """Return a JSON object."""
        changes = [
            {
                "flag": each.first["flag"],
                "change": each.change,
                "count": each.count,
                "by": each.by,
                "ranks": sorted(each.ranks),
                "by_torch": each.is_torchs_own,
            }
            for each in self.shown(everything=everything)
        ]
        return {"changes": changes, "by_torch": self._own_count()}

    def _all(self) -> list[LineChanges]:
        return list(self._lines.values())  # a copy, because other threads add to them

    def _own_count(self) -> int:
        return sum(each.count for each in self._all() if each.is_torchs_own)


def place(origin: Origin) -> str:
    """Return the line, or the source, of a change, in few words."""
    if origin.file and origin.kind in ("assignment", "install", "patch", "keyword"):
        return printable(shown_path(place_text(origin.file, origin.line)))
    return str(replace(origin, file=origin.file and shown_path(origin.file)))


def shown_path(file: str) -> str:
    """Return a path from the working directory if it lies there; of an installed package, from its folder."""
    return relative_path(file if "site-packages" in file else path_from_here(file))


# The picture.

_MOST_ROWS = 40
_MOST_POINTS = 1_000
_WIDTH, _ROW, _LETTER = 560, 22, 7  # pixels: of the time, the height of a flag, and of a letter


def svg(writes: Sequence[ConfigWrite]) -> str:
    """Return a row for each flag, with a point for each change and the value behind it; empty without any.

    Pointing at a change shows its line. Only the first of very many changes are drawn.
    """
    from html import escape  # only notebooks need it

    def text(x: int, y: int, shown: str) -> str:
        return f'<text x="{x}" y="{y}" fill="currentColor">{escape(shown)}</text>'

    if not writes:
        return ""
    drawn = writes[:_MOST_POINTS]
    start, seconds = drawn[0].time, max(drawn[-1].time - drawn[0].time, 1e-9)
    by_flag: dict[str, list[ConfigWrite]] = {}
    for each in drawn:
        by_flag.setdefault(each.flag, []).append(each)
    left = max(map(len, by_flag)) * _LETTER + 10
    parts = []
    for row, (flag, changes) in enumerate([*by_flag.items()][:_MOST_ROWS]):
        y = row * _ROW + 15
        parts.append(text(0, y, printable(flag)))
        parts.append(f'<path d="M{left} {y}h{_WIDTH}" stroke="#ccc"/>')
        places = [left + _WIDTH * (each.time - start) / seconds for each in changes]
        for x, end, each in zip(places, [*places[1:], left + _WIDTH + 100], changes):
            value = short_repr(each.after)
            title = f"{short_repr(each.before)} -> {value}, {each.time - start:.3f} s, {place(each.origin)}"
            parts.append(
                f'<circle cx="{x:.1f}" cy="{y}" r="4" fill="#06c"><title>{escape(title)}</title></circle>'
            )
            if len(value) * _LETTER < end - x - 8:
                parts.append(text(round(x) + 6, y - 3, value))
    bottom = min(len(by_flag), _MOST_ROWS) * _ROW + 15
    parts += [text(left, bottom, "0 s"), text(left + _WIDTH, bottom, f"{seconds:.3g} s")]
    size = f'width="{left + _WIDTH + 100}" height="{bottom + 10}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-size="12">{"".join(parts)}</svg>'
