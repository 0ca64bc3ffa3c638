"""Everything on one rank that makes its compiled code, or the keys of its caches, differ from another's."""

import importlib
import importlib.util
import platform
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import partial
from typing import Any

from dynconf import version
from dynconf.catalogue import Setting
from dynconf.distributed.comparison import json_data, object_names
from dynconf.errors import describe_error
from dynconf.fingerprint import fingerprint
from dynconf.flags.types import Mismatch
from dynconf.modules import MODULES
from dynconf.origin import Origin
from dynconf.snapshot import live_state

_DETERMINISM = ("default", "warn", "error")


@dataclass(frozen=True, slots=True)
class RankReport:
    """One rank, as `collect` returns it. An answer that cannot be had is a text that begins with "unknown: ".

    Attributes:
        torch: The torch release.
        dynconf: The version of dynconf.
        fingerprint: `dynconf.fingerprint` of the rank: equal if its flags compile to the same code.
        flags: The flags that are set, by newest name, as JSON data; objects go by their names.
        origins: Where each of them came from.
        matmul_precision: The precision of float32 matmuls, such as "highest".
        tf32: Whether TF32 is allowed, by ``matmul`` and ``cudnn``.
        deterministic_algorithms: The debug mode: "default", "warn" or "error".
        triton: The version of Triton; None if it is not installed.
        compiler: The C++ compiler that Inductor chooses, with its version.
        device: The name of the current accelerator, or of the CPU with its vector instructions.
    """

    torch: str
    dynconf: str
    fingerprint: str
    flags: Mapping[str, Any]
    origins: Mapping[str, Origin]
    matmul_precision: str
    tf32: Mapping[str, Any]
    deterministic_algorithms: str
    triton: str | None
    compiler: str
    device: str

    @classmethod
    def of_this_rank(cls) -> "RankReport":
        """Return the report of this process; no question ends in an error."""
        import torch

        state = live_state(MODULES)
        settings = state.only_set()
        return cls(
            torch=state.release.version,
            dynconf=version.__version__,
            fingerprint=_answer(fingerprint),
            flags={
                each.newest: _answer(partial(_data, each, value)) for each, (value, _) in settings.items()
            },
            origins={each.newest: origin for each, (_, origin) in settings.items()},
            matmul_precision=_answer(torch.get_float32_matmul_precision),
            tf32={
                "matmul": _answer(lambda: torch.backends.cuda.matmul.allow_tf32),
                "cudnn": _answer(lambda: torch.backends.cudnn.allow_tf32),
            },
            deterministic_algorithms=_answer(lambda: _DETERMINISM[torch.get_deterministic_debug_mode()]),
            triton=_answer(_triton),
            compiler=_answer(_compiler),
            device=_answer(_device),
        )

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> "RankReport":
        """Return the report of a rank that sent `asdict` of it, perhaps from another version of dynconf."""
        values: dict[str, Any] = {each.name: data.get(each.name) for each in fields(cls)}
        values["origins"] = {name: Origin(**each) for name, each in data["origins"].items()}
        return cls(**values)


def _answer(question: Callable[[], Any]) -> Any:
    try:
        return question()
    except Exception as error:  # noqa: BLE001  it is the answer
        return f"unknown: {describe_error(error)}"


def _data(setting: Setting, value: Any) -> Any:
    try:
        return json_data(setting, value)
    except (Mismatch, TypeError, ValueError):
        return object_names(value)


def _triton() -> str | None:
    if importlib.util.find_spec("triton") is None:
        return None
    return str(importlib.import_module("triton").__version__)


def _compiler() -> str:
    from torch._inductor import cpp_builder

    name = "get_cpp_compiler" if hasattr(cpp_builder, "get_cpp_compiler") else "_get_cpp_compiler"  # in 2.4
    compiler: str = getattr(cpp_builder, name)()
    shown = subprocess.run([compiler, "--version"], capture_output=True, text=True, timeout=30, check=False)
    return f"{compiler}, {shown.stdout.partition(chr(10))[0]}"


def _device() -> str:
    import torch

    for accelerator in (torch.cuda, torch.xpu):
        if accelerator.is_available():
            return str(accelerator.get_device_name())
    return f"{platform.machine()} with {torch.backends.cpu.get_cpu_capability()}"
