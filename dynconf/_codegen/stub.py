"""A stand-in for the torch package, under which the real config modules of a release run.

Only the config modules and ``torch.utils._config_module`` are the release's own files. They need so little
of the rest of torch that it fits here. torch does not have to be installed, and an import takes a fraction of
a second instead of several.
"""

import os
import sys
import types
import typing
from pathlib import Path

from dynconf.release import minor

PACKAGES = ("utils", "compiler", "fx", "fx.experimental", "_dynamo", "_functorch", "_inductor")
"""The packages of torch that contain config modules, or modules that these import."""


def install(folder: Path, release: str) -> None:
    """Put the stand-in for *release* into ``sys.modules``; *folder* has its config modules."""
    if "torch" in sys.modules:
        raise RuntimeError("torch is loaded already; install the stand-in before importing torch")
    tensor = type("Tensor", (), {"__module__": "torch"})
    _package("torch", folder, __version__=release, __file__=str(folder / "torch/__init__.py"), Tensor=tensor)
    _module("torch.version", git_version="stand-in", __version__=release, hip=None)
    knobs = {"justknobs_check": _justknobs_check, "justknobs_getval_int": lambda _: 0}
    _module("torch._utils_internal", **knobs)
    _module("torch._environment", is_fbcode=lambda: False)
    _module("torch._utils", cpu_count=_cpu_count)
    _module("torch._ops", OpOverload=typing.Any)
    for package in PACKAGES:
        _package(f"torch.{package}", folder)
    utils = _module("torch._dynamo.utils", warn_once=lambda *_, **__: None)
    if minor(release) >= (2, 7):
        # Up to torch 2.6, the config module itself has this function.
        utils.__dict__["get_optimize_ddp_mode"] = lambda: "ddp_optimizer"
    # Inductor's annotations name types of these modules, and are evaluated.
    sys.modules["torch.fx"].__dict__.update(Graph=typing.Any, Node=typing.Any)
    _module("torch.fx.graph", Graph=typing.Any)
    _module("torch._inductor.choices", inductor_choices_cache_key=lambda choices: choices)
    custom = _module("torch._inductor.custom_graph_pass", __file__=None)
    custom.__dict__["__getattr__"] = lambda _: typing.Any


def _justknobs_check(name: str, default: bool = True) -> bool:  # noqa: ARG001, FBT001, FBT002  torch's signature
    return default  # as torch does outside Meta, where no knob is ever turned


def _cpu_count() -> int | None:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()


def _module(name: str, **attributes: object) -> types.ModuleType:
    module = types.ModuleType(name)
    module.__dict__.update(attributes)
    sys.modules[name] = module
    parent, _, child = name.rpartition(".")
    if parent:
        sys.modules[parent].__dict__[child] = module
    return module


def _package(name: str, folder: Path, **attributes: object) -> types.ModuleType:
    return _module(name, __path__=[str(folder / name.replace(".", "/"))], **attributes)
