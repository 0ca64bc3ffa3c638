"""Compiling for a check, independently of the code that the program itself has compiled."""

import itertools
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from types import FunctionType
from typing import TYPE_CHECKING, Any

from dynconf.catalogue.flags.types import short_repr
from dynconf.errors import InvalidValueError
from dynconf.live.patch import patch
from dynconf.text import nearest
from dynconf.tools.doctor.global_state import preserved_process

if TYPE_CHECKING:
    import torch

AnyBackend = str | Callable[..., Any]
"""The name of a registered backend, or a backend itself."""

_serial_numbers = itertools.count()


class CountingBackend:
    """A backend that passes every graph on to another one, and counts them in *graphs*.

    No two are equal, so Dynamo shares no compiled code between them. Inductor draws random numbers as eager
    torch does.
    """

    def __init__(self, backend: AnyBackend) -> None:
        compiler = registered_backend(backend) if isinstance(backend, str) else backend
        if not callable(compiler):
            raise InvalidValueError(f"{short_repr(backend)} is not a backend: expected a name or a callable")
        if backend == "inductor":
            compiler = partial(compiler, config_patches={"fallback_random": True})
        self.__name__ = backend_name(backend)
        self.graphs = 0
        self._compiler = compiler
        # Dynamo calls the reset of a backend that has one, and must find it here.
        reset = getattr(compiler, "reset", None)
        if reset is not None:
            self.reset = reset

    def __call__(self, graph: "torch.fx.GraphModule", inputs: Any, **options: Any) -> Any:
        """Compile *graph*, as any backend does."""
        compiled = self._compiler(graph, inputs, **options)
        self.graphs += 1  # not before: if errors are suppressed, a graph that fails runs as plain Python
        return compiled


@contextmanager
def clean_compilation() -> Iterator[None]:
    """Compile even where the program turned Dynamo off; raise failures, ignore warnings, leave no trace."""
    with preserved_process(), warnings.catch_warnings(), patch(disable=False, suppress_errors=False):
        warnings.simplefilter("ignore")
        yield


def registered_backend(name: str) -> Callable[..., Any]:
    """Return the backend that is registered under *name*; the error for an unknown one has the nearest."""
    import torch._dynamo
    from torch._dynamo.exc import InvalidBackend

    try:
        return torch._dynamo.lookup_backend(name)
    except InvalidBackend:
        near = nearest(name, torch._dynamo.list_backends(exclude_tags=None))
    except Exception as error:
        raise InvalidValueError(
            f"backend {name!r} cannot be loaded: {type(error).__name__}: {error}"
        ) from error
    advice = f"did you mean {near!r}?" if near else "`dynconf verify --list` lists them all"
    raise InvalidValueError(f"there is no backend {name!r}: {advice}")


def backend_name(backend: AnyBackend) -> str:
    """Return the name under which reports mention a backend."""
    return backend if isinstance(backend, str) else getattr(backend, "__name__", type(backend).__name__)


def compile_isolated(function: Callable[..., Any], backend: AnyBackend, **options: Any) -> Callable[..., Any]:
    """Compile a function or module, inlined into a new code object.

    Compilations of *function* before and after this one do not influence it, nor it them: Dynamo keeps
    compiled code, and the count for recompile_limit, with the code object.
    """
    import torch

    def call(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    # torch.compile(function) would share its code object with the program, and `call` itself with every other
    # check. Dynamo also remembers sizes by file, line and name of a function, so the name has to be new, too.
    code = call.__code__.replace(co_name=f"checked_{next(_serial_numbers)}")
    isolated = FunctionType(code, call.__globals__, code.co_name, None, call.__closure__)
    return torch.compile(isolated, backend=backend, **options)


def small_model() -> "torch.nn.Module":
    """Return Linear, ReLU, Linear and Sigmoid, 10 features wide."""
    from torch import nn

    return nn.Sequential(nn.Linear(10, 10), nn.ReLU(), nn.Linear(10, 10), nn.Sigmoid())
