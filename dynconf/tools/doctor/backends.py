"""`list_backends`: the registered backends, their missing requirements, and whether they work."""

import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import redirect_stdout
from dataclasses import asdict, dataclass, replace
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from typing import Any, Literal

from dynconf.tools.doctor.compiling import (
    clean_compilation,
    compile_isolated,
    registered_backend,
    small_model,
)
from dynconf.tools.doctor.steps import Failed, in_one_line
from dynconf.tools.doctor.toolchain import cpp_compiler

ENTRY_POINTS = "torch_dynamo_backends"
"""The group of entry points by which packages announce backends to Dynamo."""

_PACKAGES = {"tvm": "tvm", "openxla": "torch_xla", "openxla_eval": "torch_xla", "onnxrt": "onnxruntime"}
"""The packages that torch's own backends import when they compile, in all releases."""

TOLERANCE = 1e-2
"""How far an output may be from plain PyTorch's, relative and absolute: backends may round."""

Result = Literal["ok", "wrong", "failed", "skipped"]
"""How an attempt went: right result, wrong result, exception, or not made because something is missing."""


@dataclass(frozen=True, slots=True)
class Backend:
    """A backend of ``torch.compile``.

    Attributes:
        name: Its name in Dynamo's registry.
        tags: Its tags, such as ``debug``; unknown, hence empty, for a backend that a package announces.
        missing: The requirement that this machine lacks, in words; empty if none is known.
        result: The result of an attempt to compile with it; None if none was made.
        message: The reason for that result, unless it is ok.
    """

    name: str
    tags: tuple[str, ...]
    missing: str = ""
    result: Result | None = None
    message: str = ""

    @property
    def available(self) -> bool:
        """Whether nothing is known to be missing."""
        return not self.missing

    def as_json(self) -> dict[str, Any]:
        """Return the attributes as a JSON object, with null for a text that is empty."""
        texts = {"missing": self.missing or None, "message": self.message or None}
        return {**asdict(self), "tags": list(self.tags), "available": self.available, **texts}


def list_backends(
    names: Iterable[str] | None = None,
    *,
    exclude_tags: Iterable[str] = (),
    attempt: bool = False,
    options: Mapping[str, object] | None = None,
    started: Callable[[str], object] | None = None,
) -> list[Backend]:
    """Return the registered backends, and those that installed packages announce.

    Args:
        names: Only these backends, in this order; all of them, sorted by name, if None.
        exclude_tags: Leave out backends with one of these tags.
        attempt: Whether to compile a small model (Linear, ReLU, Linear, Sigmoid) on each available backend
            and compare its output with plain PyTorch's. Afterwards the process is as it was; see
            `dynconf.tools.doctor.global_state`.
        options: Options for these attempts, as ``torch.compile`` takes them; a backend without options
            fails.
        started: Called with the name of each backend before it is tried.

    Raises:
        InvalidValueError: No backend has that name.

    Example:
        >>> [backend.available for backend in list_backends(["eager"])]
        [True]
    """
    import torch._dynamo

    announced = {point.name: point for point in entry_points(group=ENTRY_POINTS)}
    if names is None:
        names = sorted({*torch._dynamo.list_backends(exclude_tags=None), *announced})
    backends = [_describe(name, announced.get(name)) for name in dict.fromkeys(names)]
    excluded = set(exclude_tags)
    backends = [backend for backend in backends if not excluded.intersection(backend.tags)]
    return [_attempt(backend, options, started) for backend in backends] if attempt else backends


def _describe(name: str, point: EntryPoint | None) -> Backend:
    # Looking up an announced backend would import its package.
    compiler = point or registered_backend(name)
    from torch._dynamo.backends import registry

    # Up to torch 2.14, a backend has its tags itself.
    tags = vars(registry).get("_BACKEND_TAGS", {}).get(name) or getattr(compiler, "_tags", ())
    return Backend(name, tuple(tags), _missing_requirement(name, point))


def _missing_requirement(name: str, point: EntryPoint | None) -> str:
    """Say what this machine lacks for a backend, which a package may announce; empty if nothing is known."""
    package = point.module.partition(".")[0] if point else _PACKAGES.get(name)
    if package and find_spec(package) is None:
        return f"needs {package}, which is not installed"
    if name == "cudagraphs":
        import torch

        return "" if torch.cuda.is_available() else "needs a CUDA or ROCm device"
    if name == "inductor":
        try:
            cpp_compiler(needed=True)
        except Failed as problem:
            return f"needs a C++ compiler: {problem}"
    return ""


def _attempt(
    backend: Backend, options: Mapping[str, object] | None, started: Callable[[str], object] | None
) -> Backend:
    if started is not None:
        started(backend.name)
    if not backend.available:
        return replace(backend, result="skipped", message=backend.missing)
    import torch
    from torch._dynamo.utils import counters

    stdout = redirect_stdout(sys.stderr)  # some backends of torch print the graph
    with clean_compilation(), stdout, torch.no_grad():
        torch.manual_seed(0)
        model, example = small_model().eval(), torch.randn(2, 10)
        graphs = counters["stats"]["unique_graphs"]
        try:
            compiled = compile_isolated(model, backend.name, options=dict(options) if options else None)
            output = compiled(example)
            torch.testing.assert_close(output.float(), model(example), rtol=TOLERANCE, atol=TOLERANCE)
        except AssertionError as error:
            return replace(backend, result="wrong", message=in_one_line(error))
        except Exception as error:
            return replace(backend, result="failed", message=in_one_line(error))
        # A disabled Dynamo raises nothing: this was plain PyTorch.
        if counters["stats"]["unique_graphs"] == graphs:
            message = "Dynamo compiled nothing: make sure that TORCHDYNAMO_DISABLE is not set"
            return replace(backend, result="failed", message=message)
    return replace(backend, result="ok")
