"""Compiling for a check: in code objects of the check's own, on a backend that counts its graphs."""

import itertools
from collections.abc import Callable
from types import FunctionType
from typing import Any

from dynconf.catalogue.names import nearest
from dynconf.errors import InvalidValueError

_numbers = itertools.count()


class Counting:
    """A backend that hands every graph to another one, and counts them.

    It is equal to no other backend, so that Dynamo shares no compiled code between two of them.

    Attributes:
        graphs: How many graphs were compiled.
    """

    def __init__(self, name: str, compiler: Callable[..., Any]) -> None:
        self.__name__ = name
        self.graphs = 0
        self._compiler = compiler
        reset = getattr(compiler, "reset", None)
        if reset is not None:
            self.reset = reset

    def __call__(self, graph: Any, inputs: Any, **options: Any) -> Any:
        """Compile *graph*, as a backend does."""
        self.graphs += 1
        return self._compiler(graph, inputs, **options)


def registered(name: str) -> Callable[..., Any]:
    """Return the backend that is registered under *name*.

    Raises:
        InvalidValueError: There is none; the message names those that come close.
    """
    import torch._dynamo  # noqa: PLC0415
    from torch._dynamo.exc import InvalidBackend  # noqa: PLC0415

    try:
        return torch._dynamo.lookup_backend(name)  # noqa: SLF001  public under torch.compiler only from 2.1 on
    except InvalidBackend:
        pass
    except Exception as error:
        raise InvalidValueError(
            f"backend {name!r} cannot be loaded: {type(error).__name__}: {error}"
        ) from error
    near = nearest(name, torch._dynamo.list_backends(exclude_tags=None))  # noqa: SLF001
    advice = f"did you mean {near!r}?" if near else "`dynconf backends` lists all"
    raise InvalidValueError(f"there is no backend {name!r}: {advice}")


def compiled(
    function: Callable[..., Any], backend: str | Callable[..., Any], **options: Any
) -> Callable[..., Any]:
    """Return *function* compiled on *backend*, as part of a code object that is compiled nowhere else.

    What was compiled of *function* before has no influence, nor has this on what is compiled of it later.

    Args:
        function: A function or module; Dynamo inlines it.
        backend: The backend.
        **options: More for ``torch.compile``.
    """
    import torch  # noqa: PLC0415

    def call(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    # Dynamo remembers sizes by file, line and name of a function: a name of its own makes a clean slate.
    code = call.__code__.replace(co_name=f"checked_{next(_numbers)}")
    own = FunctionType(code, call.__globals__, code.co_name, None, call.__closure__)
    return torch.compile(own, backend=backend, **options)


def small_model() -> Any:
    """Return a model of two linear layers, 10 features wide, with ReLU between and Sigmoid behind."""
    import torch  # noqa: PLC0415

    linear, relu, sigmoid = torch.nn.Linear, torch.nn.ReLU, torch.nn.Sigmoid
    return torch.nn.Sequential(linear(10, 10), relu(), linear(10, 10), sigmoid())
