"""The places of a Python file at which it uses torch's configuration, found without running it.

The hard part is that Python can say it in a dozen ways. All of these set one flag::

    torch._dynamo.config.recompile_limit = 64
    config.patch(recompile_limit=64)                               # and {"recompile_limit": 64}
    setattr(config, "recompile_limit", 64)                         # and monkeypatch.setattr, patch.object
    mock.patch("torch._dynamo.config.recompile_limit", 64)
    exec("torch._dynamo.config.recompile_limit = 64")
    torch.compile(model, options={"max_autotune": True})           # of inductor

The reader goes through a file as Python would: through a module from top to bottom, and through functions
after everything around them. It notes places, and judges none: see `judgement`.
"""

import ast
import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from dynconf.lint import remarks
from dynconf.lint.calls import CallReader, Mention, in_config, span_of
from dynconf.lint.executed import names_without_quotes, settings_in
from dynconf.lint.guards import asks, guard_of, leaves
from dynconf.lint.scopes import FUNCTIONS, Scope
from dynconf.lint.sites import UNKNOWN, Guard, Remark, Site, Span, Use
from dynconf.modules import catalogue, module_path, modules_set_by

_METHODS = frozenset({"patch", "load_config", "save_config", "save_config_portable", "shallow_copy_dict"})
"""Methods of config modules; all others are private, or take no flags."""


class PythonReader:
    """Reads one file; `sites` and `remarks` are the result.

    Args:
        source: The text, in UTF-8.
        package: The package that the file is in, for relative imports.
    """

    def __init__(self, source: bytes, package: str = "") -> None:
        self.sites: list[Site] = []
        self.remarks: list[Remark] = []
        self._calls = CallReader(source.splitlines())
        self._package = package
        self._scope = Scope()
        self._guards: list[Guard] = []
        self._blocks = itertools.count(1)
        self._block = 0
        self._later: list[tuple[Scope, Callable[[], None]]] = []
        self._loaded: dict[str, int] = {}  # modules that were imported at the top level, and the lines
        self._place: ast.expr | None = None  # of a text that is executed
        self._handlers: dict[type[ast.AST], Callable[[Any], None]] = {
            ast.Import: self._import,
            ast.ImportFrom: self._import,
            ast.Assign: self._assign,
            ast.AnnAssign: self._annotated,
            ast.AugAssign: self._augmented,
            ast.Delete: self._delete,
            ast.Attribute: self._attribute,
            ast.Call: self._call,
            ast.If: self._if,
            ast.IfExp: self._if_expression,
            ast.BoolOp: self._bool_op,
            ast.Try: self._try,
            ast.With: self._with,
            ast.AsyncWith: self._with,
            ast.For: self._for,
            ast.AsyncFor: self._for,
            ast.ClassDef: self._class,
            **dict.fromkeys(FUNCTIONS, self._function),
        }
        if star := getattr(ast, "TryStar", None):  # Python 3.11
            self._handlers[star] = self._try
        self._suite(ast.parse(source).body)
        while self._later:
            self._scope, work = self._later.pop(0)
            self._block = next(self._blocks)
            work()

    # Walking.

    def _visit(self, node: ast.AST) -> None:
        handler = self._handlers.get(type(node))
        if handler is not None:
            handler(node)
        else:
            self._children(node)

    def _children(self, node: ast.AST) -> None:
        for name in node._fields:
            value = getattr(node, name)
            if type(value) is list:
                if value and isinstance(value[0], ast.stmt):
                    self._suite(value)
                else:
                    for each in value:
                        if isinstance(each, ast.AST):
                            self._visit(each)
            elif isinstance(value, ast.AST):
                self._visit(value)

    def _suite(self, statements: list[ast.stmt]) -> None:
        outer, self._block = self._block, next(self._blocks)
        depth = len(self._guards)
        for number, statement in enumerate(statements):
            self._visit(statement)
            if isinstance(statement, ast.If) and asks(statement.test) and leaves(statement.body):
                self._guards.append("checked")  # only where the flag exists does the program come here
            elif isinstance(statement, (ast.With, ast.AsyncWith)):
                self.remarks.extend(remarks.of_block(statement, statements[number + 1 :], self._scope))
        del self._guards[depth:]
        self._block = outer

    @contextmanager
    def _guarded(self, guard: Guard) -> Iterator[None]:
        self._guards.append(guard)
        yield
        self._guards.pop()

    # Statements that bind names.

    def _import(self, node: ast.Import | ast.ImportFrom) -> None:
        loaded = self._scope.add_import(node, self._package)
        if self._scope.outer is None:
            for module in loaded:
                self._loaded.setdefault(module, node.lineno)

    def _assign(self, node: ast.Assign) -> None:
        self._visit(node.value)
        for target in node.targets:
            self._set(target, node.value)

    def _annotated(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self._visit(node.value)
            self._set(node.target, node.value)

    def _augmented(self, node: ast.AugAssign) -> None:
        self._visit(node.value)
        path = self._scope.path(node.target)
        if path == "os.environ":
            for each in self._calls.variables(node.value, self._scope):
                self._mention(each)
        self._use("change", node.target)

    def _delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            self._use("delete", target)

    def _set(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, (ast.Tuple, ast.List)):
            values = value.elts if isinstance(value, (ast.Tuple, ast.List)) else []
            if len(values) == len(target.elts):
                for each, its_value in zip(target.elts, values, strict=True):
                    self._set(each, its_value)
                return
            for each in target.elts:
                self._use("set", each)
            self._scope.bind(target, None)
        elif isinstance(target, ast.Subscript) and self._scope.path(target.value) == "os.environ":
            for found in self._calls.variable(target.slice, value):
                self._mention(found)
        else:
            self._use("set", target, value)
            self._scope.bind(target, value)

    def _for(self, node: ast.For | ast.AsyncFor) -> None:
        # The target stands for all items: see `_execute`.
        self._scope.bind(node.target, self._scope.written(node.iter))
        self._children(node)

    # Statements with code in them.

    def _if(self, node: ast.If) -> None:
        self._visit(node.test)
        with self._guarded("checked" if asks(node.test) else ""):
            self._suite(node.body)
            self._suite(node.orelse)

    def _if_expression(self, node: ast.IfExp) -> None:
        with self._guarded("checked" if asks(node.test) else ""):
            self._children(node)

    def _bool_op(self, node: ast.BoolOp) -> None:
        with self._guarded("checked" if any(map(asks, node.values)) else ""):
            self._children(node)

    def _try(self, node: ast.Try) -> None:
        with self._guarded(guard_of(node.handlers)):
            self._suite(node.body)
        for part in (*node.handlers, *node.orelse, *node.finalbody):
            self._visit(part)

    def _with(self, node: ast.With | ast.AsyncWith) -> None:
        suppresses = False
        for item in node.items:
            self._visit(item.context_expr)
            if item.optional_vars is not None:
                self._scope.bind(item.optional_vars, None)
            call = item.context_expr
            suppresses |= isinstance(call, ast.Call) and (self._scope.path(call.func) or "").endswith(
                "suppress"
            )
        with self._guarded("swallowed" if suppresses else ""):
            self._suite(node.body)

    def _class(self, node: ast.ClassDef) -> None:
        for each in (*node.decorator_list, *node.bases, *node.keywords):
            self._visit(each)
        self._scope.bind(ast.Name(node.name), None)
        self._scope = Scope(self._scope, is_class=True)
        self._suite(node.body)
        self._scope = self._scope.outer or self._scope

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> None:
        scope, guards = Scope(self._scope), list(self._guards)
        arguments = node.args
        for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
            scope.names[each.arg] = None
        for further in (arguments.vararg, arguments.kwarg):
            if further is not None:
                scope.names[further.arg] = None
        for default in (*arguments.defaults, *filter(None, arguments.kw_defaults)):
            self._visit(default)
        if not isinstance(node, ast.Lambda):
            self._scope.names.setdefault(node.name, None)
            for decorator in node.decorator_list:
                self._visit(decorator)
            self.remarks.extend(remarks.of_decorators(node, self._scope))

        def read() -> None:
            self._guards = guards
            if isinstance(node, ast.Lambda):
                self._visit(node.body)
            else:
                self._suite(node.body)

        self._later.append((scope, read))

    # Expressions.

    def _attribute(self, node: ast.Attribute) -> None:
        if self._scope.path(node) is None:
            self._visit(node.value)
        else:
            self._use("read", node)

    def _use(self, use: Use, node: ast.expr, value: ast.expr | None = None) -> None:
        """Note a flag that is written as an attribute."""
        path = self._scope.path(node) if isinstance(node, ast.Attribute) else None
        found = path and in_config(path)
        if not found:
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.expr) and not isinstance(node, ast.Name):
                    self._visit(child)
            return
        module, name = found
        flag = _flag_in(module, name)
        while len(flag) < len(name) and isinstance(node, ast.Attribute):
            use = "change" if use == "read" else use  # a method of its value, such as `add`
            name, value = name.rpartition(".")[0], None
            node = node.value
        if name and not name.startswith("_") and name not in _METHODS and isinstance(node, ast.Attribute):
            self._note(use, module, name, self._attribute_span(node, name), value, exact="." not in name)

    def _attribute_span(self, node: ast.Attribute, name: str) -> Span:
        last = name.rpartition(".")[2]
        end_line, end = node.end_lineno or node.lineno, node.end_col_offset or 0
        return Span(end_line, end - len(last.encode()), end_line, end)

    def _note(
        self,
        use: Use,
        module: str,
        name: str,
        span: Span,
        value: ast.expr | None = None,
        *,
        block: int = 0,
        exact: bool = False,
        late: int = 0,
    ) -> None:
        if self._place is not None:  # of an executed text
            span, exact = span_of(self._place), False
        guard: Guard = next((each for each in reversed(self._guards) if each), "")
        made = Site(use, module, name, span, _literal(value), guard, block or self._block, exact, late)
        self.sites.append(made)

    def _call(self, node: ast.Call) -> None:
        block = next(self._blocks) if isinstance(node.func, ast.Attribute) else 0  # a patch is one of its own
        for each in self._calls.mentions(node, self._scope):
            self._mention(each, block)
        self.remarks.extend(remarks.of_call(node, self._scope))
        if isinstance(node.func, ast.Name) and node.func.id == "exec" and node.args:
            self._execute(node.args[0])
        found = in_config(self._scope.path(node.func))
        if found is None:
            self._visit(node.func)
        elif _flag_in(*found) != found[1]:  # a method of the value of a flag, and not of the module
            self._use("read", node.func)
        for argument in (*node.args, *node.keywords):
            self._visit(argument)

    def _mention(self, found: Mention, block: int = 0) -> None:
        late = 0
        if found.use == "variable" and self._scope.outer is None:
            module = next(iter(modules_set_by({found.name})), "")
            package = module_path(module).rpartition(".")[0] if module else "-"
            loaded = (line for each, line in self._loaded.items() if f"{each}.".startswith(f"{package}."))
            late = next(loaded, 0)
        self._note(*found[:5], block=block, exact=found.exact, late=late)

    def _execute(self, node: ast.expr) -> None:
        """Read a text, or each of the texts in a container."""
        node = self._scope.written(node) or node
        if isinstance(node, (ast.List, ast.Tuple)):
            for each in node.elts:
                self._execute(each)
        elif self._place is None and (code := settings_in(node)):
            self._place = node
            self._suite(code.body)
            for name in names_without_quotes(code, self._scope):
                text = f"{name} is no name in this file: a text needs quotes of its own"
                self.remarks.append(Remark("DC307", span_of(node), text))
            self._place = None


def _flag_in(module: str, name: str) -> str:
    """Return the part of a dotted name that is that of a flag; the whole, if there is none in it."""
    known, part = catalogue(module), name
    while part:
        if part in known.flags or part in known.removed:
            return part
        part = part.rpartition(".")[0]
    first, _, rest = name.partition(".")
    return name if first in known.groups else first if rest else name


def _literal(node: ast.expr | None) -> Any:
    if node is None:
        return UNKNOWN
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return UNKNOWN
