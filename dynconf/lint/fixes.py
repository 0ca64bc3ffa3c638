"""Putting the new name of a flag in the place of the old one, and leaving every other byte as it is."""

import difflib
from collections.abc import Iterable

from dynconf.lint.files import Source
from dynconf.lint.judgement import Problem


def fixed(content: bytes, problems: Iterable[Problem]) -> bytes:
    """Return the content with the replacements of the problems in it."""
    lines = content.splitlines(keepends=True)
    fixable = {each for each in problems if each.replacement}
    for problem in sorted(fixable, key=lambda each: each.span, reverse=True):
        span, new = problem.span, str(problem.replacement).encode()
        line = lines[span.line - 1]
        lines[span.line - 1] = line[: span.column] + new + line[span.end_column :]
    return b"".join(lines)


def difference(source: Source) -> str:
    """Return the fixes of a file as a unified diff."""
    before = source.content.decode(errors="surrogateescape").splitlines(keepends=True)
    after = fixed(source.content, source.problems).decode(errors="surrogateescape").splitlines(keepends=True)
    return "".join(difflib.unified_diff(before, after, source.path, source.path))
