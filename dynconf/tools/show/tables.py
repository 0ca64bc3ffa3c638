"""Tables in notebooks."""

from collections.abc import Iterable, Sequence
from html import escape


def html_table(
    title: str,
    rows: Iterable[Sequence[str]],
    note: str = "",
    headers: Sequence[str] = ("flag", "value", "origin"),
) -> str:
    """Return an HTML table, by default of flags with their values and origins; every text is escaped."""
    head = "".join(f"<th>{escape(header)}</th>" for header in headers)
    cells = ("".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows)
    body = "".join(f"<tr>{row}</tr>" for row in cells)
    end = f"<p>{escape(note)}</p>" if note else ""
    return f"<table><caption>{escape(title)}</caption><tr>{head}</tr>{body}</table>{end}"
