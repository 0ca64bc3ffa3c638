"""Forms of code that do not do what they seem to, in any release."""

import ast
from collections.abc import Iterator

from dynconf.lint.calls import COMPILE, is_patch, is_text, is_torchs_patch, span_of
from dynconf.lint.scopes import FUNCTIONS, Scope
from dynconf.lint.sites import Remark


def of_decorators(node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope) -> Iterator[Remark]:
    """Report torch's patch on a function whose body runs after the call has returned."""
    kind = "async function" if isinstance(node, ast.AsyncFunctionDef) else "generator"
    for each in node.decorator_list:
        if is_torchs_patch(each, scope) and (kind == "async function" or _yields(node)):
            text = (
                f"torch's patch has ended before the body of this {kind} runs: use dynconf.patch, or a `with`"
                " block inside"
            )
            yield Remark("DC308", span_of(each), text)


def of_block(block: ast.With | ast.AsyncWith, after: list[ast.stmt], scope: Scope) -> Iterator[Remark]:
    """Report a patch around a forward whose backward, which is compiled when it runs, comes after it."""
    patches = [item.context_expr for item in block.items if is_patch(item.context_expr, scope)]
    if not patches:
        return
    names = [node for statement in block.body for node in ast.walk(statement) if isinstance(node, ast.Name)]
    results = {name.id for name in names if isinstance(name.ctx, ast.Store)}
    for node in (node for statement in after for node in ast.walk(statement)):
        method = node.func if isinstance(node, ast.Call) else None
        if not isinstance(method, ast.Attribute) or method.attr != "backward":
            continue
        if getattr(method.value, "id", "") in results:
            text = (
                f"the backward in line {method.lineno} is outside of this block, and compiled when it runs:"
                " it does not see these flags"
            )
            yield Remark("DC309", span_of(patches[0]), text)
            return


def of_call(node: ast.Call, scope: Scope) -> Iterator[Remark]:
    """Report a mode together with options; where either is passed on, it may be None."""
    given = {each.arg: each.value for each in node.keywords}
    mode = given.get("mode")
    both = is_text(mode) and isinstance(scope.written(given.get("options")), ast.Dict)
    if mode is not None and both and scope.path(node.func) in COMPILE:
        text = "torch.compile takes a mode or options, and raises a RuntimeError for both"
        yield Remark("DC310", span_of(mode), text)


def _yields(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Tell whether a function has a `yield` of its own."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            waiting.extend(ast.iter_child_nodes(node))
    return False
