"""A picture of an audit: the flags by time, as SVG."""

from collections.abc import Sequence
from html import escape

from dynconf.catalogue.flags.types import short_repr
from dynconf.text import printable
from dynconf.tools.audit.summary import place
from dynconf.tools.audit.writes import ConfigWrite

_MOST_ROWS = 40
_MOST_POINTS = 1_000
_WIDTH, _ROW, _LETTER = 560, 22, 7  # pixels: of the time, the height of a flag, and of a letter


def svg(writes: Sequence[ConfigWrite]) -> str:
    """Return a row for each flag, with a point for each change and the value behind it; empty without any.

    Pointing at a change shows its line. Only the first of very many changes are drawn.
    """
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
        parts.append(_text(0, y, printable(flag)))
        parts.append(f'<path d="M{left} {y}h{_WIDTH}" stroke="#ccc"/>')
        places = [left + _WIDTH * (each.time - start) / seconds for each in changes]
        for x, end, each in zip(places, [*places[1:], left + _WIDTH + 100], changes):
            value = short_repr(each.after)
            title = f"{short_repr(each.before)} -> {value}, {each.time - start:.3f} s, {place(each.origin)}"
            parts.append(
                f'<circle cx="{x:.1f}" cy="{y}" r="4" fill="#06c"><title>{escape(title)}</title></circle>'
            )
            if len(value) * _LETTER < end - x - 8:
                parts.append(_text(round(x) + 6, y - 3, value))
    bottom = min(len(by_flag), _MOST_ROWS) * _ROW + 15
    parts += [_text(left, bottom, "0 s"), _text(left + _WIDTH, bottom, f"{seconds:.3g} s")]
    size = f'width="{left + _WIDTH + 100}" height="{bottom + 10}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-size="12">{"".join(parts)}</svg>'


def _text(x: int, y: int, text: str) -> str:
    return f'<text x="{x}" y="{y}" fill="currentColor">{escape(text)}</text>'
