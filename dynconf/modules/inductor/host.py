"""The defaults that torch derives from the machine or from how it was built, derived in the same way."""

import os
import sys
from pathlib import Path
from typing import Any

from dynconf.flags.flag import Computed
from dynconf.release import installed_version, torch_folder


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
    return str(Path(torch_folder() or "torch", "../third_party/cutlass/").resolve())


def _working_directory() -> str:
    try:
        return os.path.realpath("")
    except OSError:  # it has been removed; torch could not even be imported there
        return ""


def _profile_regex() -> str:
    text = os.environ.get("TORCHINDUCTOR_PROFILE", "")
    return "" if text == "1" else text


def _rocm(on: Any, off: Any) -> Computed:
    return Computed(
        f"{on!r} where torch is built for ROCm, {off!r} elsewhere", lambda: on if _is_rocm() else off
    )


COMPILE_THREADS = Computed("the number of processors, at most 32; 1 on Windows", _compile_threads)
CXX = Computed(
    "(None, 'clang++') on macOS, (None, 'g++') elsewhere",
    lambda: (None, "clang++" if sys.platform == "darwin" else "g++"),
)
CUTLASS_DIR = Computed("third_party/cutlass beside the folder of torch", _cutlass_dir)
XPU_CUTLASS_DIR = Computed("the working directory", _working_directory)
NIGHTLY = Computed("whether torch is a nightly build, or built from source", _is_nightly)
PROFILE_REGEX = Computed("the text of TORCHINDUCTOR_PROFILE, unless that is 1", _profile_regex)
UNLESS_LITE = Computed(
    "True, or False if TORCHINDUCTOR_LITE_MODE=1", lambda: os.environ.get("TORCHINDUCTOR_LITE_MODE") != "1"
)
ON_ROCM = _rocm(True, False)
NOT_ON_ROCM = _rocm(False, True)
ON_ROCM_TEXT = _rocm("1", "0")
NOT_ON_ROCM_TEXT = _rocm("0", "1")
CONV_BACKENDS = _rocm("ATEN,TRITON", "ATEN")
DECOMPOSE_K_SPLITS = _rocm(0, 10)
SPILL_THRESHOLD = _rocm(32, 16)
