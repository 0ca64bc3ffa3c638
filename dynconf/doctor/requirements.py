"""What a backend needs, read from the backend itself.

Three things tell: what its entry point names; the ``has_*`` functions by which torch's own modules of
backends tell whether their package is there; and the imports in the backend's code, which run when it
compiles.
"""

import dis
import importlib.util
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint, entry_points
from types import CodeType, FunctionType
from typing import Any

GROUP = "torch_dynamo_backends"
"""The group of entry points in which packages announce backends to Dynamo."""


def announced() -> dict[str, EntryPoint]:
    """Return the backends that installed packages announce, by name; nothing is imported."""
    return {point.name: point for point in entry_points(group=GROUP)}


def missing_for_entry_point(point: EntryPoint) -> str:
    """Return what the backend lacks, in words; empty where its package is there."""
    package = point.module.partition(".")[0]
    return "" if _is_there(package) else f"its package {package} is not installed"


def missing_for(name: str, compiler: Callable[..., Any]) -> str:
    """Return what the backend lacks on this machine, in words; empty where it has all that is known of.

    Args:
        name: Its name in the registry.
        compiler: The backend.
    """
    own = _OWN_CHECKS.get(name)
    if own is not None:
        return own()
    functions = list(_functions(compiler))
    for function in functions[:1]:
        for check, tell in _checks_of(function).items():
            if not tell():
                return f"torch's {check}() says that it is not installed"
    packages = {package for function in functions for package in _imports(function)}
    absent = sorted(package for package in packages if not _is_there(package))
    return f"needs {', '.join(absent)}, not installed" if absent else ""


def _cuda_missing() -> str:
    import torch  # noqa: PLC0415

    return "" if torch.cuda.is_available() else "needs a CUDA or ROCm device"


def _compiler_missing() -> str:
    from dynconf.checks.steps import Broken  # noqa: PLC0415
    from dynconf.checks.versions_found import cpp_compiler  # noqa: PLC0415

    try:
        cpp_compiler(needed=True)
    except Broken as problem:
        return f"needs a C++ compiler: {problem}"
    return ""


_OWN_CHECKS: dict[str, Callable[[], str]] = {"cudagraphs": _cuda_missing, "inductor": _compiler_missing}
"""Backends of torch that need something other than a Python package."""


def _functions(compiler: object, seen: frozenset[int] = frozenset()) -> Iterator[FunctionType]:
    """Give the function of a backend, and those of the same module that it calls or is made of."""
    compiler = getattr(compiler, "__wrapped__", compiler)
    if id(compiler) in seen:
        return
    seen |= {id(compiler)}
    if isinstance(compiler, FunctionType):
        yield compiler
        for name in _names(compiler.__code__):
            called = compiler.__globals__.get(name)
            if isinstance(called, FunctionType) and called.__module__ == compiler.__module__:
                yield from _functions(called, seen)
    else:
        # torch's AotAutograd keeps the compilers that it is made of by keyword.
        parts = getattr(compiler, "kwargs", None) or getattr(compiler, "keywords", None)
        for part in (parts or {}).values() if isinstance(parts, dict) else ():
            yield from _functions(part, seen)


def _checks_of(function: FunctionType) -> dict[str, Callable[[], object]]:
    """Return the ``has_*`` functions of the module of a backend that is torch's."""
    if not function.__module__.startswith("torch._dynamo.backends."):
        return {}
    return {
        name: value
        for name, value in function.__globals__.items()
        if name.startswith("has_") and getattr(value, "__module__", None) == function.__module__
    }


def _imports(function: FunctionType) -> Iterator[str]:
    """Give the packages that the code of a function imports."""
    for code in _codes(function.__code__):
        levels: list[object] = []
        for instruction in dis.get_instructions(code):
            if instruction.opname == "IMPORT_NAME" and levels[-2:-1] in ([0], []):
                yield str(instruction.argval).partition(".")[0]
            if instruction.opname in ("LOAD_CONST", "LOAD_SMALL_INT"):
                levels.append(instruction.argval)


def _names(code: CodeType) -> set[str]:
    return {name for each in _codes(code) for name in each.co_names}


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _is_there(package: str) -> bool:
    try:
        return importlib.util.find_spec(package) is not None
    except (ImportError, ValueError):
        return False
