"""`list_backends`: the backends that are registered, what they lack, and whether they work."""

import sys
import warnings
from collections.abc import Iterable, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from typing import Any, Literal

from dynconf.checks.compiled import compiled, registered, small_model
from dynconf.checks.failure import in_one_line
from dynconf.checks.global_state import undisturbed
from dynconf.checks.requirements import announced, missing_for, missing_for_entry_point
from dynconf.errors import InvalidValueError
from dynconf.live.patch import patch

TOLERANCE = 1e-2
"""How far the output may lie from plain PyTorch's, relative and absolute: backends may round."""

Result = Literal["ok", "wrong", "failed", "skipped"]
"""How a try went: the right answer, another one, an exception, or not tried since something is missing."""


@dataclass(frozen=True, slots=True)
class Backend:
    """A backend of ``torch.compile``.

    Attributes:
        name: Its name in Dynamo's registry.
        tags: Its tags, such as ``debug``; none are known of one that a package announces before it is loaded.
        available: Whether what it is known to need is there.
        missing: What is not, in words.
        result: How a try went; None where none was made.
        message: What a try that went wrong said.
    """

    name: str
    tags: tuple[str, ...]
    available: bool
    missing: str = ""
    result: Result | None = None
    message: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return the attributes as a JSON object."""
        return {
            "name": self.name,
            "tags": list(self.tags),
            "available": self.available,
            "missing": self.missing or None,
            "result": self.result,
            "message": self.message or None,
        }


def list_backends(
    names: Iterable[str] | None = None,
    *,
    exclude_tags: Iterable[str] = (),
    attempt: bool = False,
    options: Mapping[str, object] | None = None,
) -> list[Backend]:
    """Return the registered backends, sorted by name, those that installed packages announce included.

    Args:
        names: Only these; all where None.
        exclude_tags: Leave out backends with one of these tags.
        attempt: Whether to compile a small model (Linear, ReLU, Linear, Sigmoid) on each that is available,
            and to compare its output with plain PyTorch's. The process is as before afterwards: see
            `dynconf.checks.global_state`.
        options: Options for the tries, as ``torch.compile`` takes them; a backend that takes none fails.

    Raises:
        InvalidValueError: There is no backend of a name.

    Example:
        >>> [backend.available for backend in list_backends(["eager"])]
        [True]
    """
    import torch._dynamo  # noqa: PLC0415

    points = announced()
    registry = torch._dynamo.list_backends(exclude_tags=None)  # noqa: SLF001  torch has no other way
    known = {*registry, *points}
    chosen = sorted(known) if names is None else list(dict.fromkeys(names))
    for name in chosen:
        if name not in known:
            registered(name)  # says that it is unknown, and what comes close
    left_out = set(exclude_tags)
    found = [_described(name, points.get(name)) for name in chosen]
    found = [backend for backend in found if not left_out.intersection(backend.tags)]
    return [_tried(backend, options) for backend in found] if attempt else found


def _described(name: str, point: EntryPoint | None) -> Backend:
    if point is not None:
        missing = missing_for_entry_point(point)
        return Backend(name, (), not missing, missing)
    compiler = registered(name)
    missing = missing_for(name, compiler)
    return Backend(name, tuple(getattr(compiler, "_tags", ())), not missing, missing)


def _tried(backend: Backend, options: Mapping[str, object] | None) -> Backend:
    def with_result(result: Result, message: str = "") -> Backend:
        return Backend(backend.name, backend.tags, backend.available, backend.missing, result, message)

    if not backend.available:
        return with_result("skipped", backend.missing)
    import torch  # noqa: PLC0415

    flags = patch(disable=False, suppress_errors=False)
    # Some backends of torch print the graph.
    quiet = warnings.catch_warnings(), redirect_stdout(sys.stderr)
    with undisturbed(), quiet[0], quiet[1], torch.no_grad(), flags:
        warnings.simplefilter("ignore")
        torch.manual_seed(0)
        model, example = small_model().eval(), torch.randn(2, 10)
        try:
            expected = model(example)
            output = compiled(model, backend.name, options=dict(options) if options else None)(example)
            torch.testing.assert_close(output.float(), expected, rtol=TOLERANCE, atol=TOLERANCE)
        except AssertionError as error:
            return with_result("wrong", in_one_line(error))
        except InvalidValueError:
            raise
        except Exception as error:  # noqa: BLE001  whatever a backend raises is what the try is for
            return with_result("failed", in_one_line(error))
    return with_result("ok")
