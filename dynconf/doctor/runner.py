"""Running one side of a comparison: on its own backend and flags, with its own copy of model and inputs."""

import copy
from collections.abc import Callable, Iterable, Iterator, Mapping
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
        import torch
        from torch.utils import _pytree as pytree

        leaves = pytree.tree_flatten_with_path((self._arguments, self._keywords))[0]
        return {
            "input" + pytree.keystr(path[1:]): leaf for path, leaf in leaves if isinstance(leaf, torch.Tensor)
        }

    def gradients(self) -> dict[str, Any]:
        """Return the gradients of parameters and inputs by name, without those that are None."""
        return {name: leaf.grad for name, leaf in self._leaves().items() if leaf.grad is not None}

    def clear_gradients(self) -> None:
        for tensor in self._leaves().values():
            tensor.grad = None

    def _leaves(self) -> dict[str, Any]:
        """Return the tensors that keep their gradient."""
        tensors = {**self.parameters(), **self.inputs()}
        return {name: tensor for name, tensor in tensors.items() if tensor.is_leaf}

    def forward(self, number: int) -> Any:
        """Return the output, computed under that seed."""
        seed(number)
        return self._call(*self._arguments, **self._keywords)

    def backward(self, output: object, number: int) -> None:
        """Propagate a random gradient, drawn under that seed, from every output that requires one."""
        import torch

        seed(number)
        outputs = differentiable(output)
        generator = torch.Generator().manual_seed(number)
        weights = [torch.randn(each.shape, generator=generator, dtype=torch.float64) for each in outputs]
        torch.autograd.backward(
            outputs, [weight.to(each) for weight, each in zip(weights, outputs, strict=True)]
        )

    def step(self) -> None:
        """Take one step of SGD."""
        import torch

        torch.optim.SGD(list(self._module.parameters()), lr=LEARNING_RATE).step()


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


def differentiable(output: object) -> "list[torch.Tensor]":
    """Return the tensors of an output that require a gradient."""
    return [each for each in tensors_in(output) if each.requires_grad]


def unwrapped(model: Any) -> Any:
    """Return the model that ``torch.compile`` wrapped, or *model* itself."""
    return getattr(model, "_orig_mod", model)


def _copies(model: Any, example_inputs: Any) -> tuple[Any, tuple[Any, ...], dict[str, Any]]:
    """Copy the model, positional and keyword arguments; the copies share what the originals share."""
    import torch
    from torch.utils import _pytree as pytree

    tensors = [leaf for leaf in pytree.tree_leaves(example_inputs) if isinstance(leaf, torch.Tensor)]
    # A computed tensor cannot be copied together with its history, so its copy starts a new one.
    memo: dict[int, Any] = {
        id(each): each.detach().clone().requires_grad_(each.requires_grad)
        for each in tensors
        if not each.is_leaf
    }
    try:
        model, inputs = copy.deepcopy((unwrapped(model), example_inputs), memo)
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

    model = unwrapped(model)
    owners: dict[int, str] = {}
    if isinstance(model, torch.nn.Module):
        tensors = (*model.parameters(), *model.buffers())
        owners = dict.fromkeys(_addresses(tensors), "the model that was given")
    for side in sides:
        named = {**side.parameters(), **side.buffers(), **side.inputs()}
        addresses = {address: name for name, tensor in named.items() for address in _addresses([tensor])}
        for address, name in addresses.items():
            if address in owners:
                raise InvalidValueError(
                    f"the copy for the {side.name} side shares the memory of {name!r} with "
                    f"{owners[address]}, so a step of one side would change the other; "
                    "make sure that copy.deepcopy copies the whole model"
                )
        owners |= dict.fromkeys(addresses, f"the {side.name} side")


def _addresses(tensors: "Iterable[torch.Tensor]") -> Iterator[int]:
    for tensor in tensors:
        try:
            address = tensor.untyped_storage().data_ptr()
        except (RuntimeError, NotImplementedError, ValueError):
            continue  # sparse, lazy and wrapped tensors have no address
        if address:
            yield address
