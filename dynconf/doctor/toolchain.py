"""The versions of what ``torch.compile`` stands on, each with what torch itself asks for."""

import importlib.metadata
import platform
import re
import subprocess
from pathlib import Path

from dynconf.checks.failure import in_one_line
from dynconf.checks.steps import Broken, Skipped, Step
from dynconf.versions import OLDEST, RELEASES, minor

_SECONDS = 30


def version_steps(*, compiler_needed: bool, triton_needed: bool) -> list[Step]:
    """Return the steps that look at versions.

    Args:
        compiler_needed: Whether what was asked for needs a C++ compiler.
        triton_needed: Whether it needs Triton.
    """
    return [
        Step("python", "Python", _python),
        Step("torch", "torch", _torch),
        Step("dynamo", "Dynamo", _dynamo),
        Step("cuda", "CUDA", _cuda),
        Step("cuda-driver", "CUDA driver", _cuda_driver),
        Step("cuda-toolkit", "CUDA toolkit", _cuda_toolkit),
        Step("rocm", "ROCm", _rocm),
        Step("rocm-toolkit", "ROCm toolkit", _rocm_toolkit),
        Step("triton", "Triton", lambda: _triton(needed=triton_needed)),
        Step("cpp-compiler", "C++ compiler", lambda: cpp_compiler(needed=compiler_needed)),
    ]


def _python() -> str:
    found = platform.python_version()
    try:
        distribution = importlib.metadata.metadata("torch")
    except importlib.metadata.PackageNotFoundError:
        return found
    asked = distribution["Requires-Python"] or ""
    for bound in re.findall(r">=\s*(\d+(?:\.\d+)*)", asked):
        if _numbers(found) < _numbers(bound):
            raise Broken(f"{found}; torch needs {asked}", f"use a Python that is {asked}")
    return f"{found}; torch needs {asked}" if asked else found


def _torch() -> str:
    try:
        import torch  # noqa: PLC0415
    except Exception as error:
        raise Broken(f"it cannot be imported: {in_one_line(error)}", "install torch again") from error
    needs = f"dynconf needs {RELEASES[0].rpartition('.')[0]} or newer"
    found = str(torch.__version__)
    if minor(found) < OLDEST:
        raise Broken(f"{found}; {needs}", "install a newer torch")
    return f"{found}; {needs}"


def _dynamo() -> str:
    """Ask Dynamo and Inductor whether they support this Python."""
    from torch._dynamo import eval_frame  # noqa: PLC0415

    for part in ("dynamo", "inductor"):
        check = getattr(eval_frame, f"check_if_{part}_supported", None)
        try:
            supported = check() is None if check else getattr(eval_frame, f"is_{part}_supported")()
        except RuntimeError as error:
            raise Broken(str(error), "use a Python that this torch supports") from error
        if not supported:
            raise Broken(f"this torch's {part} does not support it here", "use another Python or torch")
    return f"supports Python {platform.python_version()}"


def _cuda() -> str:
    import torch  # noqa: PLC0415

    built = _built_for_cuda()
    if not torch.cuda.is_available():
        try:
            torch.cuda.init()  # type: ignore[no-untyped-call]
        except Exception as error:  # noqa: BLE001  the reason is what is asked for
            raise Skipped(f"torch is built for {built}, and finds no device: {in_one_line(error)}") from None
        raise Skipped(f"torch is built for {built}, and finds no device")
    devices = [torch.cuda.get_device_name(index) for index in range(torch.cuda.device_count())]
    return f"torch is built for {built}; {', '.join(devices)}"


def _cuda_driver() -> str:
    import torch  # noqa: PLC0415

    built = _built_for_cuda()
    number = getattr(torch._C, "_cuda_getDriverVersion", lambda: 0)()  # noqa: SLF001  torch has no public way
    if not number:
        raise Skipped("there is none")
    found = f"{number // 1000}.{number % 1000 // 10}"
    # Within a major version of CUDA, programs built for a newer minor one run on older drivers.
    needed = f"{built.partition('.')[0]}.0"
    if _numbers(found) < _numbers(needed):
        raise Broken(
            f"it supports CUDA {found}; torch needs {needed}", "install a newer driver or another torch"
        )
    return f"it supports CUDA {found}; torch needs {needed}"


def _cuda_toolkit() -> str:
    built = _built_for_cuda()
    return _toolkit("CUDA_HOME", "nvcc", r"release (\d+\.\d+)", built)


def _rocm() -> str:
    import torch  # noqa: PLC0415

    built = _built_for_rocm()
    if not torch.cuda.is_available():
        raise Skipped(f"torch is built for {built}, and finds no device")
    devices = [torch.cuda.get_device_name(index) for index in range(torch.cuda.device_count())]
    return f"torch is built for {built}; {', '.join(devices)}"


def _rocm_toolkit() -> str:
    built = _built_for_rocm()
    return _toolkit("ROCM_HOME", "hipcc", r"HIP version: (\d+\.\d+)", built)


def _built_for_cuda() -> str:
    import torch  # noqa: PLC0415

    if torch.version.cuda is None:
        raise Skipped("torch is built without CUDA")
    return str(torch.version.cuda)


def _built_for_rocm() -> str:
    import torch  # noqa: PLC0415

    if torch.version.hip is None:
        raise Skipped("torch is built without ROCm")
    return ".".join(str(torch.version.hip).split(".")[:2])


def _toolkit(home: str, program: str, pattern: str, built: str) -> str:
    """Return the version of a toolkit, which only extensions need; its major version has to be torch's."""
    from torch.utils import cpp_extension  # noqa: PLC0415

    place = getattr(cpp_extension, home, None)
    if not place:
        raise Skipped(f"there is none (set {home} where it is); only C++ extensions need it")
    path = Path(place, "bin", program)
    try:
        text = _output_of(str(path), "--version")
    except OSError as error:
        raise Skipped(f"{path} cannot be run: {error}") from None
    match = re.search(pattern, text)
    if match is None:
        raise Skipped(f"{path} does not tell its version")
    found = match[1]
    if _numbers(found)[:1] != _numbers(built)[:1]:
        raise Broken(
            f"{found}; torch is built for {built}",
            f"point {home} to a toolkit of version {built}, if you build C++ extensions",
            required=False,
        )
    return f"{found}; torch is built for {built}"


def _triton(*, needed: bool) -> str:
    from torch.utils._triton import has_triton, has_triton_package  # noqa: PLC0415

    asked = _triton_asked()
    note = f"; torch asks for {asked}" if asked else ""
    if not has_triton_package():
        if not needed:
            raise Skipped(f"not installed, and nothing here needs it{note}")
        raise Broken(f"not installed{note}", f"install {asked or 'the triton that belongs to this torch'}")
    import triton  # type: ignore[import-not-found, unused-ignore]  # noqa: PLC0415

    found = str(triton.__version__)
    if not has_triton():
        if not needed:
            raise Skipped(f"{found}, and no device here that it supports{note}")
        raise Broken(
            f"{found} supports no device here{note}",
            "a newer GPU, or the triton that belongs to this torch; eager backends work without",
        )
    pinned = re.search(r"==\s*([\d.]+\d)", asked)
    if pinned and _numbers(pinned[1]) != _numbers(found)[: len(_numbers(pinned[1]))]:
        raise Broken(f"{found}{note}", f"install {asked}", required=False)
    return f"{found}{note}"


def _triton_asked() -> str:
    """Return what torch's own metadata asks for, such as ``triton==3.4.0``; empty where it asks for none."""
    try:
        requirements = importlib.metadata.requires("torch") or []
    except importlib.metadata.PackageNotFoundError:
        return ""
    return next((each.partition(";")[0].strip() for each in requirements if "triton" in each), "")


def cpp_compiler(*, needed: bool) -> str:
    """Return the compiler that Inductor chooses, with its version.

    Raises:
        Broken: There is none that works; required as *needed* says.
    """
    from torch._inductor import config, cpp_builder  # noqa: PLC0415

    name = "get_cpp_compiler" if hasattr(cpp_builder, "get_cpp_compiler") else "_get_cpp_compiler"  # in 2.4
    choose = getattr(cpp_builder, name)
    try:
        compiler = choose()
        version = _output_of(compiler, "--version").splitlines()
    except Exception as error:
        searched = ", ".join(str(each) for each in config.cpp.cxx if each)
        raise Broken(
            f"none that works; Inductor looked for {searched}",
            "install g++ or clang++, or set CXX to a compiler that works",
            required=needed,
        ) from error
    return f"{compiler}, {version[0]}" if version else compiler


def _output_of(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=False).stdout


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version.partition("+")[0]))
