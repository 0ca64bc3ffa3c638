"""Every public flag of a config module as a typed field, in models of pydantic.

`DynamoFlags`, `InductorFlags` and so on are plain models, which read only the data that they are given; those
of all modules are in `CompileFlags`. `DynamoSettings`, ..., `CompileSettings` have the same fields and read
sources besides. Type checkers read the stub beside this file, which is generated from the catalogues.
"""

from typing import Any

from dynconf.catalogue.modules import MODULES
from dynconf.settings.model import FlagModel
from dynconf.settings.models import model
from dynconf.settings.sources import DotenvSource, EnvironmentSource, FileSource, Settings

_KINDS = "Flags", "Settings"
_MODELS = {f"{each.capitalize()}{kind}": (each, kind) for each in (*MODULES, "compile") for kind in _KINDS}


def __getattr__(name: str) -> Any:
    """Make a model when it is first asked for: those of inductor have more than 600 flags."""
    if name not in _MODELS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return globals().setdefault(name, model(*_MODELS[name]))


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODELS})


__all__ = ["DotenvSource", "EnvironmentSource", "FileSource", "FlagModel", "Settings"]  # and the models
