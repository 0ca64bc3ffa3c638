"""`list_backends`: the registered backends, what they lack, and whether they work."""

import sys
import warnings
from collections.abc import Callable, Iterable, Mapping
from contextlib import redirect_stdout
from dataclasses import asdict, dataclass, replace
from importlib.metadata import EntryPoint
from typing import Any, Literal

from dynconf.doctor.compiling import compile_apart, registered_backend, small_model
from dynconf.doctor.failure import in_one_line
from dynconf.doctor.global_state import preserved_process
from dynconf.doctor.requirements import announced_backends, missing_for
from dynconf.errors import InvalidValueError
from dynconf.live.patch import patch

TOLERANCE = 1e-2
"""How far an output may be from plain PyTorch's, relative and absolute: backends may round."""

Result = Literal["ok", "wrong", "failed", "skipped"]
"""How a try went: right result, wrong result, exception, or not tried because something is missing."""


@dataclass(frozen=True, slots=True)
class Backend:
    """A backend of ``torch.compile``.

    Attributes:
        name: Its name in Dynamo's registry.
        tags: Its tags, such as ``debug``; unknown, hence empty, for a backend that a package announces.
        available: Whether nothing is known to be missing.
        missing: What is missing, in words.
        result: How a try went; None without one.
        message: What went wrong in a try.
    """

    name: str
    tags: tuple[str, ...]
    available: bool
    missing: str = ""
    result: Result | None = None
    message: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return the attributes as a JSON object, with null for a text that is empty."""
        texts = {"missing": self.missing or None, "message": self.message or None}
        return {**asdict(self), "tags": list(self.tags), **texts}


def list_backends(
    names: Iterable[str] | None = None,
    *,
    exclude_tags: Iterable[str] = (),
    attempt: bool = False,
    options: Mapping[str, object] | None = None,
    started: Callable[[str], object] | None = None,
    finished: Callable[[Backend], object] | None = None,
) -> list[Backend]:
    """Return the registered backends, and those that installed packages announce.

    Args:
        names: Only these backends, in this order; all of them, sorted by name, if None.
        exclude_tags: Leave out backends with one of these tags.
        attempt: Whether to compile a small model (Linear, ReLU, Linear, Sigmoid) on each available backend
            and compare its output with plain PyTorch's. Afterwards the process is as it was; see
            `dynconf.doctor.global_state`.
        options: Options for these attempts, as ``torch.compile`` takes them; a backend without options
            fails.
        started: Called with the name of each backend before it is tried.
        finished: Called with each backend that has been tried.

    Raises:
        InvalidValueError: No backend has that name.

    Example:
        >>> [backend.available for backend in list_backends(["eager"])]
        [True]
    """
    import torch._dynamo

    announced = announced_backends()
    if names is None:
        names = sorted({*torch._dynamo.list_backends(exclude_tags=None), *announced})
    found = [_describe(name, announced.get(name)) for name in dict.fromkeys(names)]
    excluded = set(exclude_tags)
    found = [backend for backend in found if not excluded.intersection(backend.tags)]
    if not attempt:
        return found
    tried = []
    for backend in found:
        if started is not None:
            started(backend.name)
        tried.append(_attempt(backend, options))
        if finished is not None:
            finished(tried[-1])
    return tried


def _describe(name: str, point: EntryPoint | None) -> Backend:
    compiler = point or registered_backend(name)
    missing = missing_for(name, compiler)
    return Backend(name, tuple(getattr(compiler, "_tags", ())), not missing, missing)


def _attempt(backend: Backend, options: Mapping[str, object] | None) -> Backend:
    if not backend.available:
        return replace(backend, result="skipped", message=backend.missing)
    import torch

    flags = patch(disable=False, suppress_errors=False)
    stdout = redirect_stdout(sys.stderr)  # some backends of torch print the graph
    with preserved_process(), warnings.catch_warnings(), stdout, torch.no_grad(), flags:
        warnings.simplefilter("ignore")
        torch.manual_seed(0)
        model, example = small_model().eval(), torch.randn(2, 10)
        try:
            run = compile_apart(model, backend.name, options=dict(options) if options else None)
            output = run(example)
            torch.testing.assert_close(output.float(), model(example), rtol=TOLERANCE, atol=TOLERANCE)
        except InvalidValueError:
            raise
        except AssertionError as error:
            return replace(backend, result="wrong", message=in_one_line(error))
        except Exception as error:
            return replace(backend, result="failed", message=in_one_line(error))
    return replace(backend, result="ok")
