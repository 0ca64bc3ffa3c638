"""dynconf: the configuration layer for torch.compile.

Typed, validated, explainable flags of ``torch._dynamo.config`` and the config modules beside it, the same on
every torch from 2.4 on::

    with dynconf.patch(verify_correctness=True):
        compiled(x)

Importing dynconf loads neither torch nor pydantic; each name brings what it needs when it is first used.

PYTEST_DONT_REWRITE: dynconf may well be imported before pytest, which would warn of it.
"""

import importlib
import sys
import types

from dynconf.modules import MODULES as _MODULES
from dynconf.version import __version__ as __version__

_PUBLIC = {
    "dynconf": ("distributed", "ignore"),
    "dynconf.audit": ("Audit", "audit"),
    "dynconf.ddp": ("resolve_optimize_ddp",),
    "dynconf.defaults": ("defaults",),
    "dynconf.diff": ("Change", "diff"),
    "dynconf.doctor.backends": ("Backend", "list_backends"),
    "dynconf.doctor.bisect.in_process": ("bisect",),
    "dynconf.doctor.bisect.result": ("BisectResult",),
    "dynconf.doctor.compare": ("compare",),
    "dynconf.doctor.comparison": ("Comparison", "ValueComparison"),
    "dynconf.doctor.verify": ("verify",),
    "dynconf.errors": (
        "ConflictError",
        "ConflictWarning",
        "DynconfError",
        "DynconfWarning",
        "EnvironmentWarning",
        "ForcedFlagWarning",
        "InertFlagWarning",
        "InvalidValueError",
        "LeakWarning",
        "MissingRankError",
        "OverruledWarning",
        "StateFileError",
        "ContextWarning",
        "UncataloguedFlagWarning",
        "UnknownFlagError",
    ),
    "dynconf.finding": ("Finding", "Report"),
    "dynconf.fingerprint": ("fingerprint",),
    "dynconf._generated.keywords": ("FlagValues",),
    "dynconf.flags.flag": ("Flag",),
    "dynconf.flags.types.number": ("at_least",),
    "dynconf.hold": ("hold",),
    "dynconf.lint.environment": ("check_environment",),
    "dynconf.lint.program": ("lint",),
    "dynconf.doctor.threads": ("check_threads",),
    "dynconf.live.baseline": ("Undone",),
    "dynconf.live.ddp": ("install_ddp_resolver",),
    "dynconf.live.install": ("Installation", "Scope", "reset"),
    "dynconf.live.origin": ("origin",),
    "dynconf.live.patch": ("Patch", "patch"),
    "dynconf.live.threads": ("propagate",),
    "dynconf.modules.dynamo.ddp_mode": ("DdpMode",),
    "dynconf.names": ("FLAGS",),
    "dynconf.namespace": (*_MODULES, "install"),
    "dynconf.origin": ("Origin",),
    "dynconf.preserve": ("Preserve", "preserve"),
    "dynconf.run.children": ("child_env",),
    "dynconf.saving": ("load", "save"),
    "dynconf.settings": (
        *(f"{name.capitalize()}{kind}" for name in ("compile", *_MODULES) for kind in ("Flags", "Settings")),
        "DotenvSource",
        "EnvironmentSource",
        "FileSource",
    ),
    "dynconf.snapshot": ("Snapshot", "default_state", "snapshot"),
    "dynconf.sources.missing": ("Missing",),
}
"""The public names, by the module that defines them; the stub beside this file is generated from it."""

_HOMES = {name: home for home, names in _PUBLIC.items() for name in names}

__all__ = list(_HOMES)  # pyright: ignore[reportUnsupportedDunderAll]  it reads the stub instead


def _imported(module: str) -> types.ModuleType:
    """Import a module, and before it the packages that it is in.

    Python locks a module and then waits for its package. Another thread that is importing the package has
    locked that, and waits for the module as soon as the package imports it: one of the two would end in a
    _DeadlockError. Packages come first everywhere, see test_architecture.py.
    """
    if package := module.rpartition(".")[0]:
        _imported(package)
    return importlib.import_module(module)


class _Package(types.ModuleType):
    """This package, in which ``dynconf.snapshot`` is always the function, never the module of that name.

    Importing a submodule makes it an attribute of its package, where it would hide the public name.
    """

    def __setattr__(self, name: str, value: object) -> None:
        is_submodule = isinstance(value, types.ModuleType) and _HOMES.get(name, __name__) != __name__
        if not is_submodule:
            super().__setattr__(name, value)

    def __getattr__(self, name: str) -> object:
        if name == "load_ipython_extension":
            return _imported("dynconf.interactive").load_ipython_extension
        home = _HOMES.get(name)
        if home is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        if home == __name__:
            return _imported(f"{home}.{name}")
        value = getattr(_imported(home), name)
        if name in ("patch", "install"):
            value = _imported("dynconf.interactive").with_flags(value)
        super().__setattr__(name, value)
        return value

    def __dir__(self) -> list[str]:
        return sorted({*(name for name in vars(self) if name.startswith("__")), *_HOMES})


sys.modules[__name__].__class__ = _Package
