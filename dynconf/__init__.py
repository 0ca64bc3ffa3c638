"""dynconf: the configuration layer for torch.compile.

Typed, validated, explainable ``torch._dynamo`` flags, the same on every torch from 2.4 on::

    with dynconf.patch(verify_correctness=True):
        compiled(x)

Importing dynconf loads neither torch nor pydantic; each name brings what it needs when it is first used.
"""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dynconf.catalogue import FLAGS as FLAGS
    from dynconf.catalogue.record import Flag as Flag
    from dynconf.checks.backends import Backend as Backend
    from dynconf.checks.backends import list_backends as list_backends
    from dynconf.checks.environment import check_environment as check_environment
    from dynconf.checks.finding import Finding as Finding
    from dynconf.checks.finding import Report as Report
    from dynconf.checks.numerics import Comparison as Comparison
    from dynconf.checks.numerics import compare as compare
    from dynconf.checks.tensors import Compared as Compared
    from dynconf.checks.verify import verify as verify
    from dynconf.ddp import DdpMode as DdpMode
    from dynconf.ddp import resolve_optimize_ddp as resolve_optimize_ddp
    from dynconf.errors import ConflictError as ConflictError
    from dynconf.errors import ConflictWarning as ConflictWarning
    from dynconf.errors import DynconfError as DynconfError
    from dynconf.errors import DynconfWarning as DynconfWarning
    from dynconf.errors import EnvironmentWarning as EnvironmentWarning
    from dynconf.errors import ForcedFlagWarning as ForcedFlagWarning
    from dynconf.errors import InertFlagWarning as InertFlagWarning
    from dynconf.errors import InvalidValueError as InvalidValueError
    from dynconf.errors import StateFileError as StateFileError
    from dynconf.errors import UncataloguedFlagWarning as UncataloguedFlagWarning
    from dynconf.errors import UnknownFlagError as UnknownFlagError
    from dynconf.live.ddp import install_ddp_resolver as install_ddp_resolver
    from dynconf.live.install import Installation as Installation
    from dynconf.live.install import reset as reset
    from dynconf.live.origin import origin as origin
    from dynconf.live.patch import Patch as Patch
    from dynconf.live.patch import patch as patch
    from dynconf.live.settings import DynamoSettings as DynamoSettings
    from dynconf.live.settings import install as install
    from dynconf.live.snapshot import Snapshot as Snapshot
    from dynconf.live.snapshot import snapshot as snapshot
    from dynconf.live.state import fingerprint as fingerprint
    from dynconf.live.state import load as load
    from dynconf.live.state import save as save
    from dynconf.provenance import Origin as Origin
    from dynconf.state import ignore as ignore
    from dynconf.state.diff import Change as Change
    from dynconf.state.diff import diff as diff

__version__ = "0.1.0"

_HOMES = {
    "FLAGS": "dynconf.catalogue",
    "Backend": "dynconf.checks.backends",
    "Change": "dynconf.state.diff",
    "Compared": "dynconf.checks.tensors",
    "Comparison": "dynconf.checks.numerics",
    "ConflictError": "dynconf.errors",
    "ConflictWarning": "dynconf.errors",
    "DdpMode": "dynconf.ddp",
    "DynamoSettings": "dynconf.live.settings",
    "DynconfError": "dynconf.errors",
    "DynconfWarning": "dynconf.errors",
    "EnvironmentWarning": "dynconf.errors",
    "Finding": "dynconf.checks.finding",
    "Flag": "dynconf.catalogue.record",
    "ForcedFlagWarning": "dynconf.errors",
    "InertFlagWarning": "dynconf.errors",
    "Installation": "dynconf.live.install",
    "InvalidValueError": "dynconf.errors",
    "Origin": "dynconf.provenance",
    "Patch": "dynconf.live.patch",
    "Report": "dynconf.checks.finding",
    "Snapshot": "dynconf.live.snapshot",
    "StateFileError": "dynconf.errors",
    "UncataloguedFlagWarning": "dynconf.errors",
    "UnknownFlagError": "dynconf.errors",
    "check_environment": "dynconf.checks.environment",
    "compare": "dynconf.checks.numerics",
    "diff": "dynconf.state.diff",
    "fingerprint": "dynconf.live.state",
    "ignore": "dynconf.state",
    "install": "dynconf.live.settings",
    "install_ddp_resolver": "dynconf.live.ddp",
    "list_backends": "dynconf.checks.backends",
    "load": "dynconf.live.state",
    "origin": "dynconf.live.origin",
    "patch": "dynconf.live.patch",
    "reset": "dynconf.live.install",
    "resolve_optimize_ddp": "dynconf.ddp",
    "save": "dynconf.live.state",
    "snapshot": "dynconf.live.snapshot",
    "verify": "dynconf.checks.verify",
}
"""Where each public name is defined; the imports above say the same to type checkers, and a test compares."""

__all__ = [
    "FLAGS",
    "Backend",
    "Change",
    "Compared",
    "Comparison",
    "ConflictError",
    "ConflictWarning",
    "DdpMode",
    "DynamoSettings",
    "DynconfError",
    "DynconfWarning",
    "EnvironmentWarning",
    "Finding",
    "Flag",
    "ForcedFlagWarning",
    "InertFlagWarning",
    "Installation",
    "InvalidValueError",
    "Origin",
    "Patch",
    "Report",
    "Snapshot",
    "StateFileError",
    "UncataloguedFlagWarning",
    "UnknownFlagError",
    "check_environment",
    "compare",
    "diff",
    "fingerprint",
    "ignore",
    "install",
    "install_ddp_resolver",
    "list_backends",
    "load",
    "origin",
    "patch",
    "reset",
    "resolve_optimize_ddp",
    "save",
    "snapshot",
    "verify",
]


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
