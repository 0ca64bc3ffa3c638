"""Code that goes wrong in every release, although all of its flags exist."""

import ast
import bisect
import re
from collections.abc import Iterable, Iterator, Mapping

from dynconf.catalogue.modules import catalogue
from dynconf.tools.lint.calls import compiles, in_config, is_patch, is_text, is_torchs_patch
from dynconf.tools.lint.scopes import FUNCTIONS, Scope
from dynconf.tools.lint.sites import Problem, span_of
from dynconf.tools.lint.texts import OTHERS, STARTS

_LIMIT = "recompile_limit"
"""The flag that is also a keyword of `torch.compile`."""

_EXPORT = re.compile(rf"\s*(?:export|set)\s+((?:{STARTS}|{OTHERS})\w*)=[^;&|]*")
"""A command that sets a variable, and no other command that would read it."""


def of_decorators(node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope) -> Iterator[Problem]:
    """Report torch's patch on a function whose body runs after the call has returned."""
    kind = "async function" if isinstance(node, ast.AsyncFunctionDef) else "generator"
    patches = [each for each in node.decorator_list if is_torchs_patch(each, scope)]
    yields = patches and any(isinstance(each, (ast.Yield, ast.YieldFrom)) for each in _own_nodes(node.body))
    for each in node.decorator_list:
        if each in patches and (kind == "async function" or yields):
            text = (
                f"torch's patch has ended before the body of this {kind} runs: use dynconf.patch, or a `with`"
                " block inside"
            )
            yield Problem("DC308", "warning", span_of(each), text)
        below = node.decorator_list[node.decorator_list.index(each) + 1 :]
        yield from _beaten(each, below, scope)


def of_expression(node: ast.expr, scope: Scope) -> Iterator[Problem]:
    """Report a patch that is a statement of its own, so that nothing enters it."""
    if (
        isinstance(node, ast.Call)
        and is_patch(node, scope)
        and (scope.path(node.func) or "").endswith(".patch")
    ):
        text = "a patch changes nothing until it is entered: use it in a `with` block, or assign the flag"
        yield Problem("DC313", "warning", span_of(node), text)


def of_attributes(targets: Iterable[ast.expr], scope: Scope) -> Iterator[Problem]:
    """Report assignments to an attribute of a package that is a flag in its config module."""
    for target in targets:
        path = scope.path(target) if isinstance(target, ast.Attribute) else None
        package, _, name = (path or "").rpartition(".")
        found = in_config(f"{package}.config.{name}")
        if found and found[1] in catalogue(found[0]).flags:
            text = f"{path} is not a flag, and sets nothing: write {package}.config.{name}"
            yield Problem("DC301", "warning", span_of(target), text)


def of_suite(statements: list[ast.stmt], scope: Scope) -> Iterator[Problem]:
    """Report patches around a forward whose backward, which is compiled when it runs, comes after them."""
    blocks = [
        (block, item.context_expr)
        for block in statements
        if isinstance(block, (ast.With, ast.AsyncWith))
        for item in block.items
        if is_patch(item.context_expr, scope)
    ]
    if not blocks:
        return
    events = _events(statements)
    for block, patch in blocks:
        called = [each.func for each in _own_nodes(block.body) if isinstance(each, ast.Call)]
        yield from _beaten(patch, map(scope.written, called), scope)
        start, end = (block.lineno, block.col_offset), (block.end_lineno or 0, block.end_col_offset or 0)
        for happened in events.values():
            after = bisect.bisect(happened, (*end, False))
            within = happened[bisect.bisect(happened, (*start, False)) : after]
            # The next thing that happens to a result of the block: a backward, or it becomes something else.
            if after < len(happened) and happened[after][2] and not all(each[2] for each in within):
                text = (
                    f"the backward in line {happened[after][0]} is outside of this block, and compiled when"
                    " it runs: it does not see these flags"
                )
                yield Problem("DC309", "warning", span_of(patch), text)
                break


def _beaten(patch: ast.expr, compiled: Iterable[ast.expr | None], scope: Scope) -> Iterator[Problem]:
    """Report a patch of a flag that one of these calls of torch.compile has as a keyword, which beats it."""
    for each in compiled if is_patch(patch, scope) else ():
        if _has_limit(patch) and isinstance(each, ast.Call) and _has_limit(each) and compiles(each, scope):
            text = (
                f"{_LIMIT} of torch.compile in line {each.lineno} beats this one, which has no effect there"
            )
            yield Problem("DC315", "warning", span_of(patch), text, _LIMIT)
            return


def _has_limit(call: ast.expr) -> bool:
    return isinstance(call, ast.Call) and any(each.arg == _LIMIT for each in call.keywords)


def _events(statements: list[ast.stmt]) -> dict[str, list[tuple[int, int, bool]]]:
    """Return the places where each name is bound, or, if true, has its `backward` called, in order."""
    found: dict[str, list[tuple[int, int, bool]]] = {}
    for node in _own_nodes(statements):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.setdefault(node.id, []).append((node.lineno, node.col_offset, False))
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.attr == "backward":
            found.setdefault(node.value.id, []).append((node.lineno, node.col_offset, True))
    return {name: sorted(places) for name, places in found.items() if any(each[2] for each in places)}


def of_call(node: ast.Call, given: Mapping[str, ast.expr | None], scope: Scope) -> Iterator[Problem]:
    """Report a mode together with options, flags that pytest deletes, and variables of a shell that ends."""
    command = node.args[0] if scope.path(node.func) == "os.system" and node.args else None
    if isinstance(command, ast.Constant) and (found := _EXPORT.fullmatch(str(command.value))):
        text = f"{found[1]} is set in a shell that ends with it: write os.environ[{found[1]!r}] = ..."
        yield Problem("DC401", "warning", span_of(node), text, None, found[1])
    if isinstance(node.func, ast.Attribute) and node.func.attr == "setattr" and node.args:
        of = node.args[0]
        path = str(of.value) if isinstance(of, ast.Constant) and is_text(of) else scope.path(of)
        if in_config(path) and len(node.args) == (2 if is_text(of) else 3):
            text = "pytest 9.2 deletes the flag when it undoes this: use torch's own patch, or dynconf.patch"
            yield Problem("DC316", "warning", span_of(node), text)
    mode, options = given.get("mode"), scope.written(given.get("options"))
    both = is_text(scope.written(mode)) and (isinstance(options, ast.Dict) or scope.is_dict(options))
    if mode is not None and both and compiles(node, scope):
        text = "torch.compile takes a mode or options, and raises a RuntimeError for both"
        yield Problem("DC310", "error", span_of(mode), text)


def _own_nodes(statements: list[ast.stmt]) -> Iterator[ast.AST]:
    """Yield the nodes of a suite, without those of functions and classes in it."""
    waiting: list[ast.AST] = list(statements)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            waiting.extend(ast.iter_child_nodes(node))
