"""The places of a program at which it uses torch's configuration, and its files with their problems."""

import difflib
import sys
from itertools import accumulate
from typing import Any, Literal, NamedTuple

from dynconf.text import printable
from dynconf.tools.show.finding import Level

_OfFlag = Literal[
    "read", "set", "change", "delete", "probe", "option", "field", "named", "assignment", "compile-option"
]
_OfCompile = Literal["mode", "backend", "stance", "own-option", "keyword"]
_OfVariable = Literal["variable", "child-variable", "variable-read"]

Use = Literal[_OfFlag, _OfCompile, _OfVariable]
"""How a place uses a flag; ``probe`` checks that it exists, ``option`` sets it by dynconf.

``field`` sets that of a model of dynconf, which converts the value, ``assignment`` sets it by a text on a
command line of dynconf, and ``named`` may not set it at all. ``compile-option`` sets it by the options of
`torch.compile`, which checks the type.

``mode``, ``backend``, ``stance``, ``own-option`` and ``keyword`` are no flags: words for `torch.compile`, an
option that it keeps for itself, and one of its arguments, without a name if it is given by position. A
``child-variable`` is set for a process that is started later, and not too late therefore.
"""

Guard = Literal["", "checked", "swallowed", "importing", "unloaded"]
"""Whether the program checks that the flag exists, swallows the error, or does not run this code at all.

``importing`` checks only that it can be imported.
"""


Fit = Literal["", "identifier", "path", "newest"]
"""The names that fit in the place of one: in that of a keyword an identifier, elsewhere a dotted path, too.

Where `mock.patch` has it, only the newest one fits: an alias that mock has patched and restored is gone.
"""


class Unknown:
    """In place of the value of an expression that is known only when the program runs."""


class Span(NamedTuple):
    """A part of a file: lines counted from 1, columns in bytes of UTF-8 from 0, the end left out."""

    line: int
    column: int
    end_line: int
    end_column: int


def span_of(node: Any) -> Span:
    """Return the place of a node of Python's tree."""
    return Span(node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)


def is_within(span: Span, node: Any) -> bool:
    """Tell whether a place is in that of a node."""
    place = span_of(node)
    return place[:2] <= span[:2] and span[2:] <= place[2:]


class Site(NamedTuple):
    """A place at which a program uses a flag, or sets an environment variable.

    Attributes:
        use: How it uses it.
        module: The config module, by its short name; empty for a variable.
        name: The name as it is written there, without the module.
        span: The place of the name.
        value: The value that is set, if it is a literal; while a program is read, the expression.
        fit: The names that may be put in its place; none if the span has more than the name.
        guard: The care that the program takes.
        block: Equal for flags that are set together.
        loaded: The packages that are loaded before a variable is set, with the lines.
    """

    use: Use
    module: str
    name: str
    span: Span
    value: Any = Unknown
    fit: Fit = ""
    guard: Guard = ""
    block: int = 0
    loaded: tuple[tuple[str, int], ...] = ()


class Problem(NamedTuple):
    """A finding before it is known in which file; with a *replacement* for the *name* in the span, if any."""

    code: str
    level: Level
    span: Span
    text: str
    flag: str | None = None
    variable: str | None = None
    name: str = ""
    replacement: str | None = None

    def guarded(self, guard: Guard) -> "Problem":
        """Return it as it is where the program takes that care."""
        if guard == "checked":
            return self._replace(level="note")
        if guard != "swallowed" or self.level != "error":
            return self
        text = f"{self.text}; the error is swallowed, and the setting is lost"
        return self._replace(code="DC311", level="warning", text=text)


class Source(NamedTuple):
    """A file that was read, the problems in it, by line, and what it uses.

    The content of a notebook is the code of its `cells`: the line at which each begins, and its number.
    """

    path: str
    content: bytes
    problems: tuple[Problem, ...]
    sites: tuple[Site, ...] = ()
    cells: tuple[tuple[int, int], ...] = ()

    def fixed(self) -> bytes:
        """Return the content with the replacements of the problems in it, and every other byte as it is."""
        starts = [0, *accumulate(map(len, self.content.splitlines(keepends=True)))]
        pieces: list[bytes] = []
        at = 0
        replaced = {each for each in self.problems if each.replacement}
        for problem in sorted(replaced, key=lambda each: each.span):
            line = starts[problem.span.line - 1]
            if line + problem.span.column >= at:  # no two in one place
                pieces += [self.content[at : line + problem.span.column], str(problem.replacement).encode()]
                at = line + problem.span.end_column
        return b"".join((*pieces, self.content[at:]))

    def difference(self) -> str:
        """Return the fixes as a unified diff."""
        before, after = (
            [line.decode(errors="surrogateescape") for line in each.splitlines(keepends=True)]
            for each in (self.content, self.fixed())
        )
        name = printable(self.path)
        return "".join(difflib.unified_diff(before, after, name, name))


def unreadable(error: Exception, start: int = 1) -> Problem:
    """Return the problem of a file, or of the cell that begins there, that cannot be read."""
    line = start
    reason = getattr(error, "strerror", None) or str(error).rpartition(" cannot be read: ")[2]
    if isinstance(error, SyntaxError):  # the program may be for a later Python than this one
        line += (error.lineno or 1) - 1
        reason = f"{error.msg} (in Python {sys.version_info.major}.{sys.version_info.minor})"
    elif isinstance(error, (RecursionError, MemoryError)):
        reason = "it is nested too deeply"
    return Problem("DC300", "warning", Span(line, 0, line, 0), f"it cannot be read: {reason}")
