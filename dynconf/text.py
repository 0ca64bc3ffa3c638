"""Text: making foreign text safe to print, places in code as people know them, tables, and misspelt words.

Text of unknown origin is printed without line breaks, escape sequences or direction marks, and data as JSON
that every program can read. IPython compiles each cell of a notebook under a file name of its own, which says
nothing to people.
"""

import functools
import json
import math
import os
import re
import sys
from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Any, Literal

MOST_SHOWN = 120  # characters of a value or a text that messages quote
_MAX_MESSAGE = 2_000  # characters; a name in a file can have a megabyte

_MAYBE_UNPRINTABLE = re.compile(r"[^\n -~]")


def printable(text: str) -> str:
    r"""Return *text* on one line, with unprintable characters escaped as in a Python string.

    Example:
        >>> print(printable("a\x1b[2Jb\n"))
        a\x1b[2Jb\n
    """
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)


def as_message(text: str) -> str:
    """Return *text* as one printable line; the middle of a very long text is left out."""
    if len(text) > _MAX_MESSAGE:
        half = _MAX_MESSAGE // 2
        text = f"{text[:half]} ... [{len(text) - 2 * half} characters left out] ... {text[-half:]}"
    return printable(text)


def escaped(document: str, syntax: Literal["json", "toml"]) -> str:
    r"""Return a JSON or TOML document with its unprintable characters as ``\u`` escapes.

    Both formats allow such characters only in strings, where an escape means the same.
    """

    def escape(match: re.Match[str]) -> str:
        letter = match[0]
        if letter.isprintable():
            return letter
        # TOML has no surrogate pairs, so a character beyond 16 bits needs its long form.
        return json.dumps(letter)[1:-1] if syntax == "json" else f"\\U{ord(letter):08x}"

    return _MAYBE_UNPRINTABLE.sub(escape, document)


_encoder = functools.cache(functools.partial(json.JSONEncoder, allow_nan=False))


def json_text(data: object, *, indent: int | None = None, ensure_ascii: bool = True) -> str:
    """Return *data* as JSON; numbers that it does not have are texts.

    Example:
        >>> print(json_text({"a": [float("nan")]}))
        {"a": ["nan"]}
    """
    encode = _encoder(indent=indent, ensure_ascii=ensure_ascii).encode
    try:
        return encode(data)
    except ValueError:  # other languages refuse a bare NaN
        return encode(_with_finite_numbers(data))


def _with_finite_numbers(data: object) -> Any:
    if isinstance(data, dict):
        return {key: _with_finite_numbers(each) for key, each in data.items()}
    if isinstance(data, (list, tuple)):
        return [_with_finite_numbers(each) for each in data]
    return str(data) if isinstance(data, float) and not math.isfinite(data) else data


_OWN = os.path.join(os.path.dirname(__file__), "")
_SHELLS = tuple(f"{os.sep}{name}{os.sep}" for name in ("IPython", "ipykernel"))


def place_text(file: str, line: int | None) -> str:
    """Return ``cell 3, line 2`` for a line of a cell, and ``file.py:2`` for any other."""
    cell = _cell(file)
    if cell:
        return f"cell {cell}, line {line}" if line else f"cell {cell}"
    return f"{file}:{line}" if line else file


def lines_of_program(trace: TracebackType | None) -> list[str]:
    """Return the lines of a program that a traceback leads through, without those of dynconf and IPython."""
    import traceback  # only errors in a notebook need it

    return [
        f"  {place_text(each.filename, each.lineno)}: {each.line}"
        for each in traceback.extract_tb(trace)
        if not each.filename.startswith(_OWN) and not any(folder in each.filename for folder in _SHELLS)
    ]


def _cell(file: str) -> str:
    """Return the number of the cell that IPython compiled under that name; "" if it is a file."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    name = getattr(getattr(shell, "compile", None), "format_code_name", None)
    found = name(file) if name else None  # ("Cell", "In[3]")
    return str(found[1]).removeprefix("In[").removesuffix("]") if found else ""


_PARTS = re.compile(r"[^\W_]+")
_SEVERAL = 2
SLIP, _TYPO, _SHARE = 0.9, 0.75, 0.75
"""How similar two names, or two parts of names, and what share of the parts must be, from 0 to 1."""


def nearest(word: str, words: Iterable[str], *, cutoff: float = 0.6) -> str | None:
    """Return the most similar of *words*, or None if the similarity, from 0 to 1, is below *cutoff*.

    Case makes no difference. Names of several parts, such as ``max_autotune``, are compared part by part, and
    nothing is similar to one that shares fewer than three in four of them: other names begin alike, too.

    Example:
        >>> nearest("supress_errors", ["compress_error_log", "suppress_errors"])
        'suppress_errors'
    """
    from difflib import SequenceMatcher, get_close_matches  # only messages need it, and it is slow to import

    by_lower = {each.lower(): each for each in words}
    word = word.strip().lower()[:100]
    # A letter, or a sign between two parts, is a slip of the pen.
    if slips := get_close_matches(word, by_lower, n=1, cutoff=max(cutoff, SLIP)):
        return by_lower[slips[0]]
    if cutoff >= SLIP:
        return None
    wanted, several = _PARTS.findall(word), {each: _PARTS.findall(each) for each in by_lower}
    if len(wanted) < _SEVERAL:
        alone = [each for each, parts in several.items() if len(parts) < _SEVERAL]
        matches = get_close_matches(word, alone, n=1, cutoff=cutoff)
        return by_lower[matches[0]] if matches else None
    known = {part for parts in several.values() for part in parts}
    alike = {
        part: {
            each: SequenceMatcher(None, part, each).ratio()
            for each in get_close_matches(part, known, n=20, cutoff=_TYPO)
        }
        for part in wanted
    }
    found, share = "", 0.0
    for each, parts in several.items():
        shared = sum(max((alike[part].get(its, 0) for its in parts), default=0) for part in {*wanted})
        if (its_share := 2 * shared / (len(wanted) + len(parts))) > share:
            found, share = each, its_share
    return by_lower[found] if share >= max(cutoff, _SHARE) else None


def html_table(
    title: str,
    rows: Iterable[Sequence[str]],
    note: str = "",
    headers: Sequence[str] = ("flag", "value", "origin"),
) -> str:
    """Return an HTML table, by default of flags with their values and origins; every text is escaped."""
    from html import escape  # only notebooks need it

    head = "".join(f"<th>{escape(header)}</th>" for header in headers)
    cells = ("".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows)
    body = "".join(f"<tr>{row}</tr>" for row in cells)
    end = f"<p>{escape(note)}</p>" if note else ""
    return f"<table><caption>{escape(title)}</caption><tr>{head}</tr>{body}</table>{end}"


def camel_case(group: str) -> str:
    """Return the name of the model of a group: ``AotInductor`` for ``aot_inductor``."""
    return "".join(map(str.capitalize, group.split("_")))
