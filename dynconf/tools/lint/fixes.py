"""Replace names by others, and leave every other byte as it is."""

import difflib
from collections.abc import Iterable, Iterator, Sequence

from dynconf.text import printable
from dynconf.tools.lint.files import Source
from dynconf.tools.lint.sites import Problem


def fixed(content: bytes, problems: Iterable[Problem]) -> bytes:
    """Return the content with the replacements of the problems in it."""
    lines = content.splitlines(keepends=True)
    pieces: list[bytes] = []
    at = (1, 0)
    for problem in sorted({each for each in problems if each.replacement}, key=lambda each: each.span):
        span = problem.span
        if (span.line, span.column) >= at:  # no two in one place
            pieces += _between(lines, at, (span.line, span.column))
            pieces.append(str(problem.replacement).encode())
            at = (span.line, span.end_column)
    return b"".join((*pieces, *_between(lines, at, (len(lines) + 1, 0))))


def _between(lines: Sequence[bytes], start: tuple[int, int], end: tuple[int, int]) -> Iterator[bytes]:
    (first, column), (last, end_column) = start, end
    if first == last:
        yield lines[first - 1][column:end_column] if first <= len(lines) else b""
        return
    yield lines[first - 1][column:]
    yield from lines[first : last - 1]
    if last <= len(lines):
        yield lines[last - 1][:end_column]


def difference(source: Source) -> str:
    """Return the fixes of a file as a unified diff."""
    before, after = (
        [line.decode(errors="surrogateescape") for line in each.splitlines(keepends=True)]
        for each in (source.content, fixed(source.content, source.problems))
    )
    name = printable(source.path)
    return "".join(difflib.unified_diff(before, after, name, name))
