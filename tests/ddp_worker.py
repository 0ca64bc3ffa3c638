"""One process of a DDP training: a compiled step under each mode, against eager."""

from typing import Any

import torch
from torch.nn.parallel import DistributedDataParallel

import dynconf

WIDTH = 512
"""A layer of this width has 1 MB of weights, which fills a bucket of the smallest size."""
LAYERS = 3


class Net(torch.nn.Module):
    """As many buckets as layers."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.layers = torch.nn.ModuleList(torch.nn.Linear(WIDTH, WIDTH) for _ in range(LAYERS))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the loss of *x* ``[batch, WIDTH]``, a scalar."""
        for layer in self.layers:
            x = torch.relu(layer(x))
        return x.square().mean()


def built() -> DistributedDataParallel:
    """Return the model under DDP, built under the mode in force."""
    return DistributedDataParallel(Net(), bucket_cap_mb=1)


def gradients(module: torch.nn.Module) -> list[torch.Tensor | None]:
    """Return the gradients of all parameters."""
    return [parameter.grad for parameter in module.parameters()]


def step(patch: Any, x: torch.Tensor, *, compiled_backward: bool) -> dict[str, Any]:
    """Build, compile and train for one step under *patch*; return its graphs and gradients."""
    torch._dynamo.reset()
    graphs = []

    def backend(graph: torch.fx.GraphModule, inputs: list[torch.Tensor]) -> Any:
        graphs.append(sum("all_reduce" in str(node.target) for node in graph.graph.nodes))
        return graph.forward

    with patch:
        module = built()
        compiled = torch.compile(module, backend=backend)

        def backward() -> None:
            compiled(x).backward()

        # Compiled autograd captures a backward that compiled code starts.
        (torch.compile(backward, backend=backend) if compiled_backward else backward)()
    return {"all_reduces": graphs, "gradients": gradients(module)}


def under_compiled_autograd(mode: str, rank: int) -> str:
    """Train for one step with a compiled backward; tell whether the ranks have one another's gradients."""
    x = torch.randn(4, WIDTH, generator=torch.Generator().manual_seed(rank + 1))
    eager, alone = built(), Net()
    eager(x).backward()
    alone(x).backward()
    raw = torch._dynamo.config.patch(optimize_ddp=mode, compiled_autograd=True)
    try:
        found = step(raw, x, compiled_backward=True)["gradients"]
    except RuntimeError as error:
        return str(error)
    if all(map(torch.allclose, found, gradients(eager))):
        return "synced"
    return "each its own" if all(map(torch.allclose, found, gradients(alone))) else "neither"


def train(rank: int) -> dict[str, Any]:
    """Train under each mode; return, by mode, the collectives in each graph and whether gradients agree."""
    # Patches are made before any module is built: making one while a module of another mode exists warns.
    modes = {
        "ddp_optimizer": dynconf.patch(optimize_ddp="ddp_optimizer"),
        "no_optimization": dynconf.patch(optimize_ddp="no_optimization"),
        "python_reducer": dynconf.patch(optimize_ddp="python_reducer", compiled_autograd=True),
    }
    x = torch.randn(4, WIDTH, generator=torch.Generator().manual_seed(rank + 1))
    eager = built()
    eager(x).backward()
    expected = gradients(eager)
    alone = Net()
    alone(x).backward()
    found: dict[str, Any] = {
        "synced": not all(map(torch.allclose, gradients(alone), expected)),
    }
    for name, patch in modes.items():
        done = step(patch, x, compiled_backward=name == "python_reducer")
        agree = all(map(torch.allclose, done["gradients"], expected))
        found[name] = {"all_reduces": done["all_reduces"], "as_eager": agree}
    return found
