"""How commands print: results on stdout, complaints and notes on stderr.

What goes to a terminal is laid out for its width and colored by `rich`, which respects NO_COLOR, FORCE_COLOR
and TERM=dumb; what goes elsewhere is plain text.
"""

import json
import os
import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import IO, TYPE_CHECKING, Any

from dynconf.errors import MOST_LISTED, DynconfError
from dynconf.escaping import as_message, escaped, printable
from dynconf.origin import Origin

if TYPE_CHECKING:
    from typing_extensions import Self

    from dynconf.exports import Export

STYLES = {"error": "bold red", "warning": "yellow", "note": "cyan", "ok": "green"}
"""How the level of a message is colored."""

GAP = "  "

_NARROW = 24
"""How many columns text must have at least to be wrapped inside them; with fewer it goes below."""


class Styled(str):
    """A text with the style that it has on a terminal that shows colors."""

    __slots__ = ("style",)
    style: str

    def __new__(cls, text: str, style: str) -> "Self":
        """Return *text* with *style*, such as ``bold red``."""
        styled = super().__new__(cls, text)
        styled.style = style
        return styled


def is_terminal(stream: IO[str] | None) -> bool:
    """Tell whether people read the stream as it is written."""
    return stream is not None and stream.isatty()


def complain(level: str, *messages: object) -> None:
    """Print messages on stderr, marked as coming from dynconf: a line each, or as many as it takes."""
    for message in messages if sys.stderr is not None else ():
        # A line break or an escape sequence in a file name must not reach the terminal as one.
        head = ("dynconf: ", Styled(f"{level}:", STYLES.get(level, "")), " ")
        print_said(head, as_message(str(message)), stream=sys.stderr)


def complain_of(errors: Sequence[DynconfError]) -> None:
    """Print a message for each of the mistakes; for a hundred of them, if there are more."""
    complain("error", *errors[:MOST_LISTED])
    if errors[MOST_LISTED:]:
        complain("error", f"and {len(errors) - MOST_LISTED} more mistakes")


def print_said(head: Sequence[str], text: str, *, indent: str = GAP, stream: IO[str] | None = None) -> None:
    """Print pieces of a line and a text behind them, which goes on below if a terminal is too narrow."""
    print_lines(_wrapped(head, text, indent, _room(stream)), stream)


def print_lines(lines: Iterable[Sequence[str]], stream: IO[str] | None = None) -> None:
    """Print lines made of pieces, those that are `Styled` in color if the stream shows colors."""
    stream = sys.stdout if stream is None else stream
    if not (is_terminal(stream) or os.environ.get("FORCE_COLOR")):
        for line in lines:
            print("".join(line).rstrip(), file=stream)
        return
    # Only a terminal needs rich.
    from rich.console import Console
    from rich.text import Text

    console = Console(file=stream, highlight=False, soft_wrap=True)
    for line in lines:
        if not any(isinstance(piece, Styled) for piece in line):
            print("".join(line).rstrip(), file=stream)
            continue
        text = Text.assemble(*((piece, getattr(piece, "style", "")) for piece in line))
        text.rstrip()
        console.print(text)


def print_json(data: Any) -> None:
    """Print *data* as JSON, with escapes if the output cannot represent the characters."""
    text = escaped(json.dumps(data, indent=2, ensure_ascii=False), "json")
    print(text if _representable(text) == text else json.dumps(data, indent=2))


def print_export(export: "Export") -> None:
    """Print a state in another language; what it cannot express goes to stderr."""
    complain("note", *export.notes)
    print(export.text, end="")


def print_table(
    headers: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    fixed: int = 1,
    stream: IO[str] | None = None,
) -> None:
    """Print a table in aligned columns.

    If a terminal is too narrow, the first *fixed* columns stay, and the rest of each row is put together,
    wrapped, behind them or below. The first cell is always shown whole; those of the other fixed columns are
    cut if they take too much room.
    """
    head = [Styled(header, "bold") for header in headers]
    lines: list[list[str]] = [[*head], *([_cell(cell) for cell in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    room = _room(stream)
    if room is None or sum(widths) + len(GAP) * (len(widths) - 1) <= room:
        print_lines((_aligned(line, widths) for line in lines), stream)
        return
    widths = [widths[0], *(min(width, max(room // 4, 16)) for width in widths[1:fixed])]
    if room - sum(widths) - len(GAP) * fixed < _NARROW:
        widths[0] = min(widths[0], room // 2)  # a few long names must not drive all other cells off the line
    print_lines((piece for line in lines for piece in _narrow(line, widths, room)), stream)


def print_facts(facts: Iterable[tuple[str, str]]) -> None:
    """Print labels with texts, which are wrapped behind the labels on a terminal."""
    pairs = list(facts)
    width = max(len(label) for label, _ in pairs)
    for label, text in pairs:
        head = (GAP, Styled(label.ljust(width), "bold"), GAP)
        print_said(head, text, indent=" " * sum(map(len, head)))


def print_text(text: str, indent: str) -> None:
    """Print a paragraph, wrapped for the terminal, or for 100 columns elsewhere."""
    print_lines(_wrapped([indent], text, indent, min(_room(None) or 100, 100)))


def short_path(file: str) -> str:
    """Return a path as it is seen from the working directory, if it lies there."""
    try:
        here = os.getcwd()  # noqa: PTH109
    except OSError:  # it has been removed
        return printable(file)
    return printable(os.path.relpath(file, here) if file.startswith(f"{here}{os.sep}") else file)


def said_of(origin: Origin) -> str:
    """Return an origin in words, with its file as it is seen from the working directory."""
    return str(replace(origin, file=short_path(origin.file)) if origin.file else origin)


def _room(stream: IO[str] | None) -> int | None:
    """Return how many columns a terminal has; None for anything else."""
    return shutil.get_terminal_size().columns if is_terminal(stream or sys.stdout) else None


def _cell(text: str) -> str:
    return _same_style(_representable(printable(text)), text)


def _same_style(text: str, like: str) -> str:
    return Styled(text, like.style) if isinstance(like, Styled) else text


def _aligned(line: Sequence[str], widths: Sequence[int]) -> list[str]:
    """Return the cells of a line, cut or filled up to the widths of their columns."""
    pieces: list[str] = []
    for cell, width in zip(line, widths):
        text = cell if len(cell) <= width else f"{cell[: width - 1]}…"
        pieces += [_same_style(text, cell), " " * (width - len(text)) + GAP]
    return pieces


def _narrow(line: Sequence[str], widths: Sequence[int], room: int) -> Iterator[Sequence[str]]:
    """Yield the lines of a row that is too wide: the fixed cells, and the rest behind them or below."""
    name, *cells = line
    if len(name) > widths[0]:
        yield [name]
        if not any(cells):
            return
        name = ""
    head = _aligned([name, *cells], widths)
    start = sum(map(len, head))
    rest = [cell for cell in line[len(widths) :] if cell]
    text = GAP.join(rest)
    if start + len(text) <= room or not rest:
        yield [*head, *(piece for cell in rest for piece in (cell, GAP))]
        return
    text = _same_style(text, rest[-1])
    if room - start >= max(_NARROW, *map(len, text.split())):
        yield from _wrapped(head, text, " " * start, room)
    else:
        yield head
        yield from _wrapped([2 * GAP], text, 2 * GAP, room, cut=True)


def _wrapped(
    head: Sequence[str], text: str, indent: str, room: int | None, *, cut: bool = False
) -> list[Sequence[str]]:
    """Return the lines of a text behind pieces of a line, further ones indented; one line without a room.

    A word that is longer than a line, such as a path, stays whole unless it is to be *cut*.
    """
    head, text = [_cell(piece) for piece in head], _cell(text)
    if room is None:
        return [[*head, text]]
    start = " " * sum(map(len, head))
    first, *others = textwrap.wrap(
        text,
        max(room, _NARROW),
        initial_indent=start,
        subsequent_indent=indent if room >= len(indent) + _NARROW else GAP,
        break_long_words=cut,
        break_on_hyphens=False,
    ) or [start]
    return [[*head, _same_style(first[len(start) :], text)], *([_same_style(each, text)] for each in others)]


def _representable(text: str) -> str:
    """Return *text* with escapes for the characters that the output cannot represent."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"  # a program that was run may have replaced it
    return text.encode(encoding, "backslashreplace").decode(encoding)
