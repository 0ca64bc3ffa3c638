"""Tables in notebooks."""

from collections.abc import Iterable
from html import escape


def html_table(title: str, rows: Iterable[tuple[str, str, str]], note: str = "") -> str:
    """Return an HTML table of flags with their values and origins; every text is escaped."""
    head = "<tr><th>flag</th><th>value</th><th>origin</th></tr>"
    cells = ("".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows)
    body = "".join(f"<tr>{row}</tr>" for row in cells)
    end = f"<p>{escape(note)}</p>" if note else ""
    return f"<table><caption>{escape(title)}</caption>{head}{body}</table>{end}"
