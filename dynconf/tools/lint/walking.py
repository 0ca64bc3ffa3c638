"""Walk through a Python file in the order in which Python runs it, and track names and guards.

A module is read from top to bottom, and functions after everything around them, because that is when they
run. Where a name is bound, by whatever statement, `Scope` learns it; `PythonReader` does the rest.
"""

import ast
import itertools
import re
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar

from dynconf.tools.lint.leads import Leads
from dynconf.tools.lint.loading import package_of
from dynconf.tools.lint.scopes import FUNCTIONS, Scope
from dynconf.tools.lint.sites import Guard

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda

Steps = Iterator[ast.AST]
"""The nodes to visit next, one by one."""

_BINDING_NOTHING = frozenset(
    {*ast.expr.__subclasses__(), ast.Expr, ast.Return, ast.Raise, ast.Assert, ast.AugAssign, ast.Delete}
)
"""Nodes that are passed over where they name nothing of interest."""

_RELEASES = r"version|torch\w*(?:newer|older|greater|less|least|[^a-z]g[et]|[^a-z]l[et]|\d)"
_OF_RELEASES = re.compile(_RELEASES)
"""The names of comparisons of releases: ``TORCH_GE_2_7``, ``is_torch_equal_or_newer``."""

_CHECK = re.compile(rf"(?i){_RELEASES}|hasattr|\b(?:dir|_config)\b|__dict__".encode())
"""Is in the lines of each condition that may check the release, or whether a flag exists; most have none."""

_CAUGHT = frozenset({"AttributeError", "Exception", "BaseException", "RuntimeError", "UnknownFlagError"})
"""The errors that cover the one of an unknown flag."""

_ENDING = (ast.Return, ast.Raise, ast.Continue, ast.Break)
"""The last statement of a block that ends the function, or the round of the loop, that it is in."""


class Walker:
    """Goes through the nodes of one file.

    Args:
        source: The text, in UTF-8.
    """

    # Names of methods: bound ones would tie the reader, and the whole tree of each file, into a cycle.
    _handlers: ClassVar[dict[type[ast.AST], str]] = {
        **dict.fromkeys((ast.Global, ast.Nonlocal), "_borrow"),
        ast.NamedExpr: "_walrus",
        ast.If: "_if",
        **dict.fromkeys((ast.IfExp, ast.BoolOp), "_condition"),
        ast.Try: "_try",
        getattr(ast, "TryStar", ast.Try): "_try",  # Python 3.11
        **dict.fromkeys((ast.ExceptHandler, ast.MatchAs), "_binding_name"),
        **dict.fromkeys((ast.MatchStar, ast.MatchMapping), "_binding_name"),
        **dict.fromkeys((ast.With, ast.AsyncWith), "_with"),
        **dict.fromkeys((ast.For, ast.AsyncFor), "_for"),
        ast.ClassDef: "_class",
        **dict.fromkeys(FUNCTIONS, "_function"),
        **dict.fromkeys((ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp), "_comprehension"),
    }

    def __init__(self, source: bytes) -> None:
        self._scope = Scope(Leads(source))
        self._guards: list[Guard] = []
        self._blocks = itertools.count(1)
        self._block = 0
        self._later: deque[tuple[Scope, list[Guard], Function]] = deque()  # whose bodies run after the rest
        self._loaded: dict[str, int] = {}  # packages that this module or function has loaded, and the lines
        self._has_children = False  # processes that read the variables of this one when they start

    def _walk(self, module: ast.Module) -> None:
        self._run(self._suite(module.body))
        while self._later:
            scope, guards, function = self._later.popleft()
            if self._matters(function):
                self._scope = Scope(scope.leads, scope)
                self._guards, self._block = guards, next(self._blocks)
                self._loaded = {}
                self._run(self._body(function))

    def _matters(self, node: Any) -> bool:
        """Tell whether a node has a word by which torch is configured; most have none."""
        return self._scope.leads.are_within(node)

    def _run(self, steps: Steps) -> None:
        """Go through the nodes that handlers yield, and those that their handlers yield in turn.

        A handler does not call another, because generated programs are nested deeper than Python calls may
        be: it yields a node, and goes on when that has been visited.
        """
        waiting, matters = [steps], self._scope.leads.are_within
        while waiting:
            node = next(waiting[-1], None)
            if node is None:
                waiting.pop()
            elif type(node) in _BINDING_NOTHING and not matters(node):
                continue
            elif (steps := getattr(self, self._handlers.get(type(node), "_children"))(node)) is not None:
                waiting.append(steps)

    def _children(self, node: ast.AST) -> Steps:
        for _, value in ast.iter_fields(node):
            parts = value if isinstance(value, list) else [value]
            if parts and isinstance(parts[0], ast.stmt):
                yield from self._suite(parts)
            else:
                yield from (each for each in parts if isinstance(each, ast.AST))

    def _suite(self, statements: list[ast.stmt], *guards: Guard) -> Steps:
        outer, self._block = self._block, next(self._blocks)
        depth = len(self._guards)
        self._guards.extend(guards)
        for statement in statements:
            yield statement
            if isinstance(statement, ast.If) and isinstance(statement.body[-1], _ENDING):
                # Only where the flag exists does the program go on.
                self._guards.append("checked" if self._checks(statement.test) else "")
        del self._guards[depth:]
        self._block = outer

    # Bindings.

    def _load(self, path: str, line: int) -> None:
        """Note that a line loads a module, or the package of an attribute."""
        self._has_children |= path.removeprefix("torch.").startswith("multiprocessing")
        if "unloaded" not in self._guards and (package := package_of(path)):
            self._loaded.setdefault(package, line)

    def _borrow(self, node: ast.Global | ast.Nonlocal) -> None:
        self._scope.borrow(node)

    def _walrus(self, node: ast.NamedExpr) -> Steps:
        yield node.value
        self._scope.bind(node.target, node.value)

    def _binding_name(self, node: ast.AST) -> Steps:
        """Bind the name of an exception, or one that a `case` captures."""
        name = getattr(node, "rest", None) or getattr(node, "name", None)
        if name is not None:
            self._scope.bind(ast.Name(name), None)
        yield from self._children(node)

    def _for(self, node: ast.For | ast.AsyncFor) -> Steps:
        yield node.iter
        self._bind_items(node.target, node.iter)
        yield from self._suite(node.body)
        yield from self._suite(node.orelse)

    def _bind_items(self, target: ast.expr, items: ast.expr) -> None:
        """Bind the target of a loop, which stands for all items: see `CallReader`."""
        of = self._scope.written(items)
        match items, getattr(of, "elts", None):
            case ast.Call(func=ast.Attribute(value=mapping, attr="items")), _:
                of = self._scope.written(mapping)
            case _, [ast.Tuple(elts=[_, _]), *_] as rows:  # [("NAME", "text")]
                pairs = [getattr(each, "elts", None) or [each] for each in rows]
                of = ast.Dict([each[0] for each in pairs], [each[-1] for each in pairs])
            case _:
                self._scope.bind(target, of)
                return
        self._scope.bind(target, None)
        if of and isinstance(target, ast.Tuple) and (isinstance(of, ast.Dict) or self._scope.is_dict(of)):
            self._scope.bind(target.elts[0], of)
            self._scope.bind(target.elts[-1], ast.Starred(of))

    def _comprehension(self, node: Any) -> Steps:
        outer = self._scope
        self._scope = Scope(outer.leads, outer)
        for each in node.generators:
            yield each.iter
            self._bind_items(each.target, each.iter)
            yield from each.ifs
        yield from filter(None, (getattr(node, name, None) for name in ("elt", "key", "value")))
        self._scope = outer

    def _class(self, node: ast.ClassDef) -> Steps:
        yield from (*node.decorator_list, *node.bases, *node.keywords)
        self._scope.bind(ast.Name(node.name), None)
        self._scope = Scope(self._scope.leads, self._scope, is_class=True)
        yield from self._suite(node.body)
        self._scope = self._scope.outer or self._scope

    def _function(self, node: Function) -> Steps:
        yield from (*node.args.defaults, *filter(None, node.args.kw_defaults))
        if not isinstance(node, ast.Lambda):
            self._scope.names.setdefault(node.name, None)
            yield from node.decorator_list
        self._later.append((self._scope, list(self._guards), node))

    def _body(self, node: Function) -> Steps:
        arguments = node.args
        named = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
        for each in filter(None, (*named, arguments.vararg, arguments.kwarg)):
            self._scope.names[each.arg] = None
        return iter([node.body]) if isinstance(node, ast.Lambda) else self._suite(node.body)

    # Guards.

    def _checks(self, test: ast.expr) -> bool:
        can_check = self._matters(test) or _CHECK.search(self._scope.leads.lines_of(test)) is not None
        return can_check and _checks_availability(test, self._scope)

    def _if(self, node: ast.If) -> Steps:
        yield node.test
        name = getattr(node.test, "id", "") or getattr(node.test, "attr", "")
        guard: Guard = "checked" if self._checks(node.test) else ""
        before = self._loaded
        self._loaded = {**before}
        yield from self._suite(node.body, "unloaded" if name == "TYPE_CHECKING" else guard)
        self._loaded = {**before}
        yield from self._suite(node.orelse, guard)
        self._loaded = before  # either may not have run

    def _condition(self, node: ast.IfExp | ast.BoolOp) -> Steps:
        tests = node.values if isinstance(node, ast.BoolOp) else [node.test]
        is_checked = any(map(self._checks, tests))
        self._guards.append("checked" if is_checked else "")
        yield from self._children(node)
        self._guards.pop()

    def _try(self, node: ast.Try) -> Steps:
        yield from self._suite(node.body, *_guards_of(node.handlers, self._scope.leads.lines_of(node)))
        yield from (*node.handlers, *node.orelse, *node.finalbody)

    def _with(self, node: ast.With | ast.AsyncWith) -> Steps:
        guards: list[Guard] = []
        for item in node.items:
            yield item.context_expr
            if item.optional_vars is not None:
                self._scope.bind(item.optional_vars, None)
            match item.context_expr:
                case ast.Call(func=called) as call if (self._scope.path(called) or "").endswith("suppress"):
                    passed = ast.ExceptHandler(ast.Tuple(call.args), None, [ast.Pass()])
                    guards += _guards_of([passed], self._scope.leads.lines_of(node))
        yield from self._suite(node.body, *guards)


def _checks_availability(test: ast.expr, scope: Scope) -> bool:
    """Tell whether a condition checks the release, or whether the flag exists."""
    for node in ast.walk(test):
        match node:
            case (
                ast.Call(func=ast.Name(id="hasattr" | "dir"), args=[asked, *_])
                | ast.Attribute(attr="_config" | "__dict__", value=asked)
            ):
                # What another object has, such as a model, is no question about torch.
                if (scope.path(asked) or "").startswith("torch"):
                    return True
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[asked]):
                if (scope.path(asked) or "").endswith("snapshot()"):
                    return True
        name = getattr(node, "id", "") or getattr(node, "attr", "")
        if _OF_RELEASES.search(name.lower()):
            return True
    return False


def _guards_of(handlers: Iterable[ast.ExceptHandler], lines: bytes) -> tuple[Guard, Guard]:
    """Return whether handlers catch that a flag cannot be imported by name, and that it cannot be used."""
    importing: Guard = ""
    using: Guard = ""
    # A snapshot of dynconf raises another error than torch.
    covering = _CAUGHT | {"KeyError"} if b"snapshot" in lines else _CAUGHT
    for handler in handlers:
        caught = ast.walk(handler.type) if handler.type else ()
        names = {getattr(node, "id", "") or getattr(node, "attr", "") for node in caught}
        if names & {"ImportError", "ModuleNotFoundError"}:
            importing = "importing"
        if not using and (handler.type is None or names & covering):
            is_silent = all(isinstance(each, (ast.Pass, ast.Continue)) for each in handler.body)
            using = "swallowed" if is_silent else "checked"
    return importing, using
