"""The places of a Python file at which it uses torch's configuration, found without running it.

The hard part is that Python can say it in a dozen ways. All of these set one flag::

    torch._dynamo.config.recompile_limit = 64
    config.patch(recompile_limit=64)                               # and {"recompile_limit": 64}
    setattr(config, "recompile_limit", 64)                         # and monkeypatch.setattr, patch.object
    mock.patch("torch._dynamo.config.recompile_limit", 64)
    exec("torch._dynamo.config.recompile_limit = 64")
    torch.compile(model, options={"max_autotune": True})           # of inductor

The reader notes places, and judges none: see `judgement`. How it goes through a file, see `walking`.
"""

import ast
import builtins
import re
from collections.abc import Iterable, Iterator
from typing import Any

from dynconf.catalogue.modules import catalogue
from dynconf.tools.lint import calls, remarks
from dynconf.tools.lint.calls import in_config
from dynconf.tools.lint.loading import CALL, COMPILATION, package_of
from dynconf.tools.lint.scopes import COMPILE, COPY, ENVIRONMENT, OF_INDUCTOR, Scope
from dynconf.tools.lint.sites import Fit, Guard, Problem, Site, Span, Unknown, Use, is_within, span_of
from dynconf.tools.lint.walking import Function, Steps, Walker

_CHANGING = frozenset(("add", "append", "clear", "extend", "insert", "pop", "remove", "setdefault", "update"))
"""Methods that change a value in place."""

_METHODS = frozenset({"patch", "load_config", "save_config", "save_config_portable", "shallow_copy_dict"})
"""Methods of config modules; all others are private, or take no flags."""

_USES: dict[str | None, Use] = {ENVIRONMENT: "variable", COPY: "child-variable"}
"""How an item of the environment, or of a copy, is set."""

_MOST_SITES = 100_000
"""How many are noted: a dict with many flags may be passed in many calls, and each time all of them count."""

_LONG = 1000
"""The most characters of code, shown by an f-string, in which each name is looked for."""


_PLACEHOLDER = "_formatted_"
"""In place of the values of an f-string that are known only when the program runs."""


class PythonReader(Walker):
    """Reads one file; `sites` and `remarks` are the result.

    Args:
        source: The text, in UTF-8.
        package: The package that the file is in, for relative imports.
        names: Modules that count as imported.
    """

    _handlers = Walker._handlers | {
        **dict.fromkeys((ast.Import, ast.ImportFrom), "_import"),
        **dict.fromkeys((ast.Assign, ast.AnnAssign), "_assign"),
        ast.AugAssign: "_augmented",
        ast.Delete: "_delete",
        ast.Expr: "_expression",
        ast.Attribute: "_attribute",
        **dict.fromkeys((ast.Subscript, ast.Compare), "_item"),
        ast.Call: "_call",
        ast.Dict: "_dict",
        ast.JoinedStr: "_formatted",
    }

    def __init__(self, source: bytes, package: str = "", names: Iterable[str] = ()) -> None:
        super().__init__(source)
        self._package = package
        self._scope.names.update({each: each for each in names})
        self.sites: list[Site] = []
        self.remarks: list[Problem] = []
        self._place: ast.expr | None = None  # of a text that is executed
        self._shown = ""  # code that is shown itself, by f"{config.verbose=}"
        self._added: set[tuple[str, str]] = set()  # flags that the program itself gives to a release
        self._guard_of_line: dict[int, Guard] = {}  # where a dict may be written that is used further on
        self._walk(ast.parse(source))

    def _import(self, node: ast.Import | ast.ImportFrom) -> None:
        for each, path in zip(node.names, self._scope.add_import(node, self._package), strict=True):
            self._load(path, node.lineno)
            found = in_config(path) if isinstance(node, ast.ImportFrom) else None
            if found and found[1]:  # from torch._dynamo.config import verbose
                guard: Guard = "checked" if "importing" in self._guards else ""
                self._note(Site("read", *found, span_of(each), guard=guard))

    def _suite(self, statements: list[ast.stmt], *guards: Guard) -> Steps:
        yield from super()._suite(statements, *guards)
        self.remarks.extend(remarks.of_suite(statements, self._scope))

    def _function(self, node: Function) -> Steps:
        yield from super()._function(node)
        if not isinstance(node, ast.Lambda) and any(map(self._matters, node.decorator_list)):
            self.remarks.extend(remarks.of_decorators(node, self._scope))
            for each in node.decorator_list:
                function, given = (each.func, each.keywords) if isinstance(each, ast.Call) else (each, [])
                if self._scope.path(function) == COMPILE:
                    self._load(CALL, node.lineno)
                    name = ast.Name(node.name)
                    self._scope.bind(name, ast.copy_location(ast.Call(function, [name], given), each))

    # Statements that set.

    def _expression(self, node: ast.Expr) -> Steps:
        self.remarks.extend(remarks.of_expression(node.value, self._scope))
        yield node.value

    def _assign(self, node: ast.Assign | ast.AnnAssign) -> Steps:
        if node.value is None:
            return
        if guard := self._guard():
            lines = range(node.lineno, (node.end_lineno or node.lineno) + 1)
            self._guard_of_line.update(dict.fromkeys(lines, guard))
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if not self._matters(node):
            for each in targets:
                self._scope.bind(each, node.value)
            return
        if isinstance(node.value, ast.Constant):
            self.remarks.extend(remarks.of_attributes(targets, self._scope))
        yield node.value
        for each in targets:
            yield from self._set(each, node.value)

    def _guard(self) -> Guard:
        guards: list[Guard] = ["", *(each for each in self._guards if each not in ("", "importing"))]
        return guards[-1]

    def _augmented(self, node: ast.AugAssign) -> Steps:
        yield node.value
        if use := _USES.get(self._scope.path(node.target)):
            for each in calls.used(use, calls.pairs(node.value, self._scope)):
                self._note(each, [node])
        yield from self._use("set", node.target)

    def _delete(self, node: ast.Delete) -> Steps:
        for target in node.targets:
            yield from self._use("delete", target)

    def _set(self, target: ast.expr, value: ast.expr) -> Steps:
        if isinstance(target, (ast.Tuple, ast.List)):
            values = value.elts if isinstance(value, (ast.Tuple, ast.List)) else []
            if len(values) == len(target.elts):
                for each, its_value in zip(target.elts, values, strict=True):
                    yield from self._set(each, its_value)
                return
            for each in target.elts:
                yield from self._use("set", each)
            self._scope.bind(target, None)
        elif isinstance(target, ast.Subscript) and (use := _USES.get(self._scope.path(target.value))):
            for found in calls.used(use, calls.texts(target.slice, value, self._scope)):
                self._note(found, [target])
        else:
            if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant):
                module, table = in_config(self._scope.path(target.value)) or ("", "")
                if table == "_config":
                    self._added.add((module, str(target.slice.value)))
            yield from self._use("set", target, value)
            self._scope.bind(target, value)

    # Expressions.

    def _item(self, node: ast.Subscript | ast.Compare) -> Steps:
        if isinstance(node, ast.Subscript):
            of, key = node.value, node.slice
            for each in calls.of_snapshot(node, self._scope):
                self._note(each, [node])
        else:
            of, key = node.comparators[0], node.left  # "NAME" in os.environ
        for each in calls.texts(key, None, self._scope) if self._scope.path(of) in _USES else ():
            self._note(each._replace(use="variable-read"), [node])
        yield from self._children(node)

    def _dict(self, node: ast.Dict) -> Steps:
        """Note a variable, as in ``{"name": "NAME", "value": "text"}``, or flags for vLLM."""
        found: Iterable[Site] = ()
        for key, value in zip(node.keys, node.values):
            for each in calls.handed_on(getattr(key, "value", ""), value, self._scope):
                self._note(each, [value])
        match {getattr(key, "value", key): value for key, value in zip(node.keys, node.values)}:
            case {"name": name, "value": value}:
                found = calls.texts(name, value, self._scope)
            case {None: others} if self._scope.path(others) in _USES:
                found = calls.pairs(node, self._scope)
        for each in calls.used("child-variable", found):
            self._note(each, [node])
        yield from self._children(node)

    def _attribute(self, node: ast.Attribute) -> Steps:
        return self._use("read", node)

    def _formatted(self, node: ast.JoinedStr) -> Steps:
        outer, before = self._shown, ""
        for each in node.values:
            self._shown = f"{outer} {before}" if before.endswith("=") else outer
            yield each
            before = str(each.value).rstrip() if isinstance(each, ast.Constant) else ""
        self._shown = outer

    def _use(self, use: Use, node: ast.expr, value: ast.expr | None = None) -> Steps:
        """Note a flag that is written as an attribute, or changed in place by any name of its value."""
        whole = node
        while use != "read" and isinstance(node, ast.Subscript):  # config.x["key"] = value
            yield node.slice
            use, node, value = "change", node.value, None
        path = self._scope.path(node) if isinstance(node, ast.Attribute) or node is not whole else None
        found = path and in_config(path)
        if use == "set" and (field := calls.in_model(path)):
            use, found = "field", field
        if path and package_of(path) != "torch":  # that was loaded where it was imported
            self._load(path, node.lineno)
        if not found:
            parts = ast.iter_child_nodes(node) if node is whole else [node]
            yield from (each for each in parts if isinstance(each, ast.expr))
            return
        module, name = found
        flag = _flag_in(module, name)
        while len(flag) < len(name) and isinstance(node, ast.Attribute):
            use = "change" if use == "read" and node.attr in _CHANGING else use
            name, value = name.rpartition(".")[0], None
            node = node.value
        is_private = name.startswith("_") and name not in catalogue(module).flags  # as torch's own _config
        is_flag = name and not is_private and name not in _METHODS
        if is_flag and isinstance(node, ast.Attribute):
            fit: Fit = "" if "." in name else "path"
            end_line, end = node.end_lineno or node.lineno, node.end_col_offset or 0
            start = end - len(name.rpartition(".")[2].encode())
            self._note(Site(use, module, name, Span(end_line, start, end_line, end), value, fit))
        elif is_flag and use == "change":  # options = config.x; options["key"] = value
            self._note(Site(use, module, name, span_of(node)))
        while isinstance(node, ast.Attribute):
            node = node.value
        yield node  # (config := torch._dynamo.config).verbose

    def _note(self, site: Site, places: Iterable[ast.AST] | None = None) -> None:
        """Note a flag or variable; a name that is written outside of these places may be used elsewhere."""
        if self._place is not None:  # of an executed text
            site = site._replace(span=span_of(self._place), fit="")
        elif places is not None and not any(is_within(site.span, each) for each in places):
            site = site._replace(fit="")
        if self._shown and (
            len(self._shown) > _LONG or re.search(rf"[.'\"(]\s*{re.escape(site.name)}\b", self._shown)
        ):
            site = site._replace(fit="")
        if len(self.sites) == _MOST_SITES:
            raise ValueError(f"it uses flags and variables at more than {_MOST_SITES} places")
        is_added = (site.module, site.name) in self._added
        of_line = "checked" if is_added else self._guard_of_line.get(site.span.line, "")
        use = "child-variable" if site.use == "variable" and self._has_children else site.use
        made = site._replace(
            use=use,
            value=_literal(site.value),
            guard=site.guard or self._guard() or of_line,
            block=site.block or self._block,
            loaded=tuple(self._loaded.items()) if use in ("variable", "change") else (),
        )
        self.sites.append(made)

    def _call(self, node: ast.Call) -> Steps:
        prepared, node = node, self._scope.without_partial(node)
        block = next(self._blocks) if isinstance(node.func, ast.Attribute) else 0  # a patch is one of its own
        # Arguments that a partial has by name can be given again, by the old name, where it is called.
        places = [node] if node is prepared else node.args
        for each in calls.mentions(node, self._scope):
            self._note(each._replace(block=block), places)
        given = {each.name: each.value for each in calls.keywords(node, self._scope)}
        path = self._scope.path(node.func)
        if node is prepared and (node.args or path is None) and calls.compiles(node, self._scope):
            self._load(CALL, node.lineno)
        if (node is prepared and path in OF_INDUCTOR) or calls.runs_compiled(node, self._scope):
            self._loaded.setdefault(COMPILATION, node.lineno)
        self.remarks.extend(each.guarded(self._guard()) for each in remarks.of_call(node, given, self._scope))
        if isinstance(node.func, ast.Name) and node.func.id == "exec" and node.args:
            yield from self._execute(node.args[0])
        found = in_config(path)
        if found is None:
            yield node.func
        elif _flag_in(*found) != found[1]:  # a method of the value of a flag, and not of the module
            yield from self._use("read", node.func)
        yield from (*node.args, *node.keywords)

    def _execute(self, node: ast.expr) -> Steps:
        """Read a text, or each of the texts in a container, as code; not those that this code executes."""
        found = self._scope.written(node) or node
        for each in getattr(found, "elts", [found]) if self._place is None else ():
            self._place = place = self._scope.written(each) or each
            if code := _settings_in(place):
                yield from self._suite(code.body)
                for name in _names_without_quotes(code, self._scope):
                    text = f"{name} is not a name in this file: text needs its own quotes"
                    self.remarks.append(Problem("DC307", "warning", span_of(place), text))
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


def _literal(node: Any) -> Any:
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return Unknown


def _settings_in(node: ast.expr) -> ast.Module | None:
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
    return str(node.value) if calls.is_text(node) else ""


def _names_without_quotes(code: ast.Module, scope: Scope) -> Iterator[str]:
    """Yield the values of flags that are no names: the ``O1`` of ``"inductor_config.cpp.flags = -O1"``."""
    for statement in code.body:
        if isinstance(statement, ast.Assign) and any(
            in_config(scope.path(each)) for each in statement.targets
        ):
            names = (node.id for node in ast.walk(statement.value) if isinstance(node, ast.Name))
            unknown = (each for each in names if not scope.is_bound(each) and not hasattr(builtins, each))
            yield from (each for each in unknown if _PLACEHOLDER not in each)
