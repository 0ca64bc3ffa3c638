"""Find the missing requirements of a backend without running it.

There are three sources: the entry point that announces the backend; the ``has_*`` functions with which
torch's own backend modules check for their package; and the imports in the backend's code, which run when it
compiles.
"""

import importlib.util
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint, entry_points
from modulefinder import ModuleFinder
from types import CodeType, FunctionType
from typing import Any

from dynconf.tools.doctor.steps import Failed
from dynconf.tools.doctor.toolchain import cpp_compiler

ENTRY_POINTS = "torch_dynamo_backends"
"""The group of entry points by which packages announce backends to Dynamo."""


def announced_backends() -> dict[str, EntryPoint]:
    """Return the backends that installed packages announce, by name, without importing them."""
    return {point.name: point for point in entry_points(group=ENTRY_POINTS)}


def missing_requirement(name: str, compiler: Callable[..., Any] | EntryPoint) -> str:
    """Describe the requirement of a backend that this machine lacks; return "" if none is known.

    A backend that a package announces, given as its entry point, needs that package.
    """
    if isinstance(compiler, EntryPoint):
        package = compiler.module.partition(".")[0]
        return "" if _is_installed(package) else f"its package {package} is not installed"
    # The code of these two imports only torch: they need hardware or a program.
    if name == "cudagraphs":
        import torch

        return "" if torch.cuda.is_available() else "needs a CUDA or ROCm device"
    if name == "inductor":
        try:
            cpp_compiler(needed=True)
        except Failed as problem:
            return f"needs a C++ compiler: {problem}"
        return ""
    functions = list(_functions_of(compiler, set()))
    module = functions[0].__module__ if functions else ""
    if module.startswith("torch._dynamo.backends."):
        for check, is_installed in functions[0].__globals__.items():
            is_own = check.startswith("has_") and getattr(is_installed, "__module__", "") == module
            if is_own and not is_installed():
                return f"torch's {check}() says that it is not installed"
    # torch's partitioners and compilers import packages for what a flag turns on.
    needy = [
        each for each in functions if each.__module__ == module or not each.__module__.startswith("torch.")
    ]
    packages = {package for function in needy for package in _imports(function.__code__)}
    missing = sorted(package for package in packages if not _is_installed(package))
    return f"needs {', '.join(missing)}, not installed" if missing else ""


def _functions_of(compiler: object, seen: set[int]) -> Iterator[FunctionType]:
    """Yield the function of a backend, and the functions of its module that it calls or is made of."""
    compiler = getattr(compiler, "__wrapped__", compiler)
    if id(compiler) in seen:
        return
    seen.add(id(compiler))
    if isinstance(compiler, FunctionType):
        yield compiler
        for name in {name for code in _nested_code(compiler.__code__) for name in code.co_names}:
            called = compiler.__globals__.get(name)
            if isinstance(called, FunctionType) and called.__module__ == compiler.__module__:
                yield from _functions_of(called, seen)
        return
    # torch's AotAutograd keeps its compilers in kwargs, and functools.partial in keywords.
    parts = getattr(compiler, "kwargs", None) or getattr(compiler, "keywords", None)
    for part in parts.values() if isinstance(parts, dict) else ():
        yield from _functions_of(part, seen)


def _imports(code: CodeType) -> Iterator[str]:
    """Yield the packages that the code imports, relative imports left out."""
    for each in _nested_code(code):
        for kind, names in ModuleFinder().scan_opcodes(each):
            if kind == "absolute_import":
                yield names[1].partition(".")[0]


def _nested_code(code: CodeType) -> Iterator[CodeType]:
    """Yield the code and that of the functions defined in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _nested_code(constant)


def _is_installed(package: str) -> bool:
    try:
        return importlib.util.find_spec(package) is not None
    except (ImportError, ValueError):  # a module in sys.modules may have no __spec__
        return False
