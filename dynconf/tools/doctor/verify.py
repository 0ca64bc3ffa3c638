"""`verify`: can this machine run ``torch.compile``? Versions, then real compilations, then the config."""

import importlib
import itertools
import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from dynconf.catalogue.modules import MODULES
from dynconf.errors import InvalidValueError
from dynconf.live.binding import bind, unknown_storage
from dynconf.tools.doctor.compiling import (
    CountingBackend,
    clean_compilation,
    compile_isolated,
    registered_backend,
    small_model,
)
from dynconf.tools.doctor.global_state import idle_settings
from dynconf.tools.doctor.steps import Failed, StepReport, Steps, in_one_line
from dynconf.tools.doctor.toolchain import build_advice, check_python_and_torch, check_toolchain
from dynconf.tools.lint.environment import check_environment
from dynconf.tools.show.finding import Finding

if TYPE_CHECKING:
    import torch

BACKENDS = ("eager", "aot_eager", "inductor")
"""The backends that are checked by default: Dynamo alone, with autograd, and with code generation."""

_ADVICE = "set TORCH_LOGS=+dynamo for a log of Dynamo's steps; --verbose shows the traceback"


def verify(
    *,
    devices: Sequence[str] | None = None,
    backends: Sequence[str] = BACKENDS,
    started: Callable[[str], object] | None = None,
    finished: Callable[[Finding], object] | None = None,
) -> StepReport:
    """Check that this machine can run ``torch.compile``.

    Each backend compiles a function and a module on each device and runs them forward and backward; results
    and gradients are compared with plain PyTorch's. Inductor starts from an empty cache on disk, so that
    yesterday's kernels do not hide today's broken compiler; its first compilation takes 10 to 30 seconds.
    Afterwards the process is as it was; see `dynconf.tools.doctor.global_state`.

    Args:
        devices: Devices such as ``cpu``, ``cuda`` (all of them) or ``cuda:1``; if None, the CPU and every
            accelerator that is present and that Dynamo supports.
        backends: The names of the backends.
        started: Called with the title of each step before it runs.
        finished: Called with each finding as soon as it is known.

    Returns:
        A finding for each step, with the facts listed at `dynconf.tools.doctor.steps.Steps.run`.

    Raises:
        InvalidValueError: A type of device or a backend does not exist.

    Example:
        >>> verify(devices=["cpu"], backends=["eager"]).ok
        True
    """
    steps = Steps(started, finished)
    try:
        importlib.import_module("torch._dynamo")
    except Exception as error:
        check_python_and_torch(steps)
        if steps.report().ok:  # so the reason is not torch as a whole, which those steps import
            steps.run("dynamo", "Dynamo", partial(_raise, error), "reinstall torch")
        environment = partial(_config_environment, os.environ)  # which may be the reason
        steps.run("config-environment", "config environment", environment)
        return steps.report()
    for name in backends:
        registered_backend(name)
    present = _present_devices()
    requested = _requested_devices(devices, present)
    inductor = "inductor" in backends
    with clean_compilation():
        check_python_and_torch(steps)
        check_toolchain(
            steps,
            compiler_needed=inductor and "cpu" in requested,
            triton_needed=inductor and any(name.startswith(("cuda", "xpu")) for name in requested),
        )
        from torch._inductor.utils import fresh_inductor_cache

        # The steps on the config come after it: the cache is a variable, which they would check, too.
        with fresh_inductor_cache():
            for device, backend in itertools.product(requested, backends):
                step = partial(_compile, backend, device, present)
                title, facts = f"{backend} on {device}", {"backend": backend, "device": device}
                steps.run("compile", title, step, _ADVICE, **facts)
        steps.run("config-module", "config module", _config_module)
        steps.run("config-environment", "config environment", _config_environment)
    return steps.report()


def _raise(error: Exception) -> str:
    raise error


def _present_devices() -> list[str]:
    """Return the CPU, and the accelerators that are present and that Dynamo supports."""
    from torch._dynamo.device_interface import get_registered_device_interfaces

    found = ["cpu"]
    for kind, interface in sorted(get_registered_device_interfaces()):
        if ":" in kind or kind == "cpu" or not interface.is_available():
            continue
        try:
            found += [f"{kind}:{index}" for index in range(interface.device_count())]
        except NotImplementedError:  # an interface to a type of which a machine has one device
            found.append(kind)
    return found


def _requested_devices(devices: Sequence[str] | None, present: list[str]) -> list[str]:
    """Return the requested devices, even absent ones; a type means every device of that type."""
    import torch

    if devices is None:
        return present
    requested: list[str] = []
    for given in devices:
        try:
            name = "cpu" if torch.device(given).type == "cpu" else given  # cpu:0 is the same
        except RuntimeError:
            raise InvalidValueError(
                f"there is no device {given!r}: expected one such as cpu, cuda or cuda:0"
            ) from None
        requested += [each for each in present if name in (each, each.partition(":")[0])] or [name]
    return list(dict.fromkeys(requested))


def _compile(backend: str, device: str, present: list[str]) -> str:
    """Compile a function and a module, and compare results and gradients with plain PyTorch's."""
    import torch

    if device not in present:
        advice = (build_advice("CUDA") or build_advice("ROCm")) if device.startswith("cuda") else ""
        raise Failed(f"this machine has no {device}", advice or f"use one that it has: {', '.join(present)}")

    def curve(x: "torch.Tensor") -> "torch.Tensor":
        return torch.sin(x) * x + x

    # Drawn on the CPU, so that a result does not depend on the device's own generator.
    example = torch.randn(4, 10, generator=torch.Generator().manual_seed(0)).to(device)
    counting = CountingBackend(backend)
    for noun, target in (("function", curve), ("module", small_model().to(device))):
        compiled = compile_isolated(target, counting, fullgraph=True)
        expected, actual = (_forward_and_backward(each, target, example) for each in (target, compiled))
        try:
            torch.testing.assert_close(actual, expected)
        except AssertionError as error:
            raise Failed(
                f"a {noun} gives a different result from plain PyTorch: {in_one_line(error)}",
                "`dynconf compare` shows the differences; try another version of the toolchain or driver",
            ) from error
    # A disabled Dynamo raises nothing: the comparison above was one of plain PyTorch with itself.
    if not counting.graphs:
        raise Failed(
            "Dynamo compiled nothing",
            "make sure that TORCHDYNAMO_DISABLE and TORCH_COMPILE_DISABLE are not set, and check the stance "
            "of torch.compiler",
        )
    return "a function and a module, forward and backward"


def _forward_and_backward(run: Callable[..., Any], target: Any, example: "torch.Tensor") -> list[Any]:
    """Return the output of one call, and the gradients of its input and parameters."""
    import torch

    example = example.clone().requires_grad_()
    parameters = target.parameters() if hasattr(target, "parameters") else ()
    output = run(example)
    return [output.detach(), *torch.autograd.grad(output.sum(), [example, *parameters])]


def _config_module() -> str:
    counts = []
    for binding in map(bind, MODULES):
        newer = sorted(binding.uncatalogued())
        note = f" ({len(newer)} newer than the catalogue: {', '.join(newer)})" if newer else ""
        counts.append(f"{len(binding.names())} {binding.catalogue.name} flags{note}")
    scope = "thread or task" if bind().storage.per_context else "process"
    return "; ".join(filter(None, (", ".join(counts), f"a change applies to the {scope}", unknown_storage())))


def _config_environment(environ: Mapping[str, str] | None = None) -> str:
    """Check variables and files; the step is an error only if dynconf refuses one of their values."""
    findings = [each for each in check_environment(environ).findings if each.level != "note"]
    if not findings:
        return "; ".join(("variables and files mean what they say", *idle_settings()))
    count = "1 finding" if len(findings) == 1 else f"{len(findings)} findings"
    lines = [count, *(f"{each.level}: {each.message}" for each in findings)]
    is_error = any(each.level == "error" for each in findings)
    raise Failed("\n".join(lines), "see `dynconf check`", required=is_error)
