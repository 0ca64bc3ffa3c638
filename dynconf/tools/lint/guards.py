"""Guards: how a program protects the use of a flag that a release may lack."""

import ast
import re
from collections.abc import Iterable, Sequence

from dynconf.tools.lint.scopes import Scope
from dynconf.tools.lint.sites import Guard

_OF_RELEASES = re.compile(r"version|torch.*(?:newer|older|greater|less|least|[^a-z]g[et]|[^a-z]l[et]|\d)")
"""The names of comparisons of releases: ``TORCH_GE_2_7``, ``is_torch_equal_or_newer``."""

_CAUGHT = frozenset({"AttributeError", "Exception", "BaseException", "RuntimeError"})
"""The errors that cover the one of an unknown flag."""


def checks_availability(test: ast.expr, scope: Scope) -> bool:
    """Tell whether a condition checks the release, or whether the flag exists."""
    for node in ast.walk(test):
        name = getattr(node, "id", "") or getattr(node, "attr", "")
        asked: ast.expr | None = None
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("hasattr", "dir") and node.args:
            asked = node.args[0]
        elif isinstance(node, ast.Attribute) and node.attr in ("_config", "__dict__"):
            asked = node.value
        # What another object has, such as a model, is no question about torch.
        if (asked and (scope.path(asked) or "").startswith("torch")) or _OF_RELEASES.search(name.lower()):
            return True
    return False


def ends_early(body: Sequence[ast.stmt]) -> bool:
    """Tell whether a block ends the function or the round of a loop that it is in."""
    return isinstance(body[-1], (ast.Return, ast.Raise, ast.Continue, ast.Break))


def guards_of(handlers: Iterable[ast.ExceptHandler]) -> tuple[Guard, Guard]:
    """Return whether handlers catch that a flag cannot be imported by name, and that it cannot be used."""
    importing: Guard = ""
    using: Guard = ""
    for handler in handlers:
        caught = ast.walk(handler.type) if handler.type else ()
        names = {getattr(node, "id", "") or getattr(node, "attr", "") for node in caught}
        if names & {"ImportError", "ModuleNotFoundError"}:
            importing = "importing"
        if not using and (handler.type is None or names & _CAUGHT):
            is_silent = all(isinstance(each, (ast.Pass, ast.Continue)) for each in handler.body)
            using = "swallowed" if is_silent else "checked"
    return importing, using
