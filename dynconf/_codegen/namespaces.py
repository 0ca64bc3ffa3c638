"""The stub of ``dynconf.namespace``: the config modules by name, each with its own keywords."""

import inspect
import textwrap

import dynconf
from dynconf.modules import MODULES

_SCOPED = 'scope: Scope = "process"'
_STATE = "Mapping[str, object] | State"
_MISSING = 'missing: Missing = "error"'
_KEPT = "guard_filter_fn: Callable[..., Any] = ..., use_aoti: bool = ..."
_FROM_FILE = "_config: str | Path | None = None, _missing: Missing | None = None"

_SHARED = '''class Namespace:
    """A config module of torch, with everything that dynconf does for its flags, by their bare names."""

    FLAGS: FlagTable
    def reset(self, *flags: str) -> None:
        """Drop overrides and installed values of these flags, or of all of the module."""
    def snapshot(self) -> Snapshot:
        """Return the effective value of every flag of the module."""
    def origin(self, flag: str) -> Origin:
        """Return where the effective value of *flag* came from."""

'''


def namespace() -> str:
    """Return the stub of the namespaces, whose keywords differ from module to module."""
    values = ", ".join(values_class(module) for module in MODULES)
    models = ", ".join(f"{module.capitalize()}Settings" for module in MODULES)
    return (
        "from collections.abc import Callable, Mapping\nfrom pathlib import Path\n"
        "from typing import Any, overload\n\n"
        f"from typing_extensions import Unpack\n\nfrom dynconf._generated.keywords import {values}\n"
        "from dynconf.live.install import Installation, Scope\nfrom dynconf.live.patch import Patch, State\n"
        "from dynconf.names import FlagTable\nfrom dynconf.namespace.calls import install as install\n"
        f"from dynconf.origin import Origin\nfrom dynconf.settings import {models}\n"
        f"from dynconf.snapshot import Snapshot\nfrom dynconf.sources.layer import Missing\n\n{_SHARED}"
    ) + "\n".join(map(_namespace, MODULES))


def _namespace(module: str) -> str:
    name, values = module.capitalize(), values_class(module)
    methods = {
        "patch": (
            "Patch",
            "name: str, value: object, /",
            f"changes: {_STATE}, /",
            f"name: None = None, value: None = None, /, **flags: Unpack[{values}]",
        ),
        "install": (
            "Installation",
            f"name: str, value: object, /, *, {_SCOPED}",
            f"state: {_STATE}, /, *, {_SCOPED}, {_FROM_FILE}",
            f"*, {_SCOPED}, {_FROM_FILE}, **flags: Unpack[{values}]",
        ),
        "options": (
            "dict[str, Any]",
            f"mode: str | None = None, {_MISSING}, *, {_KEPT}, **flags: Unpack[{values}]",
            f"mode_or_changes: {_STATE}, /, {_MISSING}, *, mode: str | None = None",
        ),
    }
    made = getattr(dynconf, module)
    overloads = "".join(
        f'    @overload\n    def {method}(self, {form}) -> {result}:\n        """{_doc(made, method)}"""\n'
        for method, (result, *forms) in methods.items()
        if hasattr(made, method)
        for form in forms
    )
    return (
        f'class {name}Namespace(Namespace):\n    """``dynconf.{module}``."""\n\n'
        f"    Settings: type[{name}Settings]\n\n{overloads}\n{module}: {name}Namespace\n\n"
    )


def _doc(namespace: object, method: str) -> str:
    """Return the docstring of a method, as it stands in the body of a method."""
    doc = inspect.getdoc(getattr(namespace, method)) or ""
    return textwrap.indent(doc, " " * 8).lstrip() + ("\n        " if "\n" in doc else "")


def values_class(module: str) -> str:
    """Return the name of the TypedDict with the flags of a module."""
    return f"{module.capitalize()}Values"
