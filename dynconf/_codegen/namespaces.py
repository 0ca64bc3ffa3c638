"""The stub of ``dynconf.namespace``: the config modules by name, each with its own keywords."""

import inspect
import textwrap
from collections.abc import Callable

import dynconf
from dynconf.catalogue.modules import MODULES

_SCOPE = 'scope: Scope = "process"'
_STATE = "Mapping[str, object] | HasState"
_MISSING = 'missing: Missing = "error"'
_OPTION_FORMS = "guard_filter_fn: Callable[..., Any] = ..., use_aoti: bool = ..."
_FROM_FILE = "config: str | Path | None = None, missing: Missing | None = None"

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
    values = ", ".join(["FlagValues", *map(values_class, MODULES)])
    models = ", ".join(f"{each.capitalize()}{kind}" for each in MODULES for kind in ("Flags", "Settings"))
    return (
        "from collections.abc import Callable, Mapping\nfrom pathlib import Path\n"
        "from typing import Any, overload\n\n"
        "from typing_extensions import Unpack\n\n"
        f"from dynconf.catalogue.keywords import {values}\n"
        "from dynconf.live.install import Installation, Scope\nfrom dynconf.live.patch import Patch\n"
        "from dynconf.catalogue.names import FlagTable\n"
        f"from dynconf.provenance import Origin\nfrom dynconf.settings import {models}\n"
        "from dynconf.store.snapshot import Snapshot\nfrom dynconf.state import HasState\n"
        "from dynconf.state import Missing\n\n"
        f"{_overloads(dynconf.install, *_install_forms('FlagValues'))}\n{_SHARED}"
    ) + "\n".join(map(_namespace, MODULES))


def _namespace(module: str) -> str:
    name, values, namespace_ = module.capitalize(), values_class(module), getattr(dynconf, module)
    methods = [
        _overloads(
            namespace_.patch,
            "Patch",
            "self, name: str, value: object, /",
            f"self, changes: {_STATE}, /",
            f"self, name: None = None, value: None = None, /, **flags: Unpack[{values}]",
        ),
        _overloads(namespace_.install, *_install_forms(values, "self, ")),
    ]
    if hasattr(namespace_, "options"):
        methods.append(
            _overloads(
                namespace_.options,
                "dict[str, Any]",
                f"self, mode: str | None = None, {_MISSING}, *, {_OPTION_FORMS}, **flags: Unpack[{values}]",
                f"self, mode_or_changes: {_STATE}, /, {_MISSING}, *, mode: str | None = None",
            )
        )
    return (
        f'class {name}Namespace(Namespace):\n    """``dynconf.{module}``."""\n\n'
        f"    Flags: type[{name}Flags]\n    Settings: type[{name}Settings]\n\n"
        f"{textwrap.indent(''.join(methods), '    ')}\n"
        f"{module}: {name}Namespace\n\n"
    )


def _install_forms(values: str, first: str = "") -> tuple[str, ...]:
    """Return the result type of ``install``, and the parameters of each of its forms."""
    return (
        "Installation",
        f"{first}name: str, value: object, /, *, {_SCOPE}",
        f"{first}state: {_STATE}, /, *, {_SCOPE}, {_FROM_FILE}",
        f"{first}*, {_SCOPE}, {_FROM_FILE}, **flags: Unpack[{values}]",
    )


def _overloads(function: Callable[..., object], result: str, *forms: str) -> str:
    """Return the forms of a function as a stub has them."""
    # Editors show the docstring of the overload that was called, so each has it.
    body = docstring(inspect.getdoc(function) or "")
    return "".join(f"@overload\ndef {function.__name__}({form}) -> {result}:\n{body}" for form in forms)


def docstring(text: str) -> str:
    """Return the text as the docstring of a class or function, indented; "" if there is none."""
    end = "\n" if "\n" in text else ""
    return textwrap.indent(f'"""{text}{end}"""\n', "    ") if text else ""


def values_class(module: str) -> str:
    """Return the name of the TypedDict with the flags of a module."""
    return f"{module.capitalize()}Values"
