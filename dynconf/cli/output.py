"""How commands print: tables for people on stdout, complaints and notes on stderr."""

import json
import sys
from collections.abc import Iterable, Sequence
from enum import Enum
from typing import Any


class Format(str, Enum):
    """The form of a result."""

    text = "text"
    json = "json"


def complain(level: str, message: str) -> None:
    """Print a message on stderr, marked as coming from dynconf."""
    print(f"dynconf: {level}: {message}", file=sys.stderr)


def print_json(data: Any) -> None:
    """Print *data* as JSON; escaped where the output cannot hold the characters."""
    text = json.dumps(data, indent=2, ensure_ascii=False)
    print(text if _as_printed(text) == text else json.dumps(data, indent=2))


def _as_printed(text: str) -> str:
    """Return *text* with escapes for the characters that the output cannot hold."""
    encoding = sys.stdout.encoding or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)


def print_table(headers: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table: drawn for a terminal, in plain aligned columns where the output is piped."""
    rows = [[_as_printed(cell) for cell in row] for row in rows]
    if sys.stdout.isatty():
        _print_drawn(headers, rows)
        return
    widths = [max(len(row[column]) for row in [headers, *rows]) for column in range(len(headers))]
    for row in [headers, *rows]:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def _print_drawn(headers: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from rich import box  # noqa: PLC0415  only a terminal needs rich
    from rich.console import Console  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for index, header in enumerate(headers):
        table.add_column(header, style="bold" if index == 0 else None, overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    Console().print(table)
