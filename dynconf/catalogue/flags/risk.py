"""Risks: the harm that a value from an untrusted source could make torch do, and which values do it.

A risk belongs to values, not to flags: ``fx_graph_remote_cache=True`` makes torch unpickle what a host
answers, False does not; four compile threads are fine, a hundred thousand are not::

    Risk("write a path")                                    any text that names something
    Risk("contact a host", only(True))                      this value
    Risk("take time or memory without bound", above(256))   larger numbers
    Risk("run a program or load code", ANY)                 whatever is not the default

The items of a list, and the keys and values of a dict, are judged one by one. The default of the release is
never a risk.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from dynconf.catalogue.flags.types import Named, is_same_value
from dynconf.catalogue.flags.types.reference import HARMLESS

RiskKind = Literal[
    "run a program or load code",
    "read a path",
    "write a path",
    "call or skip objects",
    "contact a host",
    "switch off a safety check",
    "take time or memory without bound",
]
"""What torch would do, beyond changing how programs compile, as a verb that follows "would make torch"."""


@dataclass(frozen=True, slots=True)
class Values:
    """Some of the values that a flag may have.

    Attributes:
        text: A noun phrase for them, in the singular.
        include: Tell whether a value, or an item of one, is among them.
    """

    text: str
    include: Callable[[object], bool] = field(compare=False)


def only(value: object) -> Values:
    """Return this value alone."""
    return Values(repr(value), lambda item: is_same_value(item, value))


def above(bound: float) -> Values:
    """Return the numbers above the bound."""
    return Values(f"a number above {bound}", lambda item: isinstance(item, (int, float)) and item > bound)


def containing(characters: str) -> Values:
    """Return the texts that contain at least one of the characters."""
    text = f"a text with {' or '.join(characters)}"
    return Values(text, lambda item: isinstance(item, str) and any(each in item for each in characters))


def _names_something(item: object) -> bool:
    return bool(item) if isinstance(item, str) else not (item is None or isinstance(item, (bool, int, float)))


ANY = Values("any value but the default", lambda _: True)

NAMES = Values("a value that names something", _names_something)
"""Texts and objects."""

NO_LOGGING = Values(
    "a value that names anything but print and what is in logging and warnings",
    lambda item: _names_something(item) and not (isinstance(item, Named) and item.module in HARMLESS),
)
"""For flags by which torch drops or defers calls that a program makes, and makes none itself."""

PATTERNS = Values(
    "a regular expression with more than one repetition or alternative, or with a count in braces",
    lambda item: isinstance(item, str) and ("{" in item or sum(map(item.count, "*+?|")) > 1),
)
"""Regular expressions whose matching may take forever, or all memory: ``(){300000000}``.

With one repetition alone, as in ``L['x.*']``, it takes quadratic time at most.
"""

MANY_GRAPHS = Values(
    "a text of more than 1000 characters or with a number above 9999",
    lambda item: isinstance(item, str) and re.search(r"\d{5}|.{1001}", item, re.DOTALL) is not None,
)
"""Rules for more graphs than a program has: torch tries all rules on each number up to the largest."""

OPTIONS = Values(
    "a text with anything but letters, digits, dots, plus and minus",
    lambda item: isinstance(item, str) and re.fullmatch(r"[\w.+-]*", item) is None,
)
"""Texts that add options to the one of a command, or of a drawing, whose value they are."""

QUOTES = containing("'\"")
"""Texts that end the string that they become in the Python code that torch generates."""

PATHS = containing("/\\")
"""Texts that lead out of the folder to which they are added."""


@dataclass(frozen=True, slots=True)
class Risk:
    """The harm that some values of a flag do."""

    kind: RiskKind
    values: Values = NAMES

    def __str__(self) -> str:
        return f"{self.values.text} would make torch {self.kind}"
