"""How commands print: tables for people on stdout, complaints and notes on stderr."""

import json
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dynconf.exports import Export


def complain(level: str, message: object) -> None:
    """Print a message on stderr, in one line that is marked as coming from dynconf."""
    # A line break or an escape sequence in a file name must not reach the terminal as one.
    text = "".join(each if each.isprintable() else ascii(each)[1:-1] for each in str(message))
    print(f"dynconf: {level}: {text}", file=sys.stderr)


def print_json(data: Any) -> None:
    """Print *data* as JSON, with escapes if the output cannot represent the characters."""
    text = json.dumps(data, indent=2, ensure_ascii=False)
    print(text if _representable(text) == text else json.dumps(data, indent=2))


def print_export(export: "Export") -> None:
    """Print a state in another language; what it cannot express goes to stderr."""
    for note in export.notes:
        complain("note", note)
    print(export.text, end="")


def print_table(headers: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table: drawn on a terminal, in plain aligned columns if the output is piped."""
    lines = [[_representable(cell) for cell in row] for row in (headers, *rows)]
    if sys.stdout.isatty():
        _print_drawn(lines)
        return
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        print("  ".join(map(str.ljust, line, widths)).rstrip())


def _representable(text: str) -> str:
    """Return *text* with escapes for the characters that the output cannot represent."""
    encoding = sys.stdout.encoding or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)


def _print_drawn(lines: Sequence[Sequence[str]]) -> None:
    # Only a terminal needs rich.
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for index, header in enumerate(lines[0]):
        table.add_column(header, style="bold" if index == 0 else None, overflow="fold")
    for line in lines[1:]:
        table.add_row(*map(Text, line))
    Console().print(table)
