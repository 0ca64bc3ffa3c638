"""The names of a Python file, and the objects of torch that they mean.

A name means the config module that it was imported as, in the function that imports it and in those inside
it. Anything else that binds it, such as a parameter, hides that::

    from torch._dynamo import config

    def main(config):           # of some other kind
        config.verbose = True   # so this is no flag
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from dynconf.catalogue.modules import MODULES, module_path
from dynconf.tools.lint.leads import Leads

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)

_WRITTEN = (ast.Dict, ast.List, ast.Tuple, ast.Constant, ast.JoinedStr, ast.BinOp, ast.Starred)

# Each part of a chain is looked at, and each assignment to a dict makes a new one, so that a file made for it
# would take minutes. No object of torch is that deep, and no config module that large.
_MOST_LINKS = 16
_MOST_ITEMS = 1000

COMPILE = "torch.compile"

OF_INDUCTOR: dict[str, tuple[str, int | None]] = {
    "torch._inductor.compile": ("options", 2),
    "torch._inductor.compile_fx.compile_fx": ("config_patches", 3),
    "torch._inductor.compile_fx.compile_fx_aot": ("config_patches", 3),
    "torch._inductor.aoti_compile_and_package": ("inductor_configs", None),
    "torch._inductor.aot_compile": ("options", None),
    "torch._inductor.standalone_compile": ("options", None),
    "torch._export.aot_compile": ("options", None),
}
"""Functions that compile at once, and the argument of each that has flags of inductor."""

_HOMES = tuple(map(module_path, MODULES))
_LEADS = (*_HOMES, COMPILE, *OF_INDUCTOR, "os.", "subprocess", "dynconf")
"""How the paths of objects begin by which torch is configured."""

_ABOVE = frozenset(
    path[:end] for path in (*_HOMES, *OF_INDUCTOR) for end, sign in enumerate(path) if sign == "."
)
"""The packages and modules that config modules and these functions are in."""

ENVIRONMENT, COPY = "os.environ", "os.environ.copy()"
"""The paths of the environment of this process, and of copies, which are for others."""

OF_CHILDREN = re.compile(r"(?:^|_)env(?:s|ironment)?(?:_|$)")
"""The names of what has variables for others: of a subprocess, a session of nox, the tasks of Ray."""

_MADE = re.compile(r"dynconf\.(?:\w+\.)?(?:snapshot|\w*(?:Flags|Settings))")
"""Functions and models of dynconf whose results have flags, those of the release at hand."""


def _copy(node: ast.expr) -> str | None:
    """Return the path of a copy of the environment, if the name of something unknown says that it is one."""
    name: str = getattr(node, "id", "") or getattr(node, "attr", "")
    return COPY if "env" in name and OF_CHILDREN.search(name) else None


Meaning = str | ast.expr | None
"""The dotted path of an object, a text, container or call of `torch.compile`, or None for anything else."""


@dataclass(slots=True)
class Scope:
    """The names of a module, a class or a function."""

    leads: Leads
    """Those of the whole file, which learn the names that mean something by which torch is configured."""
    outer: "Scope | None" = None
    is_class: bool = False
    names: dict[str, Meaning] = field(default_factory=dict)
    borrowed: dict[str, "Scope"] = field(default_factory=dict)

    def borrow(self, node: ast.Global | ast.Nonlocal) -> None:
        """Bind names of ``global`` and ``nonlocal`` where they are at home."""
        for name in node.names:
            home = self
            while home.outer is not None and (home is self or isinstance(node, ast.Global)):
                home = home.outer
            self.borrowed[name] = home.borrowed.get(name, home)

    def _outwards(self) -> Iterator["Scope"]:
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.outer

    def find(self, name: str) -> Meaning:
        """Return the meaning of a name in this scope; None for one that is not known."""
        scope: Scope | None = self
        while scope is not None:  # this is asked most of all, and a generator would take twice as long
            # Functions do not see the names of the class that they are in.
            if name in scope.names and (scope is self or not scope.is_class):
                return scope.names[name]
            scope = scope.outer
        return None

    def is_bound(self, name: str) -> bool:
        """Tell whether the file itself binds the name, so that it is no built-in."""
        return any(name in scope.names for scope in self._outwards())

    def imports(self, package: str) -> bool:
        """Tell whether a name of this scope, or of one around it, means something of a package."""
        meanings = (each for scope in self._outwards() for each in scope.names.values())
        return any(isinstance(each, str) and f"{each}.".startswith(f"{package}.") for each in meanings)

    def path(self, node: ast.expr) -> str | None:
        """Return the dotted path of the object that an expression means, such as ``torch.compile``."""
        links: list[ast.Attribute | ast.Call] = []
        found: Meaning = None
        while isinstance(node, (ast.Attribute, ast.Call, ast.NamedExpr)):
            if isinstance(node, ast.Attribute) and (members := self._members(node.value)):
                found = members.get(node.attr)
                break
            if len(links) > _MOST_LINKS:
                return None
            if not isinstance(node, ast.NamedExpr):
                links.append(node)
            node = node.func if isinstance(node, ast.Call) else node.value
        if isinstance(node, ast.Name):
            found = self.find(node.id)
        path = found if isinstance(found, str) else None if found else _copy(node)
        for link in reversed(links):
            if isinstance(link, ast.Call):
                path = self._path_of_result(link, path)
            else:
                path = f"{path}.{link.attr}" if path else _copy(link)
        return path

    def _path_of_result(self, node: ast.Call, function: str | None) -> str | None:
        if function == "os.environ.copy":
            return COPY
        if function and _MADE.fullmatch(function) and all(each.arg != "_torch" for each in node.keywords):
            return f"{function}()"
        if not node.args:
            return None
        if self.is_dict(node) and self.path(node.args[0]) in (ENVIRONMENT, COPY):
            return COPY
        if function in ("importlib.import_module", "import_module"):
            module = getattr(node.args[0], "value", None)
            return module if isinstance(module, str) else None
        return None

    def _members(self, node: ast.expr) -> dict[str, Meaning] | None:
        """Return the names of the class around this function, if the expression is its ``self``."""
        is_self = isinstance(node, ast.Name) and node.id in ("self", "cls")
        return next((each.names for each in self._outwards() if each.is_class), None) if is_self else None

    def is_dict(self, node: ast.expr | None) -> bool:
        """Tell whether an expression is ``dict(...)``."""
        return (
            isinstance(node, ast.Call)
            and getattr(node.func, "id", "") == "dict"
            and not self.is_bound("dict")
        )

    def without_partial(self, node: ast.Call) -> ast.Call:
        """Return the call that ``functools.partial(function, ...)`` prepares, or the call itself."""
        if node.args and self.path(node.func) == "functools.partial":
            return ast.copy_location(ast.Call(node.args[0], node.args[1:], node.keywords), node)
        return node

    def written(self, node: ast.expr | None) -> ast.expr | None:
        """Return the expression itself, or the text or container that its name stands for."""
        if isinstance(node, ast.Name):
            found = self.find(node.id)
            return found if isinstance(found, ast.expr) else node
        return node

    def add_import(self, node: ast.Import | ast.ImportFrom, package: str) -> list[str]:
        """Bind the names of an import; return the modules that it loads."""
        start = ""
        if isinstance(node, ast.ImportFrom):
            parts = package.split(".") if node.level else []
            parts = parts[: len(parts) - node.level + 1]
            start = ".".join([*parts, *filter(None, [node.module])]) + "."
        for each in node.names:
            first = each.name.partition(".")[0]  # which an import without another name binds
            name, path = each.asname or first, f"{start}{each.name}"
            self._set(self.borrowed.get(name, self).names, name, path if start or each.asname else first)
        return [f"{start}{each.name}" for each in node.names]

    def bind(self, target: ast.expr, value: ast.expr | None) -> None:
        """Bind the names of an assignment."""
        if isinstance(target, ast.Name):
            self._bind_name(self.borrowed.get(target.id, self).names, target.id, value)
        elif isinstance(target, ast.Attribute):
            if (members := self._members(target.value)) is not None:
                self._bind_name(members, target.attr, value)
        elif isinstance(target, ast.Subscript):
            self._add_item(target, value)
        elif isinstance(target, (ast.Tuple, ast.List)):
            for each in target.elts:
                self.bind(each, None)
        elif isinstance(target, ast.Starred):
            self.bind(target.value, None)

    def _add_item(self, target: ast.Subscript, value: ast.expr | None) -> None:
        """Add an item to the dict that a name stands for: ``options["max_autotune"] = True``."""
        of = self.written(target.value)
        if not isinstance(target.value, ast.Name) or not isinstance(of, ast.Dict):
            return
        if value is not None and len(of.keys) < _MOST_ITEMS:
            name = target.value.id
            added = ast.Dict([*of.keys, target.slice], [*of.values, value])
            self.borrowed.get(name, self).names[name] = ast.copy_location(added, of)

    def _bind_name(self, names: dict[str, Meaning], name: str, value: ast.expr | None) -> None:
        meaning: Meaning = None
        if value is not None:
            meaning = self.path(value)
            is_compiled = isinstance(value, ast.Call) and self.path(value.func) == COMPILE
            if is_compiled:
                self.leads.add(name)
            if meaning is None and (isinstance(value, _WRITTEN) or self.is_dict(value) or is_compiled):
                meaning = value
        is_nothing = isinstance(value, ast.Constant) and value.value is None
        # ``config = None`` beside an import is for where there is no torch.
        if not (is_nothing and isinstance(names.get(name), str)):
            self._set(names, name, meaning)

    def _set(self, names: dict[str, Meaning], name: str, meaning: Meaning) -> None:
        names[name] = meaning
        if isinstance(meaning, str) and (
            meaning.startswith(_LEADS) or (meaning in _ABOVE and name != "torch")
        ):
            self.leads.add(name)
