"""How commands print: results on stdout, complaints and notes on stderr.

Text for a terminal is laid out for its width and colored by `rich`, which respects FORCE_COLOR and TERM=dumb;
with NO_COLOR nothing is bold either. Elsewhere each line stays one line, so that programs can read it, and
rich, which takes as long to import as most commands take, is not loaded. Every text is made printable first
and reaches rich as a `Text`, never as markup: a value such as ``[red]`` is shown as it is.
"""

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import IO, TYPE_CHECKING, Any

from dynconf.errors import MAX_LISTED, DynconfError
from dynconf.provenance import Origin, path_from_here
from dynconf.text import as_message, escaped, json_text, printable

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text
    from typing_extensions import Self

    from dynconf.tools.audit.summary import Summary


STYLES = {"error": "bold red", "warning": "yellow", "note": "cyan", "ok": "green"}
"""The color of each level of message."""

GAP = "  "

_LEAST = 24
"""How many columns a text needs to be wrapped behind something; with fewer it goes below."""


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
    """Print messages on stderr, each on lines of its own, marked as coming from dynconf."""
    for message in messages if sys.stderr is not None else ():
        head = ("dynconf: ", Styled(f"{level}:", STYLES.get(level, "")), " ")
        print_line(*head, as_message(str(message)), stream=sys.stderr)


def complain_of(errors: Sequence[DynconfError]) -> None:
    """Print a message for each of the mistakes; for a hundred of them, if there are more."""
    complain("error", *errors[:MAX_LISTED])
    if errors[MAX_LISTED:]:
        complain("error", f"and {len(errors) - MAX_LISTED} more mistakes")


def print_line(*pieces: str, stream: IO[str] | None = None) -> None:
    """Print a line made of pieces; a terminal that is too narrow wraps the last one behind the others."""
    console = _console(stream)
    if console is None:
        print("".join(map(_showable, pieces)).rstrip(), file=stream)
    else:
        *head, text = map(_text, pieces)
        _print_behind(console, head, text)


def print_facts(facts: Sequence[tuple[str, str]]) -> None:
    """Print labels with texts, which are wrapped behind the labels on a terminal."""
    width = max((len(label) for label, _ in facts), default=0)
    for label, text in facts:
        print_line(GAP, Styled(label.ljust(width), "bold"), GAP, text)


def print_json(data: Any) -> None:
    """Print *data* as JSON, with escapes if the output cannot represent the characters."""
    text = escaped(json_text(data, indent=2, ensure_ascii=False), "json")
    print(text if _representable(text) == text else json_text(data, indent=2))


def print_table(
    headers: Sequence[str], rows: Iterable[Sequence[str]], *, fixed: int = 1, stream: IO[str] | None = None
) -> None:
    """Print a table in aligned columns, the first one bold unless its cells have styles.

    If a terminal is too narrow, the first *fixed* columns stay, and the other cells of each row share a line
    behind them, or have lines of their own, where they are wrapped. The first cell is always shown whole;
    those of the other fixed columns are cut if they take too much room. Where there is no terminal, a row is
    a line with all cells whole.
    """
    lines: list[list[str]] = [[Styled(header, "bold") for header in headers]]
    lines += [[cell if isinstance(cell, Styled) else Styled(cell, "bold"), *rest] for cell, *rest in rows]
    console = _console(stream)
    if console is not None:
        _print_table(console, [[_text(cell) for cell in line] for line in lines], fixed)
        return
    shown = [[_showable(cell) for cell in line] for line in lines]
    widths = [max(map(_width, column)) for column in zip(*shown)]
    for line in shown:
        cells = (cell + " " * (width - _width(cell)) for cell, width in zip(line, widths))
        print(GAP.join(cells).rstrip(), file=stream)


def print_changes(
    summary: "Summary", say: Callable[[str], object], stream: IO[str] | None, none: str, *, everything: bool
) -> None:
    """Print the changes of an audit, with the ranks if there are several; *say* prints what is no table."""
    found = summary.shown(everything=everything)
    headers: tuple[str, ...] = ("flag", "change", "by")
    rows: list[tuple[str, ...]] = [each.row() for each in found]
    if len({rank for each in found for rank in each.ranks}) > 1:
        headers += ("ranks",)
        rows = [(*each.row(), ", ".join(map(str, sorted(each.ranks)))) for each in found]
    if rows:
        print_table(headers, rows, stream=stream)
    else:
        say(f"nothing changed the configuration{none}")
    for line in () if everything else summary.closing("--all lists them"):
        say(line)


def short_path(file: str) -> str:
    """Return a path as it is seen from the working directory, if it lies there."""
    return printable(path_from_here(file))


def origin_text(origin: Origin) -> str:
    """Return an origin in words, with its file as it is seen from the working directory."""
    return str(replace(origin, file=short_path(origin.file)) if origin.file else origin)


def _width(text: str) -> int:
    """Return how many columns of a screen a text takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def _showable(text: str) -> str:
    return _representable(printable(text))


def _representable(text: str) -> str:
    """Return *text* with escapes for the characters that the output cannot represent."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"  # a program that was run may have replaced it
    return text.encode(encoding, "backslashreplace").decode(encoding)


# With rich.


def _console(stream: IO[str] | None) -> "Console | None":
    """Return the console for a terminal, or for colors that FORCE_COLOR asks for; None for plain text."""
    stream = sys.stdout if stream is None else stream
    if stream is None or not (is_terminal(stream) or os.environ.get("FORCE_COLOR")):
        return None
    from rich.console import Console

    console = Console(file=stream, highlight=False)
    console.width = max(console.width, _LEAST)
    return console


def _text(text: str) -> "Text":
    from rich.text import Text

    return Text(_showable(text), "" if os.environ.get("NO_COLOR") else getattr(text, "style", ""))


def _print_behind(console: "Console", head: Iterable["Text"], text: "Text", below: str = GAP) -> None:
    """Print a text behind its head, with further lines aligned; below it, if there is no room behind."""
    start = _text("").join(head)
    with console.capture() as captured:
        if not _fits(text, console.width - start.cell_len):
            if start.plain.strip():
                console.print(start, soft_wrap=True)
            start = _text(below)
        for line in text.wrap(console, console.width - start.cell_len) if text else [text]:
            console.print(start + line, soft_wrap=True)
            start = _text(" " * start.cell_len)
    # rich itself would end the process with 1 where the reader has gone away.
    print("\n".join(line.rstrip() for line in captured.get().split("\n")), end="", file=console.file)


def _fits(text: "Text", room: int) -> bool:
    """Tell whether a text can be wrapped in that many columns without breaking its words, such as paths."""
    return text.cell_len <= max(room, 0) or room >= max(_LEAST, *map(len, ["", *text.plain.split()]))


def _print_table(console: "Console", lines: Sequence[Sequence["Text"]], fixed: int) -> None:
    # `rich.table` gives each column a width of its own: it would cut long names of flags, or leave no room
    # for the other cells of all rows. Here the last cells share the rest of the line, or have their own.
    widths = [max(cell.cell_len for cell in column) for column in zip(*lines)]
    if sum(widths) + len(GAP) * (len(widths) - 1) > console.width:
        widths = [min(width, console.width // (4 if at else 2)) for at, width in enumerate(widths[:fixed])]
    columns = [*zip(*lines)][len(widths) :]  # those that share the rest
    room = console.width - sum(widths) - len(GAP) * len(widths)
    most = room // max(1, len(columns)) - len(GAP)  # a wider cell moves no column
    stops = [max([0, *(cell.cell_len for cell in each if cell.cell_len <= most)]) for each in columns]
    for first, *others in lines:
        cells = [first, *others]
        if first.cell_len > widths[0]:
            _print_behind(console, [first], _text(""))
            if not any(others):
                continue
            cells[0] = _text("")  # the others are below
        head = []
        for cell, width in zip(cells, widths):
            cell.truncate(width, overflow="ellipsis", pad=True)
            head += [cell, _text(GAP)]
        rest = cells[len(widths) :]
        shared = _text(GAP).join(cell + " " * (stop - cell.cell_len) for cell, stop in zip(rest, stops))
        shared.rstrip()
        for text in [cell for cell in rest if cell] if shared and shared.cell_len > room else [shared]:
            _print_behind(console, head, text, below=2 * GAP)
            head = [_text(" " * (console.width - room))]
