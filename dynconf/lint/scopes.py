"""The names of a Python file, and the objects of torch that they mean.

A name means the config module that it was imported as, in the function that imports it and in those inside
it. Anything else that binds it, such as a parameter, hides that::

    from torch._dynamo import config

    def main(config):           # of some other kind
        config.verbose = True   # so this is no flag
"""

import ast
from dataclasses import dataclass, field

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)

_WRITTEN = (ast.Dict, ast.List, ast.Tuple, ast.Constant, ast.JoinedStr)

Meaning = str | ast.expr | None
"""The dotted path of an object, a text or container that is written there, or None for anything else."""


@dataclass(slots=True)
class Scope:
    """The names of a module, a class or a function."""

    outer: "Scope | None" = None
    is_class: bool = False
    names: dict[str, Meaning] = field(default_factory=dict)

    def find(self, name: str) -> Meaning:
        """Return the meaning of a name in this scope; None for one that is not known."""
        scope: Scope | None = self
        while scope is not None:
            # Functions do not see the names of the class that they are in.
            if name in scope.names and (scope is self or not scope.is_class):
                return scope.names[name]
            scope = scope.outer
        return None

    def is_bound(self, name: str) -> bool:
        """Tell whether the file itself binds the name, so that it is no built-in."""
        scope: Scope | None = self
        while scope is not None and name not in scope.names:
            scope = scope.outer
        return scope is not None

    def path(self, node: ast.expr) -> str | None:
        """Return the dotted path of the object that an expression means, such as ``torch.compile``."""
        if isinstance(node, ast.Name):
            found = self.find(node.id)
            return found if isinstance(found, str) else None
        if isinstance(node, ast.Attribute):
            base = self.path(node.value)
            return base and f"{base}.{node.attr}"
        if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            imports = self.path(node.func) in ("importlib.import_module", "import_module")
            module = node.args[0].value
            return module if imports and isinstance(module, str) else None
        return None

    def written(self, node: ast.expr | None) -> ast.expr | None:
        """Return the expression itself, or the text or container that its name stands for."""
        if isinstance(node, ast.Name):
            found = self.find(node.id)
            return found if isinstance(found, ast.expr) else node
        return node

    def add_import(self, node: ast.Import | ast.ImportFrom, package: str) -> list[str]:
        """Bind the names of an import; return the modules that it loads."""
        if isinstance(node, ast.Import):
            for each in node.names:
                first = each.name.partition(".")[0]
                self.names[each.asname or first] = each.name if each.asname else first
            return [each.name for each in node.names]
        module = node.module or ""
        if node.level:
            parts = package.split(".")
            parts = parts[: len(parts) - node.level + 1]
            module = ".".join([*parts, *filter(None, [module])])
        for each in node.names:
            self.names[each.asname or each.name] = f"{module}.{each.name}"
        return [f"{module}.{each.name}" for each in node.names]

    def bind(self, target: ast.expr, value: ast.expr | None) -> None:
        """Bind the names of an assignment."""
        if isinstance(target, ast.Name):
            meaning: Meaning = None
            if value is not None:
                meaning = value if isinstance(value, _WRITTEN) else self.path(value)
            is_nothing = isinstance(value, ast.Constant) and value.value is None
            # ``config = None`` beside an import is for where there is no torch.
            if not (is_nothing and isinstance(self.names.get(target.id), str)):
                self.names[target.id] = meaning
        elif isinstance(target, (ast.Tuple, ast.List)):
            for each in target.elts:
                self.bind(each, None)
        elif isinstance(target, ast.Starred):
            self.bind(target.value, None)
