"""The two sides of a comparison: what each runs on, its copy of model and inputs, and how it is run."""

import copy
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from dynconf.checks.compiled import Counting, compiled, registered
from dynconf.checks.failure import in_one_line
from dynconf.checks.global_state import seed
from dynconf.checks.tensors import tensors_in
from dynconf.errors import InvalidValueError
from dynconf.live.patch import Patch
from dynconf.values import shown

if TYPE_CHECKING:
    import torch

AnyBackend = str | Callable[..., Any]
"""The name of a registered backend, or a backend itself."""

LEARNING_RATE = 0.01
"""The step size of the optimizer."""


Copied = tuple[Any, tuple[Any, ...], dict[str, Any]]
"""A model, the positional arguments and the keyword arguments for a call of it."""


class Side:
    """One of the two: a copy of model and inputs, and how it is run."""

    def __init__(self, name: str, copied: Copied, backend: Counting | None, flags: Patch) -> None:
        import torch  # noqa: PLC0415

        self.name = name
        self.flags = flags
        model, self._arguments, self._keywords = copied
        self._backend = backend
        self._call = model if backend is None else compiled(model, backend)
        self._module = model if isinstance(model, torch.nn.Module) else torch.nn.Module()

    @property
    def graphs(self) -> int:
        """How many graphs it compiled."""
        return 0 if self._backend is None else self._backend.graphs

    @property
    def compiles(self) -> bool:
        """Whether it runs under ``torch.compile``."""
        return self._backend is not None

    def parameters(self) -> dict[str, Any]:
        """Return the parameters, by name."""
        return dict(self._module.named_parameters())

    def buffers(self) -> dict[str, Any]:
        """Return the buffers, by name."""
        return dict(self._module.named_buffers())

    def inputs(self) -> dict[str, Any]:
        """Return the tensors among the inputs, by path."""
        import torch  # noqa: PLC0415
        from torch.utils import _pytree as pytree  # noqa: PLC0415

        leaves = pytree.tree_flatten_with_path((self._arguments, self._keywords))[0]
        return {
            "input" + pytree.keystr(path[1:]): leaf for path, leaf in leaves if isinstance(leaf, torch.Tensor)
        }

    def gradients(self) -> dict[str, Any]:
        """Return the gradients of parameters and inputs, None where one is missing."""
        return {
            name: tensor.grad
            for name, tensor in {**self.parameters(), **self.inputs()}.items()
            if tensor.requires_grad and tensor.is_leaf
        }

    def forget_gradients(self) -> None:
        """Drop all gradients."""
        for tensor in {**self.parameters(), **self.inputs()}.values():
            if tensor.is_leaf:
                tensor.grad = None

    def forward(self, number: int) -> Any:
        """Return the output, computed under that seed."""
        seed(number)
        return self._call(*self._arguments, **self._keywords)

    def backward(self, output: object, number: int) -> None:
        """Send a random gradient back from every output that takes one."""
        import torch  # noqa: PLC0415

        seed(number)
        outputs = differentiable(output)
        generator = torch.Generator().manual_seed(number)
        weights = [torch.randn(each.shape, generator=generator, dtype=torch.float64) for each in outputs]
        torch.autograd.backward(
            outputs, [weight.to(each) for weight, each in zip(weights, outputs, strict=True)]
        )

    def step(self) -> None:
        """Take one step of SGD."""
        import torch  # noqa: PLC0415

        torch.optim.SGD(list(self._module.parameters()), lr=LEARNING_RATE).step()


def counting(backend: AnyBackend) -> Counting:
    """Return *backend* with its graphs counted; Inductor's with random numbers that are torch's own.

    Raises:
        InvalidValueError: There is no such backend.
    """
    if not isinstance(backend, str):
        if not callable(backend):
            raise InvalidValueError(f"{shown(backend)} is no backend: expected a name or a callable")
        return Counting(label(backend), backend)
    compiler = registered(backend)
    if backend != "inductor":
        return Counting(backend, compiler)
    options = {"fallback_random": True}
    return Counting(backend, lambda graph, inputs: compiler(graph, inputs, config_patches=options))


def label(backend: AnyBackend) -> str:
    """Return what to call *backend*."""
    if isinstance(backend, str):
        return backend
    return getattr(backend, "__name__", type(backend).__name__)


def copies(model: Any, example_inputs: Any) -> Copied:
    """Return copies of model and inputs that share with each other what the originals share."""
    import torch  # noqa: PLC0415
    from torch.utils import _pytree as pytree  # noqa: PLC0415

    model = getattr(model, "_orig_mod", model)
    tensors = [leaf for leaf in pytree.tree_leaves(example_inputs) if isinstance(leaf, torch.Tensor)]
    # A tensor that was computed cannot be copied with its history; it starts one of its own here.
    memo: dict[int, Any] = {
        id(each): each.detach().clone().requires_grad_(each.requires_grad)
        for each in tensors
        if not each.is_leaf
    }
    try:
        model, inputs = copy.deepcopy((model, example_inputs), memo)
    except Exception as error:
        raise InvalidValueError(
            f"model and inputs cannot be copied, and each side needs its own: {in_one_line(error)}"
        ) from error
    if isinstance(inputs, Mapping):
        return model, (), dict(inputs)
    return model, tuple(inputs) if isinstance(inputs, (tuple, list)) else (inputs,), {}


def refuse_shared_memory(sides: list[Side], model: Any) -> None:
    """Refuse copies that are none.

    Raises:
        InvalidValueError: A tensor of one side is in the memory of the other, or of the original.
    """
    import torch  # noqa: PLC0415

    original = getattr(model, "_orig_mod", model)
    owners: dict[int, str] = {}
    if isinstance(original, torch.nn.Module):
        tensors = (*original.parameters(), *original.buffers())
        owners = dict.fromkeys(_addresses(tensors), "the model that was given")
    for side in sides:
        named = {**side.parameters(), **side.buffers(), **side.inputs()}
        mine = {address: name for name, tensor in named.items() for address in _addresses((tensor,))}
        for address, name in mine.items():
            if address in owners:
                raise InvalidValueError(
                    f"the copy for the {side.name} side shares the memory of {name!r} with "
                    f"{owners[address]}: a step of one side would change the other; "
                    "let copy.deepcopy copy the whole model"
                )
        owners |= dict.fromkeys(mine, f"the {side.name} side")


def _addresses(tensors: Any) -> Iterator[int]:
    for tensor in tensors:
        try:
            address = tensor.untyped_storage().data_ptr()
        except (RuntimeError, NotImplementedError, ValueError):  # sparse, lazy or wrapped: nothing to tell by
            continue
        if address:
            yield address


def differentiable(output: object) -> "list[torch.Tensor]":
    """Return the tensors of an output that take a gradient."""
    return [each for each in tensors_in(output) if each.requires_grad]
