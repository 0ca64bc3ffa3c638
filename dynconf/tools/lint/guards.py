"""Guards: how a program protects the use of a flag that a release may lack."""

import ast
import re
from collections.abc import Iterable, Sequence

from dynconf.tools.lint.sites import Guard

_OF_RELEASES = re.compile(r"version|torch.*(?:newer|older|greater|less|least|[^a-z]g[et]|[^a-z]l[et]|\d)")
"""The names of comparisons of releases: ``TORCH_GE_2_7``, ``is_torch_equal_or_newer``."""

_CAUGHT = frozenset({"AttributeError", "Exception", "BaseException", "RuntimeError"})
"""The errors that cover the one of an unknown flag."""


def checks_availability(test: ast.expr) -> bool:
    """Tell whether a condition checks the release, or whether the flag exists."""
    for node in ast.walk(test):
        name = getattr(node, "id", "") or getattr(node, "attr", "")
        if name in ("hasattr", "_config", "__dict__", "dir") or _OF_RELEASES.search(name.lower()):
            return True
    return False


def ends_early(body: Sequence[ast.stmt]) -> bool:
    """Tell whether a block ends the function or the round of a loop that it is in."""
    return isinstance(body[-1], (ast.Return, ast.Raise, ast.Continue, ast.Break))


def guard_of(handlers: Iterable[ast.ExceptHandler]) -> Guard:
    """Return whether handlers catch the error for an unknown flag, and whether anybody hears of it."""
    for handler in handlers:
        caught = [] if handler.type is None else list(ast.walk(handler.type))
        names = {getattr(node, "id", "") or getattr(node, "attr", "") for node in caught}
        if handler.type is None or names & _CAUGHT:
            is_silent = all(isinstance(each, (ast.Pass, ast.Continue)) for each in handler.body)
            return "swallowed" if is_silent else "checked"
    return ""
