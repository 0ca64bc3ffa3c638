"""Facts about torch and the machine that are no flags, and change results or compiled code all the same.

Two runs with equal flags may differ in numbers because one of them allows TF32. Such switches are read here,
and never set. No question ends in an error: its answer is then a text that begins with "unknown: ".
"""

import contextlib
import importlib.metadata
import platform
import shutil
import sys
from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import Any

from dynconf.errors import describe_error
from dynconf.release import installed_build
from dynconf.tools.doctor.toolchain import output_of

_DETERMINISM = ("default", "warn", "error")

_PRECISIONS = ("", "cuda.matmul.", "cudnn.conv.", "cudnn.rnn.", "mkldnn.", "mkldnn.matmul.")
"""The parts of `torch.backends` that have a precision of their own, from torch 2.9 on."""

_BUILD = {
    "Is debug build": "debug",
    "CUDA used to build PyTorch": "cuda",
    "ROCM used to build PyTorch": "hip",
}
_GPUS = "GPU models and configuration"

_TRITONS = ("triton", "pytorch-triton", "pytorch-triton-rocm", "triton-rocm", "triton-windows")
"""The distributions that have the package, for different builds of torch."""


def answer(question: Callable[[], Any]) -> Any:
    """Return the answer to a question, or why there is none."""
    try:
        return question()
    except Exception as error:  # noqa: BLE001  it is the answer
        return f"unknown: {describe_error(error)}"


def numerics() -> dict[str, Any]:
    """Return the switches that explain different numbers, by the names that torch has for them."""
    import torch

    questions: dict[str, Callable[[], Any]] = {
        "float32_matmul_precision": torch.get_float32_matmul_precision,
        "matmul.allow_tf32": lambda: torch.backends.cuda.matmul.allow_tf32,
        "cudnn.allow_tf32": lambda: torch.backends.cudnn.allow_tf32,
        "deterministic_algorithms": lambda: _DETERMINISM[torch.get_deterministic_debug_mode()],
        "cudnn.deterministic": lambda: torch.backends.cudnn.deterministic,
        "cudnn.benchmark": lambda: torch.backends.cudnn.benchmark,
    }
    found = {name: answer(question) for name, question in questions.items()}
    for part in _PRECISIONS:
        name = f"{part}fp32_precision"
        # A release may lack it, or its answers contradict each other.
        with contextlib.suppress(AttributeError, RuntimeError):
            found[name] = attrgetter(name)(torch.backends)
    return found


def platform_facts(compilers: Iterable[str | None]) -> dict[str, str]:
    """Return the versions and the platform, by the names of ``torch.utils.collect_env`` where it has them.

    Neither imports torch nor initializes an accelerator; what torch sees is there if it is loaded. Inductor
    tries the C++ *compilers* in this order, as ``inductor.cpp.cxx`` has them.
    """
    gpus = answer(_nvidia_gpus)
    facts = {
        **{name: installed_build().get(key, "unknown") for name, key in _BUILD.items()},
        "Python version": f"{sys.version} ({sys.maxsize.bit_length() + 1}-bit runtime)".replace("\n", " "),
        "Python platform": platform.platform(),
        **(gpus if isinstance(gpus, dict) else {_GPUS: gpus}),
        "Triton version": triton() or "not installed",
        "C++ compiler": answer(lambda: _first_compiler(compilers)),
    }
    if torch := sys.modules.get("torch"):
        facts["Device"] = answer(device if torch.cuda.is_initialized() else cpu)
    return facts


def _nvidia_gpus() -> dict[str, str]:
    """Return the GPUs that the driver lists, and its version."""
    if shutil.which("nvidia-smi") is None:
        return {_GPUS: "unknown: there is no nvidia-smi"}
    listed = output_of("nvidia-smi", "--query-gpu=name,memory.total,driver_version", "--format=csv,noheader")
    gpus = [line.rpartition(", ") for line in listed.splitlines()]
    return {_GPUS: "; ".join(gpu for gpu, _, _ in gpus), "Nvidia driver version": gpus[0][2]}


def triton() -> str | None:
    """Return the version of Triton; None if it is not installed."""
    for name in _TRITONS:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            return importlib.metadata.version(name)
    return None


def _first_compiler(names: Iterable[str | None]) -> str:
    chosen = next((each for each in names if each and shutil.which(each)), None)
    return f"{chosen}, {output_of(chosen, '--version').splitlines()[0]}" if chosen else "none found"


def device() -> str:
    """Return the name of the current accelerator, or of the CPU with its vector instructions."""
    import torch

    for accelerator in (torch.cuda, torch.xpu):
        if accelerator.is_available():
            return str(accelerator.get_device_name())
    return cpu()


def cpu() -> str:
    """Return the CPU with its vector instructions."""
    import torch

    return f"{platform.machine()} with {torch.backends.cpu.get_cpu_capability()}"
