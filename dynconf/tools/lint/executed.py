"""Settings in texts that a program executes: ``exec("torch._dynamo.config.verbose = True")``."""

import ast
import builtins
from collections.abc import Iterator

from dynconf.tools.lint.calls import in_config, is_text
from dynconf.tools.lint.scopes import Scope

_PLACEHOLDER = "_formatted_"
"""In place of the values of an f-string that are known only when the program runs."""


def settings_in(node: ast.expr) -> ast.Module | None:
    """Return the code of a text, or of an f-string, that consists of assignments; it is where the text is."""
    text = _text_of(node)
    if "=" not in text or "." not in text.partition("=")[0]:
        return None
    try:
        code = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    for each in ast.walk(code):
        ast.copy_location(each, node)
    return code if all(isinstance(each, ast.Assign) for each in code.body) else None


def _text_of(node: ast.expr) -> str:
    if isinstance(node, ast.JoinedStr):
        return "".join(map(_text_of, node.values))
    if isinstance(node, ast.FormattedValue):
        value = node.value.body if isinstance(node.value, ast.IfExp) else node.value
        return _text_of(value) or _PLACEHOLDER
    return str(node.value) if isinstance(node, ast.Constant) and is_text(node) else ""


def names_without_quotes(code: ast.Module, scope: Scope) -> Iterator[str]:
    """Yield the values of flags that are no names: the ``O1`` of ``"inductor_config.cpp.flags = -O1"``."""
    for statement in code.body:
        if isinstance(statement, ast.Assign) and any(
            in_config(scope.path(each)) for each in statement.targets
        ):
            names = (node.id for node in ast.walk(statement.value) if isinstance(node, ast.Name))
            unknown = (each for each in names if not scope.is_bound(each) and not hasattr(builtins, each))
            yield from (each for each in unknown if _PLACEHOLDER not in each)
