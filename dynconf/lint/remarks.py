"""Forms of code that do not do what they seem to, in any release."""

import ast
from collections.abc import Iterator

from dynconf.lint.calls import COMPILE, is_patch, is_torchs_patch, span_of
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
    nodes = [node for statement in block.body for node in ast.walk(statement)]
    results = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    for node in (node for statement in after for node in ast.walk(statement)):
        is_method = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        if is_method and node.func.attr == "backward" and getattr(node.func.value, "id", "") in results:
            text = (
                f"the backward in line {node.lineno} is outside of this block, and is compiled when it runs: it"
                " does not see these flags"
            )
            yield Remark("DC309", span_of(patches[0]), text)
            return


def of_call(node: ast.Call, scope: Scope) -> Iterator[Remark]:
    """Report a mode together with options."""
    given = {each.arg: each.value for each in node.keywords}
    both = [given.get(each) for each in ("mode", "options")]
    is_set = [
        each is not None and not (isinstance(each, ast.Constant) and each.value is None) for each in both
    ]
    if all(is_set) and scope.path(node.func) in COMPILE:
        text = "torch.compile takes a mode or options, and raises a RuntimeError for both"
        yield Remark("DC310", span_of(both[0]), text)


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
