"""Making text of unknown origin safe to print: no line breaks, escape sequences or direction marks.

The same for data: as JSON that every program can read.
"""

import json
import math
import re
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


def json_text(data: object, *, indent: int | None = None, ensure_ascii: bool = True) -> str:
    """Return *data* as JSON; numbers that it does not have are texts.

    Example:
        >>> print(json_text({"a": [float("nan")]}))
        {"a": ["nan"]}
    """
    # `json` itself would write a bare NaN, which other languages refuse, or none of it.
    return json.dumps(_with_finite_numbers(data), indent=indent, ensure_ascii=ensure_ascii)


def _with_finite_numbers(data: object) -> Any:
    if isinstance(data, dict):
        return {key: _with_finite_numbers(each) for key, each in data.items()}
    if isinstance(data, (list, tuple)):
        return [_with_finite_numbers(each) for each in data]
    return str(data) if isinstance(data, float) and not math.isfinite(data) else data
