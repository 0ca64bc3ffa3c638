"""The figures in documents: text between ``<!-- figures: NAME -->`` and ``<!-- end -->`` comes from the file.

NAME is ``table``, the whole table, ``bounds``, a sentence about the bounds that users ask for, or
``often_set``, the tables of `often_set.py`, which has a picture, too.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import often_set
from ratio import HERE, Ratio

FIGURES = HERE / "figures.json"
ROOT = HERE.parent
PLOT = ROOT / "docs" / "images" / "speed.svg"
OFTEN_SET = ROOT / "docs" / "images" / "often-set.svg"
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
    makers = {"table": table, "bounds": bounds, "often_set": often_set.table}
    yield OFTEN_SET, OFTEN_SET.read_text(encoding="utf-8"), often_set.picture()
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))):
        text = path.read_text(encoding="utf-8")
        made = PLACE.sub(lambda found: found[1] + makers[found[2]]() + "\n" + found[3], text)
        if PLACE.search(text):
            yield path, text, made


def stale() -> list[str]:
    """Return the documents with other figures than those of the file."""
    return [str(path.relative_to(ROOT)) for path, text, made in _documents() if text != made]


def write() -> None:
    """Write the figures into the documents."""
    for path, _, made in _documents():
        path.write_text(made, encoding="utf-8")
