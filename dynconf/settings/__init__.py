"""Every public flag of a config module as a typed field, in models of pydantic.

`DynamoFlags`, `InductorFlags` and so on are plain models, which read nothing but what they are given; those
of all modules are in `CompileFlags`. `DynamoSettings`, ..., `CompileSettings` have the same fields and read
sources besides. Type checkers read the stub beside this file, which is generated from the catalogues.
"""

from typing import Any

from dynconf.modules import MODULES
from dynconf.settings.model import FlagModel
from dynconf.settings.models import flags_model, settings_model, whole_flags_model
from dynconf.settings.sources import DotenvSource, EnvironmentSource, FileSource
from dynconf.settings.with_sources import Settings

_MODULE_OF = {module.capitalize(): module for module in MODULES}

_NAMES = tuple(f"{name}{kind}" for name in (*_MODULE_OF, "Compile") for kind in ("Flags", "Settings"))


def __getattr__(name: str) -> Any:
    """Make a model when it is first asked for: those of inductor have more than 600 flags."""
    if name not in _NAMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    kind = "Flags" if name.endswith("Flags") else "Settings"
    stem = name.removesuffix(kind)
    is_whole = stem == "Compile"
    models = {module: _named(f"{each}{kind}") for each, module in _MODULE_OF.items()} if is_whole else {}
    if kind == "Settings":
        model = settings_model(_named(f"{stem}Flags"), models)
    else:
        model = whole_flags_model(models) if is_whole else flags_model(_MODULE_OF[stem])
    return globals().setdefault(name, model)  # another thread may have made it meanwhile


def _named(name: str) -> Any:
    return globals().get(name) or __getattr__(name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_NAMES})


__all__ = ["DotenvSource", "EnvironmentSource", "FileSource", "FlagModel", "Settings"]  # and the models
