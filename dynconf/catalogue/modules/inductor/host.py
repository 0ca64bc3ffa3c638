"""The defaults that torch derives from the machine or from how it was built, derived in the same way."""

import os
import sys
from pathlib import Path
from typing import Any

from dynconf.catalogue.flags.flag import Computed
from dynconf.release import Release, installed_version, torch_folder


def _version() -> str:
    return str(getattr(sys.modules.get("torch"), "__version__", "") or installed_version())


def _is_rocm() -> bool:
    loaded = sys.modules.get("torch.version")
    return bool(getattr(loaded, "hip", None)) if loaded else "+rocm" in _version()


def _is_nightly() -> bool:
    version = _version()
    return "dev" in version or "git" in version


def _compile_threads() -> int:
    if sys.platform == "win32":
        return 1
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return min(32, processors or 1)


def _cutlass_dir() -> str:
    path = Path(torch_folder() or "torch", "../third_party/cutlass/")
    follows_links = Release.at_hand().minor >= (2, 9)
    return str(path.resolve()) if follows_links else os.path.abspath(path)


def _working_directory() -> str:
    try:
        return os.path.realpath("")
    except OSError:  # it has been removed; torch could not even be imported there
        return ""


def _rocm(on: Any, off: Any) -> Computed:
    return Computed(
        f"{on!r} where torch is built for ROCm, {off!r} elsewhere", lambda: on if _is_rocm() else off
    )


_CUTLASS_DIR = Computed("third_party/cutlass beside the folder of torch", _cutlass_dir)
_NIGHTLY = Computed("whether torch is a nightly build, or built from source", _is_nightly)
_CONV_BACKENDS = _rocm("ATEN,TRITON", "ATEN")

DEFAULTS = {
    "_conv_default_backends": _CONV_BACKENDS,
    "_partitioned_scatter_default": _rocm("1", "0"),
    "compile_threads": Computed("the number of processors, at most 32; 1 on Windows", _compile_threads),
    "cpp.cxx": Computed(
        "(None, 'clang++') on macOS, (None, 'g++') elsewhere",
        lambda: (None, "clang++" if sys.platform == "darwin" else "g++"),
    ),
    "cuda.cutlass_dir": _CUTLASS_DIR,
    "cutlass.cutlass_dir": _CUTLASS_DIR,
    "developer_warnings": _NIGHTLY,
    "is_nightly_or_source": _NIGHTLY,
    "layout_opt_default": _rocm("0", "1"),
    "layout_optimization": _rocm(False, True),
    "max_autotune_conv_bwd_input_backends": _CONV_BACKENDS,
    "max_autotune_conv_bwd_weight_backends": _CONV_BACKENDS,
    "partitioned_scatter_enabled": _rocm(True, False),
    "triton.num_decompose_k_splits": _rocm(0, 10),
    "triton.spill_threshold": _rocm(32, 16),
    "xpu.cutlass_dir": _CUTLASS_DIR,
    "xpu.cutlass_dir: the working directory": Computed("the working directory", _working_directory),
}
"""By flag; where the dependency changed between releases, it follows the name after a colon."""
