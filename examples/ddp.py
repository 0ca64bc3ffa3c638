"""The modes of ``optimize_ddp`` side by side: two processes on the CPU, with gloo.

Each mode trains the same model for one step. The table shows how many graphs were compiled, how many
collectives these contain (DDP's reducer starts the others), and whether the gradients equal those of eager
DDP.

Run: python examples/ddp.py
"""

import sys
import tempfile
import time
from pathlib import Path

import torch
from torch import distributed, multiprocessing
from torch._dynamo import config
from torch.nn.parallel import DistributedDataParallel

import dynconf

WORLD = 2
WIDTH = 512  # a layer of 1 MB, which fills one of DDP's buckets
MODES = {
    "ddp_optimizer": dynconf.patch(optimize_ddp="ddp_optimizer"),
    "no_optimization": dynconf.patch(optimize_ddp="no_optimization"),
    "python_reducer": dynconf.patch(optimize_ddp="python_reducer", compiled_autograd=True),
}


class Model(torch.nn.Module):
    """Four layers, which make four buckets."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.layers = torch.nn.ModuleList(torch.nn.Linear(WIDTH, WIDTH) for _ in range(4))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the loss for *x* ``[batch, 512]``, a scalar."""
        for layer in self.layers:
            x = torch.relu(layer(x))
        return x.square().mean()


def train(x: torch.Tensor, graphs: list[torch.fx.GraphModule] | None) -> list[torch.Tensor | None]:
    """Wrap the model in DDP and train for one step, compiled if *graphs* is there to collect the graphs."""
    model = DistributedDataParallel(Model(), bucket_cap_mb=1)

    def step() -> None:
        model(x).backward()

    if graphs is None:
        step()
    else:

        def backend(graph: torch.fx.GraphModule, _: list[torch.Tensor]) -> object:
            graphs.append(graph)
            return graph.forward

        # The whole step is compiled: compiled autograd takes part when compiled code calls backward.
        torch.compile(step, backend=backend)()
    return [parameter.grad for parameter in model.parameters()]


def work(rank: int, store: str) -> None:
    """Train in eager mode, then under each mode; the process of rank 0 prints the table."""
    distributed.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=WORLD)
    torch.set_num_threads(1)
    x = torch.randn(4, WIDTH, generator=torch.Generator().manual_seed(rank))
    eager = train(x, None)
    if rank == 0:
        print(f"{'mode':18}{'graphs':>8}{'collectives in them':>22}{'same gradients':>17}{'seconds':>9}")
    for name, patch in MODES.items():
        torch.compiler.reset()
        graphs: list[torch.fx.GraphModule] = []
        start = time.perf_counter()
        with patch:
            gradients = train(x, graphs)
        seconds = time.perf_counter() - start
        same = all(map(torch.allclose, gradients, eager))
        collectives = sum("all_reduce" in str(node.target) for graph in graphs for node in graph.graph.nodes)
        if rank == 0:
            print(f"{name:18}{len(graphs):8}{collectives:22}{same!s:>17}{seconds:9.1f}")
        assert same
    distributed.destroy_process_group()


def refusals() -> None:
    """Show mistakes that dynconf catches before any process is started."""
    for flags in ({"optimize_ddp": "ddp_optimiser"}, {"optimize_ddp": False, "compiled_autograd": True}):
        try:
            dynconf.patch(flags)
        except dynconf.DynconfError as error:
            print(f"{type(error).__name__}: {error}")
    config.optimize_ddp = "python-reducer"  # type: ignore[assignment]
    with dynconf.install_ddp_resolver(), tempfile.TemporaryDirectory() as folder:
        distributed.init_process_group("gloo", init_method=f"file://{folder}/store", rank=0, world_size=1)
        try:
            DistributedDataParallel(Model())
        except dynconf.InvalidValueError as error:
            print(f"{type(error).__name__}: {error}")
        finally:
            distributed.destroy_process_group()
            dynconf.reset("optimize_ddp")


def main() -> None:
    """Show the mistakes, then compare the modes."""
    refusals()
    sys.stdout.flush()
    with tempfile.TemporaryDirectory() as folder:
        multiprocessing.spawn(work, (str(Path(folder) / "store"),), WORLD)


if __name__ == "__main__":
    main()
