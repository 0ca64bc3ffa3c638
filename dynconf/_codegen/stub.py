"""A stand-in for the torch package, under which a release's real config module runs.

Only ``torch._dynamo.config`` and ``torch.utils._config_module`` are the release's own files; what they
ask of the rest of torch is so little that it is given here. Nothing of torch has to be installed, and
importing takes a fraction of a second instead of several.
"""

import sys
import types
from pathlib import Path

from dynconf.versions import minor

PARTS = ("torch/_dynamo/config.py", "torch/utils/_config_module.py", "torch/utils/_config_typing.pyi")
"""The files of a wheel that the stand-in needs; everything else of it is left unread."""


def justknobs_check(name: str, default: bool = True) -> bool:  # noqa: ARG001, FBT001, FBT002  torch's signature
    """Answer as torch outside Meta does: no knob is ever turned."""
    return default


def install(folder: Path, release: str) -> None:
    """Enter the stand-in for *release* into ``sys.modules``.

    Args:
        folder: Where the files named in `PARTS` lie.
        release: The full version, as ``torch.__version__`` shall give it.

    Raises:
        RuntimeError: A torch is loaded already; two cannot live in one process.
    """
    if "torch" in sys.modules:
        raise RuntimeError("torch is loaded already: a stand-in can only be installed before it")
    torch = _package("torch", folder / "torch")
    torch.__dict__.update(__version__=release, Tensor=type("Tensor", (), {"__module__": "torch"}))
    torch.__dict__["version"] = _module("torch.version", git_version="stand-in", __version__=release)
    _module("torch._utils_internal", justknobs_check=justknobs_check)
    _module("torch._environment", is_fbcode=lambda: False)
    torch.__dict__["utils"] = _package("torch.utils", folder / "torch" / "utils")
    torch.__dict__["_dynamo"] = _package("torch._dynamo", folder / "torch" / "_dynamo")
    utils = _module("torch._dynamo.utils", warn_once=lambda *_, **__: None)
    if minor(release) >= (2, 7):
        # Up to 2.6 the config module has this function, the release's own.
        utils.__dict__["get_optimize_ddp_mode"] = lambda: "ddp_optimizer"


def _module(name: str, **attributes: object) -> types.ModuleType:
    module = types.ModuleType(name)
    module.__dict__.update(attributes)
    sys.modules[name] = module
    return module


def _package(name: str, path: Path) -> types.ModuleType:
    return _module(name, __path__=[str(path)])
