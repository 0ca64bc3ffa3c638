"""The figures in documents: text between ``<!-- figures: NAME -->`` and ``<!-- end -->`` comes from the file.

NAME is ``table``, the whole table, or ``bounds``, a sentence about the bounds that users ask for.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from ratio import HERE, Ratio

FIGURES = HERE / "figures.json"
ROOT = HERE.parent
PLOT = ROOT / "docs" / "images" / "speed.svg"
PLACE = re.compile(r"(<!-- figures: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def _figures() -> tuple[dict[str, str], dict[str, Ratio]]:
    data = json.loads(FIGURES.read_text(encoding="utf-8"))
    return data["machine"], {each["name"]: Ratio(**each) for each in data["ratios"]}


def table() -> str:
    """Return all ratios, as a table in Markdown, with the machine and the date."""
    about, ratios = _figures()
    on = f"{about['processor']}, {about['system']}, Python {about['python']}, torch {about['torch']}"
    lines = [
        f"Measured on {about['date']}: {on}.",
        "",
        "| dynconf / what it replaces | dynconf | other | ratio | at most |",
        "|---|---|---|---|---|",
    ]
    lines += [
        f"| {each.name} | {each.ours:.3g} {each.unit} | {each.theirs:.3g} {each.unit} "
        f"| {each.ratio:.3g} | {each.bound:.3g} |"
        for each in ratios.values()
    ]
    return "\n".join(lines)


def bounds() -> str:
    """Return a sentence for those who ask whether dynconf slows down their program."""
    about, ratios = _figures()
    patch, load, run = (
        ratios[name]
        for name in (
            "a patch of one flag / torch's",
            "import dynconf / import torch",
            "dynconf run / python, import torch",
        )
    )
    more, limit = max(run.ratio - 1, 0), run.bound - 1
    return (
        f"A patch of a flag takes {patch.ratio:.2f} of the time of torch's own (at most {patch.bound:.2g}),\n"
        f"`import dynconf` {load.ratio:.1%} of `import torch` (at most {load.bound:.0%}), and\n"
        f"`dynconf run` adds {more:.0%} to that (at most {limit:.0%}): `make bench` on {about['date']}."
    )


def _documents() -> Iterator[tuple[Path, str, str]]:
    """Yield each document with figures, its text, and the text that it should have."""
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))):
        text = path.read_text(encoding="utf-8")
        made = PLACE.sub(
            lambda found: found[1] + {"table": table, "bounds": bounds}[found[2]]() + "\n" + found[3], text
        )
        if PLACE.search(text):
            yield path, text, made


def stale() -> list[str]:
    """Return the documents with other figures than those of the file."""
    return [str(path.relative_to(ROOT)) for path, text, made in _documents() if text != made]


def write() -> None:
    """Write the figures into the documents."""
    for path, _, made in _documents():
        path.write_text(made, encoding="utf-8")
