"""Facts about torch and the machine that are no flags, and change results or compiled code all the same.

Two runs with equal flags may differ in numbers because one of them allows TF32. Such switches are read here,
and never set. No question ends in an error: its answer is then a text that begins with "unknown: ".
"""

import importlib
import importlib.util
import platform
import subprocess
import sys
from collections.abc import Callable
from operator import attrgetter
from typing import Any

from dynconf.errors import describe_error

_DETERMINISM = ("default", "warn", "error")

_PRECISIONS = ("", "cuda.matmul.", "cudnn.conv.", "cudnn.rnn.", "mkldnn.", "mkldnn.matmul.")
"""The parts of `torch.backends` that have a precision of their own, from torch 2.9 on."""


def answer(question: Callable[[], Any]) -> Any:
    """Return the answer to a question, or why there is none."""
    try:
        return question()
    except Exception as error:  # noqa: BLE001  it is the answer
        return f"unknown: {describe_error(error)}"


def matmul_precision() -> Any:
    """Return the precision of float32 matmuls, such as "highest"."""
    import torch

    return answer(torch.get_float32_matmul_precision)


def tf32() -> dict[str, Any]:
    """Return whether TF32 is allowed, by ``matmul`` and ``cudnn``."""
    import torch

    return {
        "matmul": answer(lambda: torch.backends.cuda.matmul.allow_tf32),
        "cudnn": answer(lambda: torch.backends.cudnn.allow_tf32),
    }


def deterministic_algorithms() -> Any:
    """Return the debug mode: "default", "warn" or "error"."""
    import torch

    return answer(lambda: _DETERMINISM[torch.get_deterministic_debug_mode()])


def numerics() -> dict[str, Any]:
    """Return the switches that explain different numbers, by the names that torch has for them."""
    import torch

    found = {
        "float32_matmul_precision": matmul_precision(),
        **{f"{name}.allow_tf32": value for name, value in tf32().items()},
        "deterministic_algorithms": deterministic_algorithms(),
        "cudnn.deterministic": answer(lambda: torch.backends.cudnn.deterministic),
        "cudnn.benchmark": answer(lambda: torch.backends.cudnn.benchmark),
    }
    for part in _PRECISIONS:
        name = f"{part}fp32_precision"
        try:
            found[name] = attrgetter(name)(torch.backends)
        except (AttributeError, RuntimeError):  # this release lacks it, or its answers contradict each other
            continue
    return found


def platform_facts() -> dict[str, Any]:
    """Return the versions and the platform by the names of ``torch.utils.collect_env``.

    Without torch in the process only those that need none; nothing initializes an accelerator.
    """
    bits = sys.maxsize.bit_length() + 1
    facts: dict[str, Any] = {
        "Python version": f"{sys.version} ({bits}-bit runtime)".replace("\n", " "),
        "Python platform": platform.platform(),
    }
    torch = sys.modules.get("torch")
    if torch is None:
        return facts
    return {
        "Is debug build": answer(lambda: str(torch.version.debug)),
        "CUDA used to build PyTorch": answer(lambda: str(torch.version.cuda)),
        "ROCM used to build PyTorch": answer(lambda: str(torch.version.hip)),
        **facts,
        # Whoever compiles for a GPU has imported it, and importing it for a report alone takes long.
        **({"Triton version": answer(triton)} if "triton" in sys.modules else {}),
        "Device": answer(device if torch.cuda.is_initialized() else cpu),
    }


def triton() -> str | None:
    """Return the version of Triton; None if it is not installed."""
    if importlib.util.find_spec("triton") is None:
        return None
    return str(importlib.import_module("triton").__version__)


def compiler() -> str:
    """Return the C++ compiler that Inductor chooses, with its version."""
    from torch._inductor import cpp_builder

    name = "get_cpp_compiler" if hasattr(cpp_builder, "get_cpp_compiler") else "_get_cpp_compiler"  # in 2.4
    chosen: str = getattr(cpp_builder, name)()
    shown = subprocess.run([chosen, "--version"], capture_output=True, text=True, timeout=30, check=False)
    return f"{chosen}, {shown.stdout.partition(chr(10))[0]}"


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
