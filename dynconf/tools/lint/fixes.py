"""Replace names by others, and leave every other byte as it is."""

import difflib
from collections.abc import Iterable
from itertools import accumulate

from dynconf.text import printable
from dynconf.tools.lint.sites import Problem, Source


def fixed(content: bytes, problems: Iterable[Problem]) -> bytes:
    """Return the content with the replacements of the problems in it."""
    starts = [0, *accumulate(map(len, content.splitlines(keepends=True)))]
    pieces: list[bytes] = []
    at = 0
    for problem in sorted({each for each in problems if each.replacement}, key=lambda each: each.span):
        line = starts[problem.span.line - 1]
        if line + problem.span.column >= at:  # no two in one place
            pieces += [content[at : line + problem.span.column], str(problem.replacement).encode()]
            at = line + problem.span.end_column
    return b"".join((*pieces, content[at:]))


def difference(source: Source) -> str:
    """Return the fixes of a file as a unified diff."""
    before, after = (
        [line.decode(errors="surrogateescape") for line in each.splitlines(keepends=True)]
        for each in (source.content, fixed(source.content, source.problems))
    )
    name = printable(source.path)
    return "".join(difflib.unified_diff(before, after, name, name))
