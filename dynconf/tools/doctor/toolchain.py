"""The versions of everything that ``torch.compile`` is built on."""

import os
import platform
import subprocess
from functools import partial

from dynconf.release import OLDEST, minor
from dynconf.tools.doctor.steps import Failed, Skipped, Steps, in_one_line

_DEVICE_FILES = {"CUDA": ("/dev/nvidiactl", "/dev/nvidia0"), "ROCm": ("/dev/kfd",)}
"""Where Linux shows a device, whatever torch was built for."""


def check_python_and_torch(steps: Steps) -> None:
    """Run the steps that work even if torch cannot be imported."""
    steps.run("python", "Python", platform.python_version)
    steps.run("torch", "torch", _torch)


def check_toolchain(steps: Steps, *, compiler_needed: bool, triton_needed: bool) -> None:
    """Run the steps for everything that torch compiles with; not every check needs all of it."""
    steps.run("dynamo", "Dynamo", _dynamo, "use a Python that this torch supports")
    steps.run("cuda", "CUDA", partial(_gpus, "CUDA"))
    steps.run("rocm", "ROCm", partial(_gpus, "ROCm"))
    steps.run("triton", "Triton", partial(_triton, needed=triton_needed))
    steps.run("cpp-compiler", "C++ compiler", partial(cpp_compiler, needed=compiler_needed))


def _torch() -> str:
    try:
        import torch
    except Exception as error:
        raise Failed(f"cannot be imported: {in_one_line(error)}", "reinstall torch") from error
    found = f"{torch.__version__}; dynconf needs {'.'.join(map(str, OLDEST))} or newer"
    if minor(str(torch.__version__)) < OLDEST:
        raise Failed(found, "install a newer torch")
    return found


def _dynamo() -> str:
    from torch._dynamo.eval_frame import check_if_inductor_supported

    check_if_inductor_supported()  # checks Dynamo first, and raises if this Python is not supported
    return f"supports Python {platform.python_version()}"


def build_advice(platform_name: str) -> str:
    """Say which build of torch to install for a device that this one ignores; return "" if there is none."""
    if _built_for(platform_name) or not _has_device(platform_name):
        return ""
    return f"install the build of torch for {platform_name} that https://pytorch.org lists for this machine"


def _has_device(platform_name: str) -> bool:
    return any(map(os.path.exists, _DEVICE_FILES[platform_name]))


def _built_for(platform_name: str) -> str:
    """Return the version of CUDA or ROCm that torch is built for; "" if for none."""
    from torch import version

    return str((version.cuda if platform_name == "CUDA" else version.hip) or "")


def _gpus(platform_name: str) -> str:
    import torch

    advice = build_advice(platform_name)
    if advice:
        raise Failed(f"torch is built without {platform_name}, but there is a device", advice, required=False)
    if not (built := _built_for(platform_name)):
        raise Skipped(f"torch is built without {platform_name}")
    if torch.cuda.is_available():
        names = [torch.cuda.get_device_name(index) for index in range(torch.cuda.device_count())]
        return f"torch is built for {built}; {', '.join(names)}"
    reason = ""
    try:
        # is_available swallows the reason, such as a driver that is too old; init raises it.
        torch.cuda.init()  # type: ignore[no-untyped-call, unused-ignore]
    except Exception as error:
        reason = f": {in_one_line(error)}"
    found = f"torch is built for {built} but finds no device{reason}"
    if _has_device(platform_name):
        raise Failed(found, "install a newer driver, or another torch", required=False)
    raise Skipped(found)


def _triton(*, needed: bool) -> str:
    from torch.utils._triton import has_triton, has_triton_package

    found, advice = "not installed", "install the triton that matches this torch"
    if has_triton_package():
        import triton  # type: ignore[import-not-found, unused-ignore]

        found = str(triton.__version__)
        if has_triton():
            return found
        found = f"{found} supports no device of this machine"
        advice = f"use a newer GPU, or {advice}; backends other than inductor do not need it"
    if needed:
        raise Failed(found, advice)
    raise Skipped(f"{found}; it is not needed here")


def cpp_compiler(*, needed: bool) -> str:
    """Return the compiler that Inductor chooses, with its version; raise `Failed` if none works."""
    from torch._inductor import config, cpp_builder

    name = "get_cpp_compiler" if hasattr(cpp_builder, "get_cpp_compiler") else "_get_cpp_compiler"  # in 2.4
    try:
        compiler: str = getattr(cpp_builder, name)()
        version = output_of(compiler, "--version").splitlines()
    except Exception as error:
        candidates = ", ".join(str(each) for each in config.cpp.cxx if each)
        raise Failed(
            f"none that works; Inductor looked for {candidates}",
            "install g++ or clang++, or set CXX to a compiler that works",
            required=needed,
        ) from error
    return f"{compiler}, {version[0]}" if version else compiler


def output_of(*command: str) -> str:
    """Return what a command prints; raise an error if it fails, or takes half a minute."""
    return subprocess.run(
        command, capture_output=True, text=True, errors="replace", timeout=30, check=True
    ).stdout
