"""`verify`: can this machine run ``torch.compile``? Versions, then real compilations, then the config."""

import importlib
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from dynconf.catalogue import FLAGS
from dynconf.checks.compiled import Counting, compiled, registered, small_model
from dynconf.checks.environment import check_environment
from dynconf.checks.failure import in_one_line
from dynconf.checks.finding import Finding, Report
from dynconf.checks.global_state import undisturbed
from dynconf.checks.steps import Broken, Skipped, Step, taken
from dynconf.checks.versions_found import version_steps
from dynconf.errors import InvalidValueError
from dynconf.live.binding import live
from dynconf.live.patch import patch

BACKENDS = ("eager", "aot_eager", "inductor")
"""What is compiled on unless the caller says: Dynamo alone, with autograd, and with code generation."""

_ADVICE = "TORCH_LOGS=+dynamo tells what Dynamo did; --verbose shows the traceback"
_COMPILED_NOTHING = (
    "see that TORCHDYNAMO_DISABLE and TORCH_COMPILE_DISABLE are not set, and the stance of torch.compiler"
)


def verify(
    *,
    devices: Sequence[str] | None = None,
    backends: Sequence[str] = BACKENDS,
    started: Callable[[str], object] | None = None,
    finished: Callable[[Finding], object] | None = None,
) -> Report:
    """Check that this machine can run ``torch.compile``.

    Each backend compiles a function and a module on each device and runs them forward and backward; results
    and gradients are compared with plain PyTorch's. Inductor starts from an empty cache on disk, so that
    yesterday's kernels do not hide today's broken compiler. The first compilation takes 10 to 30 seconds.
    The process is as before afterwards: see `dynconf.checks.global_state`.

    Args:
        devices: Devices such as ``cpu``, ``cuda`` (all of them) or ``cuda:1``; the CPU and every accelerator
            that Dynamo knows and finds where None.
        backends: The backends.
        started: Called with the title of each step before it runs.
        finished: Called with each finding as soon as it is there.

    Returns:
        A finding for each step; what it holds is told at `dynconf.checks.steps.taken`. The report is ok
        unless a required step failed.

    Raises:
        InvalidValueError: There is no such device type or backend.

    Example:
        >>> verify(devices=["cpu"], backends=["eager"]).ok
        True
    """
    findings: list[Finding] = []

    def take(steps: Iterable[Step]) -> None:
        for step in steps:
            if started is not None:
                started(step.title)
            findings.append(taken(step))
            if finished is not None:
                finished(findings[-1])

    if not _importable():
        take(version_steps(compiler_needed=False, triton_needed=False)[:2])
        return Report(tuple(findings))
    for name in backends:
        registered(name)
    there = _devices_there()
    wanted = _selected(devices, there)
    inductor = "inductor" in backends
    with undisturbed(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        take(
            version_steps(
                compiler_needed=inductor and "cpu" in wanted,
                triton_needed=inductor and any(name.startswith(("cuda", "xpu")) for name in wanted),
            )
        )
        with _empty_cache() if inductor else nullcontext(), patch(disable=False, suppress_errors=False):
            take(_compile_steps(wanted, backends, there))
        if wanted == ["cpu"]:
            take([Step("accelerators", "accelerators", _no_accelerator)])
        take(_config_steps())
    return Report(tuple(findings))


def _importable() -> bool:
    try:
        importlib.import_module("torch._dynamo")
    except Exception:  # noqa: BLE001  a torch that is broken in whatever way is what the next step reports
        return False
    return True


def _interfaces() -> dict[str, Any]:
    """Return torch's interfaces to the kinds of devices that Dynamo knows."""
    from torch._dynamo.device_interface import get_registered_device_interfaces  # noqa: PLC0415

    return {name: interface for name, interface in get_registered_device_interfaces() if ":" not in name}


def _devices_there() -> list[str]:
    """Return the CPU and every accelerator that is there."""
    found = ["cpu"]
    for kind, interface in sorted(_interfaces().items()):
        if kind == "cpu" or not interface.is_available():
            continue
        try:
            found += [f"{kind}:{index}" for index in range(interface.device_count())]
        except NotImplementedError:
            found.append(kind)
    return found


def _selected(devices: Sequence[str] | None, there: list[str]) -> list[str]:
    """Return the devices asked for, a kind opened into all of its devices; also those that are not there."""
    import torch  # noqa: PLC0415

    if devices is None:
        return there
    selected: list[str] = []
    for name in devices:
        try:
            torch.device(name)
        except RuntimeError:
            raise InvalidValueError(
                f"there is no device {name!r}: expected one such as cpu, cuda or cuda:0"
            ) from None
        selected += [each for each in there if each == name or each.partition(":")[0] == name] or [name]
    return list(dict.fromkeys(selected))


def _no_accelerator() -> str:
    there = _devices_there()[1:]
    if there:
        raise Skipped(f"{', '.join(there)} not asked for")
    kinds = sorted(set(_interfaces()) - {"cpu"})
    raise Skipped(f"none is there; Dynamo knows {', '.join(kinds)}")


def _compile_steps(wanted: list[str], backends: Sequence[str], there: list[str]) -> Iterator[Step]:
    for device in wanted:
        for backend in backends:
            yield Step(
                "compile",
                f"{backend} on {device}",
                lambda backend=backend, device=device: _compile(backend, device, there),  # type: ignore[misc]
                _ADVICE,
                {"backend": backend, "device": device},
            )


def _compile(backend: str, device: str, there: list[str]) -> str:
    """Compile a function and a module, and compare results and gradients."""
    import torch  # noqa: PLC0415

    if device not in there:
        raise Broken(f"there is no {device} here", f"leave it out; there are {', '.join(there)}")

    def curve(x: Any) -> Any:
        return torch.sin(x) * x + x

    generator = torch.Generator().manual_seed(0)
    example = torch.randn(4, 10, generator=generator)
    counting = Counting(backend, registered(backend))
    for what, target in (("function", curve), ("module", small_model().to(device))):
        run = compiled(target, counting, fullgraph=True)
        plain, ours = (_forward_and_backward(each, target, example.to(device)) for each in (target, run))
        try:
            torch.testing.assert_close(ours, plain)
        except AssertionError as error:
            raise Broken(
                f"a {what} gives another result than plain PyTorch: {in_one_line(error)}",
                "`dynconf compare` tells what differs; another version of the toolchain or driver",
            ) from error
    if not counting.graphs:
        raise Broken("Dynamo compiled nothing", _COMPILED_NOTHING)
    return "a function and a module, forward and backward"


def _forward_and_backward(run: Callable[..., Any], target: Any, example: Any) -> list[Any]:
    """Return output and gradients of one call."""
    example = example.clone().requires_grad_()
    parameters = list(target.parameters()) if hasattr(target, "parameters") else []
    for parameter in parameters:
        parameter.grad = None
    output = run(example)
    output.sum().backward()
    return [output.detach(), example.grad, *(parameter.grad for parameter in parameters)]


def _empty_cache() -> AbstractContextManager[Any]:
    from torch._inductor.utils import fresh_inductor_cache  # noqa: PLC0415

    return fresh_inductor_cache()  # type: ignore[no-any-return, unused-ignore]


def _config_steps() -> list[Step]:
    return [
        Step("config-module", "config module", _config_module),
        Step("config-patch", "config patch", _config_patch),
        Step("config-environment", "config environment", _config_environment),
    ]


def _config_module() -> str:
    binding = live()
    names = binding.names()
    newer = [name for name in names if name not in FLAGS]
    more = f", of which {len(newer)} are newer than the catalogue: {', '.join(newer)}" if newer else ""
    scope = "thread or task" if binding.per_context else "process"
    return f"{len(names)} names of flags{more}; a change is for the {scope}"


def _config_patch() -> str:
    binding = live()
    slot = binding.slot("verbose")
    before = binding.read(slot)
    with patch(verbose=not before):
        inside = binding.read(slot)
    if inside is before or binding.read(slot) is not before:
        raise Broken(
            "a patch of verbose is not in force, or stays", "report this to dynconf, with the torch release"
        )
    return "in force inside, gone outside"


def _config_environment() -> str:
    """Check variables and files; what dynconf refuses is a failure, what only looks wrong is none."""
    found = [each for each in check_environment().findings if each.level != "note"]
    if not found:
        return "variables and files mean what they say"
    raise Broken(
        f"findings: {len(found)}",
        "`dynconf check` tells more",
        required=any(each.level == "error" for each in found),
        lines=[f"{each.level}: {each.message}" for each in found],
    )
