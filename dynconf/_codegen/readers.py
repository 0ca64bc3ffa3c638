"""Find the flags that nothing in a torch release reads, by searching all of its wheel.

A flag without a reader can be assigned, and nothing happens. Its own config module does not tell, so the
search looks for readers everywhere else, and would rather find one too many: a warning about a flag that
works is worse than none about a flag that does not. So it asks for the last part of the name only, on any
object, because config modules go by dozens of names (``config``, ``inductor_config``, ``cfg.triton``)::

    config.triton.cudagraphs                  a reader of triton.cudagraphs, and of any other cudagraphs
    getattr(config, f"{device}_backend")      a reader of cpu_backend, cuda_backend, ...
    "max_in_flight_gb"                        a reader, because code looks flags up by such texts
    config.cpu_gpu_bw = 50.0                  none
    config.patch(cpu_gpu_bw=50.0)             none
    {"cpu_gpu_bw": 50.0}                      none: what is patched, or the options of a compilation
"""

import ast
import re
import zipfile
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from dynconf._codegen.upstream import CONFIG_FILES, target

BINARIES = (".so", ".dylib")
TEMPLATES = (".jinja", ".cpp", ".cu")

Facts = Mapping[str, Mapping[str, Any]]


def unread(wheel: Path, modules: Mapping[str, Facts]) -> dict[str, list[str]]:
    """Return the flags of each module that nothing in the wheel reads, those that are aliases left out.

    Args:
        wheel: The wheel of the release.
        modules: The facts of its flags, by module.
    """
    # Code that reads an alias reads the flag that it points to.
    names: dict[tuple[str, str], set[str]] = {}
    for module, flags in modules.items():
        for name in flags:
            names.setdefault(target(modules, module, name), set()).add(_last(name))
    read = _read_names(wheel, {each for group in names.values() for each in group})
    return {
        module: sorted(name for name in flags if not read & names.get((module, name), read))
        for module, flags in modules.items()
    }


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _read_names(wheel: Path, names: Collection[str]) -> set[str]:
    """Return those of the names that some file of the wheel reads."""
    missing = set(names)
    with zipfile.ZipFile(wheel) as archive:
        # Near the config modules first: a file without a name that is still missing need not be parsed.
        near = re.compile("torch/(_inductor|_dynamo)/")
        for path in sorted(archive.namelist(), key=lambda path: not near.match(path)):
            if not path.endswith((".py", *TEMPLATES, *BINARIES)):
                continue
            content = archive.read(path)
            if path.endswith(BINARIES):  # C++ asks for an attribute by a text, which ends with a zero
                missing -= {name for name in missing if f"{name}\0".encode() in content}
                continue
            words = set(re.findall(r"\w+", content.decode("utf-8", "replace"))) & missing
            # A name may be put together, as cpu_backend is.
            if path.endswith(TEMPLATES):
                missing -= words
            elif words or b"getattr(" in content:
                in_config = CONFIG_FILES.fullmatch(path) is not None
                missing -= set(_reads(ast.parse(content), missing, in_config=in_config))
    return set(names) - missing


def _reads(tree: ast.Module, names: Collection[str], *, in_config: bool) -> Iterator[str]:
    """Yield those of the names that the module reads."""
    keys = {key for each in ast.walk(tree) if isinstance(each, ast.Dict) for key in each.keys}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            yield node.attr
        elif isinstance(node, ast.ImportFrom) and _last(node.module or "").endswith("config"):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "getattr" and len(node.args) > 1:
            yield from _matches(node.args[1], names)
        # A config module names its flags in texts for other reasons, and reads them as global variables:
        # while it is imported, which is before anybody can assign them, or in its functions.
        elif in_config:
            if isinstance(node, ast.FunctionDef):
                yield from (each.id for each in ast.walk(node) if isinstance(each, ast.Name))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in keys:
            yield _last(node.value)


def _matches(expression: ast.expr, names: Collection[str]) -> Iterator[str]:
    """Yield those of the names that may be the value of an expression, such as ``f"{device}_backend"``."""
    pattern = _pattern(expression)
    if re.search(r"\w", pattern.replace(r"\w+", "")):
        yield from (name for name in names if re.fullmatch(pattern, name))


def _pattern(expression: ast.expr) -> str:
    if isinstance(expression, ast.Constant):
        return re.escape(str(expression.value))
    if isinstance(expression, ast.JoinedStr):
        return "".join(map(_pattern, expression.values))
    if isinstance(expression, ast.BinOp) and isinstance(expression.op, ast.Add):
        return _pattern(expression.left) + _pattern(expression.right)
    return r"\w+"
