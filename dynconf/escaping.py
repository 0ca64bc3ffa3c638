"""Text from outside, made safe to show: no line breaks, escape sequences, bells or direction marks in it."""

import json
import re
from typing import Literal

_LONGEST_MESSAGE = 2_000
"""Characters; nobody reads more, and a file can have a name of a megabyte."""

MOST_SHOWN = 120
"""Characters of a value or a text from outside that a message quotes."""

_DOUBTFUL = re.compile(r"[^\n -~]")


def printable(text: str) -> str:
    r"""Return *text* on one line, with what is not printable spelled out as in a Python string.

    Example:
        >>> print(printable("a\x1b[2Jb\n"))
        a\x1b[2Jb\n
    """
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)


def as_message(text: str) -> str:
    """Return *text* as one printable line, without its middle if it is longer than anyone reads."""
    if len(text) > _LONGEST_MESSAGE:
        half = _LONGEST_MESSAGE // 2
        text = f"{text[:half]} ... [{len(text) - 2 * half} characters left out] ... {text[-half:]}"
    return printable(text)


def escaped(document: str, syntax: Literal["json", "toml"]) -> str:
    r"""Return the text of a document with ``\u`` escapes for what is not printable; line breaks stay.

    Such characters occur in its strings only, so it means the same.
    """

    def escape(found: re.Match[str]) -> str:
        letter = found[0]
        if letter.isprintable():
            return letter
        return json.dumps(letter)[1:-1] if syntax == "json" else f"\\U{ord(letter):08x}"

    return _DOUBTFUL.sub(escape, document)
