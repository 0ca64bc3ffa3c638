"""Running one side of a comparison: on its own backend and flags, with its own copy of model and inputs."""

import copy
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from dynconf.doctor.compiling import CountingBackend, compile_apart, registered_backend
from dynconf.doctor.failure import in_one_line
from dynconf.doctor.global_state import seed
from dynconf.doctor.tensors import tensors_in
from dynconf.errors import InvalidValueError
from dynconf.flags.types import shown
from dynconf.live.patch import Patch

if TYPE_CHECKING:
    import torch

AnyBackend = str | Callable[..., Any]
"""The name of a registered backend, or a backend itself."""

LEARNING_RATE = 0.01
"""The step size of the optimizer."""


class Runner:
    """Runs one side of a comparison, ``base`` or ``control``, which is its *name*; *flags* is its patch."""

    def __init__(
        self, name: str, model: Any, example_inputs: Any, backend: CountingBackend | None, flags: Patch
    ) -> None:
        import torch

        self.name = name
        self.flags = flags
        self.output: Any = None
        model, self._arguments, self._keywords = _copies(model, example_inputs)
        self._backend = backend
        self._call = model if backend is None else compile_apart(model, backend)
        self._module = model if isinstance(model, torch.nn.Module) else torch.nn.Module()

    @property
    def graphs(self) -> int | None:
        """How many graphs it compiled; None if it runs without ``torch.compile``."""
        return self._backend.graphs if self._backend else None

    def parameters(self) -> dict[str, Any]:
        return dict(self._module.named_parameters())

    def buffers(self) -> dict[str, Any]:
        return dict(self._module.named_buffers())

    def inputs(self) -> dict[str, Any]:
        """Return the tensors among the inputs by path."""
        return {**tensors_in(self._arguments, "input"), **tensors_in(self._keywords, "input")}

    def forward(self, number: int) -> Any:
        """Return the output, computed under that seed and without gradients of an earlier iteration."""
        for tensor in self._leaves().values():
            tensor.grad = None
        seed(number)
        self.output = self._call(*self._arguments, **self._keywords)
        return self.output

    def differentiable(self) -> "list[torch.Tensor]":
        """Return the tensors of the output that require a gradient."""
        return [each for each in tensors_in(self.output).values() if each.requires_grad]

    def backward(self, number: int) -> dict[str, Any]:
        """Propagate a random gradient, drawn under that seed, from every output that requires one.

        Returns:
            The gradients of parameters and inputs by name, without those that are None.
        """
        import torch

        seed(number)
        outputs = self.differentiable()
        weights = [torch.randn(each.shape, dtype=torch.float64).to(each) for each in outputs]
        torch.autograd.backward(outputs, weights)
        return {name: leaf.grad for name, leaf in self._leaves().items() if leaf.grad is not None}

    def _leaves(self) -> dict[str, Any]:
        """Return the tensors that keep their gradient."""
        tensors = {**self.parameters(), **self.inputs()}
        return {name: tensor for name, tensor in tensors.items() if tensor.is_leaf}

    def step(self) -> dict[str, Any]:
        """Take one step of SGD, and return the parameters."""
        import torch

        torch.optim.SGD(list(self._module.parameters()), lr=LEARNING_RATE).step()
        return self.parameters()


def counting_backend(backend: AnyBackend) -> CountingBackend:
    """Return *backend* with its graphs counted; Inductor draws random numbers as eager torch does.

    Raises:
        InvalidValueError: The backend does not exist.
    """
    compiler = registered_backend(backend) if isinstance(backend, str) else backend
    if not callable(compiler):
        raise InvalidValueError(f"{shown(backend)} is not a backend: expected a name or a callable")
    if backend == "inductor":
        compiler = partial(compiler, config_patches={"fallback_random": True})
    return CountingBackend(label(backend), compiler)


def label(backend: AnyBackend) -> str:
    """Return a backend's name."""
    return backend if isinstance(backend, str) else getattr(backend, "__name__", type(backend).__name__)


def _copies(model: Any, example_inputs: Any) -> tuple[Any, tuple[Any, ...], dict[str, Any]]:
    """Copy the model, positional and keyword arguments; the copies share what the originals share."""
    # A computed tensor cannot be copied together with its history, so its copy starts a new one.
    memo: dict[int, Any] = {
        id(each): each.detach().clone().requires_grad_(each.requires_grad)
        for each in tensors_in(example_inputs).values()
        if not each.is_leaf
    }
    try:
        model, inputs = copy.deepcopy((model, example_inputs), memo)
    except Exception as error:
        raise InvalidValueError(
            f"cannot copy the model and its inputs, and each side needs a copy: {in_one_line(error)}"
        ) from error
    if isinstance(inputs, Mapping):
        return model, (), dict(inputs)
    return model, tuple(inputs) if isinstance(inputs, (tuple, list)) else (inputs,), {}


def refuse_shared_memory(sides: Iterable[Runner], model: Any) -> None:
    """Raise if copies share memory.

    Raises:
        InvalidValueError: A tensor of one side is in the memory of the other, or of the original.
    """
    import torch

    given = [*model.named_parameters(), *model.named_buffers()] if isinstance(model, torch.nn.Module) else []
    owners = dict.fromkeys(_by_address(dict(given)), "the model that was given")
    for side in sides:
        tensors = _by_address({**side.parameters(), **side.buffers(), **side.inputs()})
        for address, name in tensors.items():
            if address in owners:
                raise InvalidValueError(
                    f"the copy for the {side.name} side shares the memory of {name!r} with "
                    f"{owners[address]}, so a step of one side would change the other; "
                    "make sure that copy.deepcopy copies the whole model"
                )
        owners |= dict.fromkeys(tensors, f"the {side.name} side")


def _by_address(tensors: "Mapping[str, torch.Tensor]") -> dict[int, str]:
    """Return the names of the tensors by where they are in memory."""
    found = {}
    for name, tensor in tensors.items():
        with suppress(RuntimeError, NotImplementedError, ValueError):  # sparse, lazy and wrapped tensors
            found[tensor.untyped_storage().data_ptr()] = name
    found.pop(0, None)  # tensors without elements
    return found
