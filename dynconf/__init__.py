"""dynconf: the configuration layer for torch.compile.

Typed, validated, explainable flags of ``torch._dynamo.config`` and the config modules beside it, the same on
every torch from 2.4 on::

    with dynconf.patch(verify_correctness=True):
        compiled(x)

Importing dynconf loads neither torch nor pydantic; each name imports what it needs when it is first used.

PYTEST_DONT_REWRITE: dynconf may be imported before pytest, which would warn about that.
"""

import importlib
import types

from dynconf.catalogue.modules import MODULES as _MODULES
from dynconf.version import __version__ as __version__

_PUBLIC = {
    "dynconf.tools.audit.audit": ("audit",),
    "dynconf.catalogue.ddp": ("resolve_optimize_ddp",),
    "dynconf.live.defaults": ("defaults",),
    "dynconf.store": ("ignore",),
    "dynconf.tools.ranks": ("distributed",),
    "dynconf.store.diff": ("diff",),
    "dynconf.tools.doctor.backends": ("list_backends",),
    "dynconf.tools.bisect.in_process": ("bisect",),
    "dynconf.tools.doctor.compare": ("compare",),
    "dynconf.tools.doctor.verify": ("verify",),
    "dynconf.errors": (
        "ConflictError",
        "DynconfError",
        "DynconfWarning",
        "InvalidValueError",
        "MissingRankError",
        "StateFileError",
        "UnknownFlagError",
    ),
    "dynconf.store.fingerprint": ("fingerprint",),
    "dynconf.catalogue.keywords": ("FlagValues",),
    "dynconf.catalogue.flags.types.scalar": ("at_least",),
    "dynconf.live.hold": ("hold",),
    "dynconf.tools.lint.environment": ("check_environment",),
    "dynconf.tools.lint.program": ("lint",),
    "dynconf.tools.doctor.threads": ("check_threads",),
    "dynconf.live.ddp": ("install_ddp_resolver",),
    "dynconf.live.install": ("reset",),
    "dynconf.live.origin": ("origin",),
    "dynconf.live.patch": ("patch",),
    "dynconf.live.threads": ("propagate",),
    "dynconf.catalogue.modules.dynamo.ddp_mode": ("DdpMode",),
    "dynconf.catalogue.names": ("FLAGS",),
    "dynconf.namespace": (*_MODULES, "install"),
    "dynconf.tools.testing.preserve": ("preserve",),
    "dynconf.tools.report.report": ("report",),
    "dynconf.tools.run.children": ("child_env",),
    "dynconf.store.saving": ("load", "save"),
    "dynconf.settings": tuple(
        f"{name}{kind}" for name in ("Compile", "Dynamo", "Inductor") for kind in ("Flags", "Settings")
    ),
    "dynconf.store.snapshot": ("default_state", "snapshot"),
    "dynconf.tools.report.why_miss": ("why_miss",),
}
"""The public names, by the module that defines them; the stub beside this file is generated from it."""

_HOMES = {name: home for home, names in _PUBLIC.items() for name in names}

_INSTALLING = ("dynconf.namespace", "dynconf.settings", "dynconf.store.saving", "dynconf.store.snapshot")
"""The modules of everything that can install settings."""

__all__ = list(_HOMES)  # pyright: ignore[reportUnsupportedDunderAll]  it reads the stub instead


def _imported(module: str) -> types.ModuleType:
    """Import a module, and before it the packages that it is in.

    Python locks a module and then waits for its package. Another thread that is importing the package has
    locked the package, and waits for the module as soon as the package imports it: one of the two would get a
    _DeadlockError. Packages are imported first everywhere; see test_architecture.py.
    """
    if package := module.rpartition(".")[0]:
        _imported(package)
    return importlib.import_module(module)


def __getattr__(name: str) -> object:
    if name == "load_ipython_extension":
        return _imported("dynconf.tools.notebook").load_ipython_extension
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    is_module = name in ("distributed", "ignore")
    value: object = _imported(f"{home}.{name}") if is_module else getattr(_imported(home), name)
    if home in _INSTALLING:
        _imported("dynconf.tools.report.start_log")  # it adds itself to the listeners for installations
    if name in ("patch", "install"):
        value = _imported("dynconf.catalogue.signature").with_flags(value)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*(name for name in globals() if name.startswith("__")), *__all__})
