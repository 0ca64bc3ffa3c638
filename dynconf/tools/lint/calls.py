"""The flags and variables that the arguments of a call name."""

import ast
import re
from collections.abc import Iterable, Iterator
from typing import TypeGuard

from dynconf.catalogue.modules import MODULES, SHORT_NAMES, catalogue
from dynconf.catalogue.modules.dynamo import logs
from dynconf.catalogue.modules.modes import KEYWORDS, OF_TORCH_COMPILE
from dynconf.catalogue.names import split
from dynconf.tools.lint.scopes import COMPILE, COPY, ENVIRONMENT, OF_CHILDREN, OF_INDUCTOR, Scope
from dynconf.tools.lint.sites import Site, Span, Unknown, Use, span_of
from dynconf.tools.lint.texts import HANDED_ON, variable_sites

_PARAMETERS: dict[str, tuple[str, ...]] = {
    "patch": ("missing",),
    "install": ("missing", "config", "scope"),
    "defaults": ("missing", "quiet", "allow"),
    "options": ("missing", "mode", *OF_TORCH_COMPILE),
    **dict.fromkeys(("hold", "reset", "origin", "Flags", "Settings"), ()),
}
"""The functions and models of dynconf that take flags, and the parameters of each that are none."""

_OURS = {
    f"dynconf.{start}{function}": (module or "dynamo", function)
    for module in ("", *MODULES)
    for start in (module and f"{module}.", module.capitalize() or "Compile")
    for function in _PARAMETERS
}
_BY_NAME: dict[str, Use] = {
    "setattr": "set",
    "delattr": "delete",
    "hasattr": "probe",
    "getattr": "read",
    "object": "set",
    "patch": "set",
}
_READING = ("os.environ.get", "os.environ.pop", "os.getenv")
_SETTING = ("os.environ.setdefault", "os.putenv")

_WORDS: dict[str, Use] = {"torch._dynamo.optimize": "backend", "torch.compiler.set_stance": "stance"}
"""Functions that take a word, and what it is."""

_WORDS_HANDED_ON: dict[object, Use] = {"torch_compile_mode": "mode", "torch_compile_backend": "backend"}
"""What transformers takes for `torch.compile`."""

_COMMANDS = re.compile(r"os\.(?:system|popen)|subprocess\.\w+")
"""Functions that run a command, which may set variables before it."""


def in_config(path: str | None) -> tuple[str, str] | None:
    """Return the config module that a dotted path leads to, and the rest of the path."""
    for home, module in SHORT_NAMES.items() if path else ():
        if path is not None and path.startswith(home) and path[len(home) : len(home) + 1] in ("", "."):
            return module, path[len(home) + 1 :]
    return None


def in_model(path: str | None) -> tuple[str, str] | None:
    """Return the config module and the name of a field of a model that a dotted path leads to."""
    made, _, name = (path or "").partition("().")
    return split(name, _OURS[made][0]) if made in _OURS and name not in ("", *MODULES) else None


def is_torchs_patch(node: ast.expr, scope: Scope) -> bool:
    """Tell whether an expression calls the `patch` of a config module."""
    found = in_config(scope.path(node.func)) if isinstance(node, ast.Call) else None
    return found is not None and found[1] == "patch"


def is_patch(node: ast.expr, scope: Scope) -> bool:
    """Tell whether an expression calls torch's patch or dynconf's, or sets flags alike."""
    path = scope.path(node.func) if isinstance(node, ast.Call) else None
    return is_torchs_patch(node, scope) or (path in _OURS and path != "dynconf.hold")  # nothing beats that


def compiles(node: ast.Call, scope: Scope) -> bool:
    """Tell whether a call is `torch.compile` or alike, or ``model.compile(mode="max-autotune")`` of a module.

    The method of a module is known by its keywords alone: other libraries have one of that name.
    """
    path = scope.path(node.func)
    if path is not None or not isinstance(node.func, ast.Attribute) or node.args:
        return path == COMPILE or path in OF_INDUCTOR
    given = {each.arg for each in node.keywords}
    return node.func.attr == "compile" and bool(given) and given <= KEYWORDS.keys() and scope.imports("torch")


def runs_compiled(node: ast.Call, scope: Scope) -> bool:
    """Tell whether a call is one of what `torch.compile` has made for inductor: it compiles."""
    made = scope.written(node.func)
    if not isinstance(made, ast.Call) or not made.args or scope.path(made.func) != COMPILE:
        return False
    backends = [getattr(each.value, "value", None) for each in made.keywords if each.arg == "backend"]
    return backends in ([], ["inductor"])


def is_text(node: ast.AST | None) -> TypeGuard[ast.Constant]:
    """Tell whether a node is a text."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def mentions(node: ast.Call, scope: Scope) -> Iterator[Site]:
    """Yield the flags and variables that the arguments of a call name."""
    path = scope.path(node.func) or ""
    path = "" if path == COPY else path  # of modal, env() is a function
    function = path.rpartition(".")[2] or getattr(node.func, "attr", "") or getattr(node.func, "id", "")
    home = in_config(path)
    if home and home[1] == "patch":
        yield from _of_patch("set", home[0], node, scope)
    elif path in _OURS:
        yield from _of_ours(*_OURS[path], node, scope)
    elif compiles(node, scope):
        yield from _of_compile(node, scope)
    elif path in _WORDS:
        given = {each.arg: each.value for each in node.keywords}
        yield from _word(_WORDS[path], given.get(_WORDS[path], (*node.args, None)[0]), scope)
    elif function in _BY_NAME and (path or not scope.is_bound(getattr(node.func, "id", ""))):
        for each in _by_name(_BY_NAME[function], node, scope):
            is_of_mock = function in ("object", "patch")  # mock.patch.object, and mock.patch or mocker.patch
            yield each._replace(fit="newest") if each.fit and is_of_mock else each
    yield from _of_environment(path, function, node, scope)
    for keyword in node.keywords:
        yield from handed_on(keyword.arg, keyword.value, scope)


def handed_on(name: object, value: ast.expr, scope: Scope) -> Iterator[Site]:
    """Yield what is handed on by an argument, or an item of a dict, of that name.

    That is variables for others, flags of inductor for vLLM, and words for transformers.
    """
    if name == HANDED_ON:
        yield from _of_patch("set", "inductor", ast.Call(value, [value], []), scope)
    elif name in _WORDS_HANDED_ON and (scope.imports("transformers") or scope.imports("trl")):
        yield from _word(_WORDS_HANDED_ON[name], value, scope)
    elif isinstance(name, str) and OF_CHILDREN.search(name):
        yield from used("child-variable", pairs(value, scope))


def used(use: Use, found: Iterable[Site]) -> Iterator[Site]:
    """Return the same places as uses of that kind."""
    return (each._replace(use=use) for each in found)


# Dicts, keywords and texts: what they name is a variable, until it is known to be a flag.


def keywords(node: ast.Call, scope: Scope, seen: set[ast.expr] | None = None) -> Iterator[Site]:
    """Yield the arguments that are given by name, those of ``**kwargs`` too."""
    for each in node.keywords:
        if each.arg is None:
            yield from pairs(each.value, scope, seen)
        else:
            end = each.col_offset + len(each.arg.encode())
            span = Span(each.lineno, each.col_offset, each.lineno, end)
            yield Site("variable", "", each.arg, span, each.value, "identifier")


def pairs(node: ast.expr | None, scope: Scope, seen: set[ast.expr] | None = None) -> Iterator[Site]:
    """Yield the items of a dict that the file writes, each of the dicts in it once."""
    node, seen = scope.written(node), set() if seen is None else seen
    if node is None or node in seen:  # d = {**d}
        return
    seen.add(node)
    if isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                yield from pairs(value, scope, seen)
            elif is_text(key):
                yield _text(key, value, scope)
    elif isinstance(node, ast.Call) and scope.is_dict(node):
        for each in node.args:
            yield from pairs(each, scope, seen)
        yield from keywords(node, scope, seen)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        yield from pairs(node.left, scope, seen)
        yield from pairs(node.right, scope, seen)


def texts(node: ast.expr, value: ast.expr | None, scope: Scope) -> Iterator[Site]:
    """Yield the text that an expression means, or all that a loop goes through under that name."""
    found = scope.written(node)
    if isinstance(found, ast.Dict) or scope.is_dict(found):
        values = scope.written(value)  # those of the same items, or unknown
        is_of_item = isinstance(values, ast.Starred) and values.value is found
        for each in pairs(found, scope):
            yield each if is_of_item else each._replace(value=None)
    for each in getattr(found, "elts", [found]):
        if is_text(each):
            yield _text(each, value if each is found else None, scope)


def _text(node: ast.Constant, value: ast.expr | None, scope: Scope, name: str | None = None) -> Site:
    """Return the place of a text, or of the *name* at its end."""
    span, text = span_of(node), str(node.value)
    name, end = text if name is None else name, span.end_column - 1
    if span.line != span.end_line or scope.leads.lines_of(node)[span.column + 1 : end] != _encoded(text):
        return Site("variable", "", name, span, value)
    span = Span(span.line, end - len(_encoded(name)), span.line, end)
    return Site("variable", "", name, span, value, "path")


def _encoded(name: str) -> bytes:
    return name.encode(errors="replace")


# Flags.


def _of_patch(use: Use, module: str, node: ast.Call, scope: Scope) -> Iterator[Site]:
    """Yield those of ``patch(flag=value)``, ``patch({"flag": value})`` and ``patch("flag", value)``."""
    first, second, *_ = (*node.args, None, None)
    named = [*keywords(node, scope), *pairs(first, scope)]
    if is_text(first):
        named.append(_text(first, second, scope))
    given = [*node.args[:1], *(each.value for each in node.keywords if each.arg is None)]
    is_open = any(_is_open(each, scope) for each in given)
    for each in named:
        its_module, name = (module, each.name) if use == "set" else split(each.name, module)
        if use != "set" and name in MODULES:  # dynconf.patch(inductor={...})
            yield from _of_patch(use, name, ast.Call(node.func, [each.value], []), scope)
            continue
        bare = each.span._replace(column=each.span.end_column - len(_encoded(name)))
        found = each._replace(use=use, module=its_module, name=name, span=bare if each.fit else each.span)
        yield found._replace(fit="") if is_open else found
        # Of a group, as in {"triton": {"cudagraphs": True}}, those in it, too.
        for item in pairs(each.value, scope) if name in catalogue(its_module).groups else ():
            yield found._replace(name=f"{name}.{item.name}", span=item.span, value=item.value, fit="")


def _of_ours(module: str, function: str, node: ast.Call, scope: Scope) -> Iterator[Site]:
    """Yield those of a function or model of dynconf; where it converts values, the names alone count."""
    given = {each.arg: each.value for each in node.keywords}
    is_model, missing = function in ("Flags", "Settings"), getattr(given.get("missing"), "value", "error")
    mode = given.get("mode", (*node.args, None)[0]) if function == "options" else None
    yield from _word("mode", mode, scope)
    # The flags of a mode count in rules, too, and a table of the user's is read as data.
    use: Use = "field" if is_model else "named" if mode or "allow" in given else "option"
    for each in filter(is_text, node.args if function in ("hold", "reset", "origin") else ()):
        yield from _of_patch("named", module, ast.Call(node.func, [each], []), scope)
    if function not in ("patch", "install", "defaults"):
        node = ast.Call(node.func, [each for each in node.args if not is_text(each)], node.keywords)
    for found in _of_patch(use, module, node, scope):
        name = found.name.replace("-", "_") if function == "options" else found.name  # as torch does
        may_lack = (missing != "error" or "_torch" in given) and name in catalogue(found.module).flags
        if name not in _PARAMETERS[function] and not (is_model and name.isupper()):  # a variable
            yield found._replace(name=name, guard="checked" if may_lack else "")


def of_snapshot(node: ast.Subscript, scope: Scope) -> Iterator[Site]:
    """Yield the flag of ``dynconf.snapshot()["recompile_limit"]``, which is read as by ``dynconf.origin``."""
    reader = _OURS.get((scope.path(node.value) or "").replace("snapshot()", "origin"))
    if reader is not None:
        yield from _of_ours(*reader, ast.Call(node.value, [node.slice], []), scope)


def _word(use: Use, node: ast.expr | None, scope: Scope) -> Iterator[Site]:
    """Yield a word that `torch.compile` takes, if it is written there."""
    word = scope.written(node)
    if node and is_text(word):
        yield Site(use, "inductor", str(word.value), span_of(node))


def _of_compile(node: ast.Call, scope: Scope) -> Iterator[Site]:
    """Yield those of ``torch.compile(model, options={...})``; other backends have their own options."""
    named = list(keywords(node, scope))
    given = {each.name: each.value for each in named}
    path = scope.path(node.func) or COMPILE
    if path == COMPILE:
        yield from (Site("keyword", "inductor", each.name, each.span, each.value) for each in named)
        if node.args[1:] and not any(isinstance(each, ast.Starred) for each in node.args):
            yield Site("keyword", "inductor", "", span_of(node.args[1]))
    backend = given.get("backend")
    yield from _word("backend", backend, scope)
    if not (backend is None or (isinstance(backend, ast.Constant) and backend.value == "inductor")):
        return
    yield from _word("mode", given.get("mode"), scope)
    argument, at = OF_INDUCTOR.get(path, ("options", None))
    options = given.get(argument, node.args[at] if at and node.args[at:] else None)
    given_options = ast.Call(node.func, [options] if options else [], [])
    for found in _of_patch("set", "inductor", given_options, scope):
        if path == COMPILE:
            name = found.name.replace("-", "_")  # as torch does
            yield found._replace(
                name=name, use="own-option" if name in OF_TORCH_COMPILE else "compile-option"
            )
        elif found.name != "extern_node_serializer":  # an argument of the compiler in the same dict
            yield found


def _by_name(use: Use, node: ast.Call, scope: Scope) -> Iterator[Site]:
    """Yield that of ``setattr(config, "flag", 1)``, ``mock.patch("torch._dynamo.config.flag", 1)``."""
    first, second, third, *_ = (*node.args, None, None, None)
    if is_text(first):
        if (home := in_config(str(first.value))) and home[1]:
            yield _text(first, second, scope, home[1])._replace(use=use, module=home[0])
    elif first is not None and second is not None and (home := in_config(scope.path(first))):
        use = "probe" if use == "read" and third else use  # getattr with a default allows for a missing flag
        for each in texts(second, third if use == "set" else None, scope):
            name = ".".join(filter(None, [home[1], each.name]))
            yield each._replace(use=use, module=home[0], name=name)


# Variables.


def _of_environment(path: str, function: str, node: ast.Call, scope: Scope) -> Iterator[Site]:
    """Return those of functions of the environment, of a copy, or of what sets them for others."""
    use: Use = "child-variable" if path.startswith(COPY) or function == "env" else "variable"
    path = path.replace(COPY, ENVIRONMENT)
    found: Iterable[Site] = ()
    if path in _READING:
        use, found = "variable-read", texts(node.args[0], None, scope) if node.args else ()
    elif path in _SETTING or function in ("setenv", "set_env_variable"):
        found = texts(node.args[0], node.args[1], scope) if node.args[1:] else ()
    elif path == "os.environ.update" or function == "env":  # modal.Image.debian_slim().env({...})
        found = (*(pair for each in node.args for pair in pairs(each, scope)), *keywords(node, scope))
    elif function == "dict" and any(scope.path(each) in (ENVIRONMENT, COPY) for each in node.args):
        # Whoever sets it for a while, with `mock.patch.dict`, may start others then.
        use, found = "child-variable", (*keywords(node, scope), *pairs(node.args[-1], scope))
    elif path == "torch._logging.set_logs":
        use, found = "variable-read", (Site(use, "", each, span_of(node)) for each in logs.BY_SET_LOGS)
    elif _COMMANDS.fullmatch(path) and node.args:
        return _of_command(node.args[0], scope)
    return used(use, found)


def _of_command(node: ast.expr, scope: Scope) -> Iterator[Site]:
    """Yield what a command sets: a text for a shell, or a list such as ``["env", "TORCH_LOGS=guards"]``."""
    command = scope.written(node)
    for each in getattr(command, "elts", [command]):
        parts = [str(part.value) if is_text(part) else "{}" for part in getattr(each, "values", [each])]
        for found in variable_sites("".join(parts).encode(errors="replace"), ".sh"):
            use: Use = "child-variable" if found.use == "variable" else found.use
            value = None if found.value is Unknown else ast.Constant(found.value)
            yield found._replace(use=use, span=span_of(each), value=value, fit="")


def _is_open(node: ast.expr | None, scope: Scope) -> bool:
    """Tell whether names may be given that are not written there, such as a flag's other one."""
    if isinstance(node, ast.Dict):
        items = zip(node.keys, node.values, strict=True)
        return any(_is_open(value, scope) if key is None else not is_text(key) for key, value in items)
    if isinstance(node, ast.Call) and scope.is_dict(node):
        given = [*node.args, *(each.value for each in node.keywords if each.arg is None)]
        return any(_is_open(each, scope) for each in given)
    return not isinstance(node, ast.Constant)
