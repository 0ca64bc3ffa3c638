"""The defaults that torch derives from the machine or the interpreter, derived the same way."""

import sys
import sysconfig
from pathlib import Path

from dynconf.catalogue.flags.flag import Computed
from dynconf.release import torch_folder


def _base_dir() -> str:
    folder = torch_folder()
    return str(Path(folder).absolute().parent) if folder else sysconfig.get_path("purelib")


def _debug_dir_root() -> str:
    name = "torch_compile_debug"
    try:
        return str(Path.cwd() / name)
    except OSError:  # the working directory has been removed; torch could not even be imported there
        return name


def _has_gil() -> bool:
    return bool(sysconfig.get_config_var("Py_GIL_DISABLED") != 1)


def _banned_ops() -> list[str]:
    banned = ["stride", "requires_grad", "storage_offset", "layout", "data"]
    tensor = getattr(sys.modules.get("torch"), "Tensor", None)
    return banned + [name for name in sorted(dir(tensor)) if tensor is not None and name.startswith("is_")]


DEFAULTS = {
    "_autograd_backward_strict_mode_banned_ops": Computed(
        "the members of torch.Tensor, once torch is loaded", _banned_ops
    ),
    "base_dir": Computed("the folder that torch is installed in", _base_dir),
    "debug_dir_root": Computed("the working directory", _debug_dir_root),
    "gc_gen2_threshold_during_compile": Computed(
        "1000, or None if the interpreter has no GIL", lambda: 1000 if _has_gil() else None
    ),
    "run_gc_after_compile": Computed("whether the interpreter has a GIL", _has_gil),
}
"""How the default of each flag is computed."""
