"""Small models that show what a flag does: ``python benchmarks/often_set_models.py MODEL FLAGS``.

FLAGS are JSON. It prints the seconds of the first call, which compiles, those of the fastest later one, and
the MiB at the peak.
"""

import json
import resource
import sys
import time
from collections.abc import Callable

import torch
from torch import nn
from torch.nn import functional as F  # noqa: N812  its usual name

import dynconf

Work = Callable[[], object]


class Block(nn.Module):
    """A block of a transformer."""

    def __init__(self, width: int = 256, heads: int = 4) -> None:
        super().__init__()
        self.heads = heads
        self.before, self.between = nn.LayerNorm(width), nn.LayerNorm(width)
        self.split, self.join = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.wide, self.narrow = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Attend, then mix."""
        parts = self.split(self.before(x)).chunk(3, -1)
        query, key, value = (each.unflatten(-1, (self.heads, -1)).transpose(1, 2) for each in parts)
        x = x + self.join(F.scaled_dot_product_attention(query, key, value).transpose(1, 2).flatten(2))
        return x + self.narrow(F.gelu(self.wide(self.between(x))))


def training(batch: int = 8, length: int = 128) -> Work:
    """Return a step of training of a block."""
    compiled, x = torch.compile(Block()), torch.randn(batch, length, 256)
    return lambda: compiled(x).square().mean().backward()


def batches() -> Work:
    """Return the same for batches that take as much memory as torch itself."""
    return training(64, 256)


def inference() -> Work:
    """Return a call of two blocks without gradients."""
    compiled, x = torch.compile(nn.Sequential(Block(), Block()).eval()), torch.randn(4, 128, 256)
    return torch.no_grad()(lambda: compiled(x))


def convolutions() -> Work:
    """Return a call of convolutions, those between them of 1 x 1."""
    layers = [nn.Conv2d(3, 64, 3), nn.ReLU(), nn.Conv2d(64, 128, 1), nn.ReLU(), nn.Conv2d(128, 64, 1)]
    compiled, x = torch.compile(nn.Sequential(*layers).eval()), torch.randn(4, 3, 64, 64)
    return torch.no_grad()(lambda: compiled(x))


def lengths() -> Work:
    """Return calls of a block without gradients with sequences of four lengths."""
    compiled, x = torch.compile(Block().eval()), torch.randn(4, 128, 256)
    sizes = range(32, 129, 32)
    return torch.no_grad()(lambda: [compiled(x[:, :size]) for size in sizes])


def variants() -> Work:
    """Return calls of one function with twelve activations, by name: more than are compiled by default."""
    names = (
        "relu",
        "gelu",
        "silu",
        "elu",
        "selu",
        "celu",
        "tanh",
        "sigmoid",
        "softplus",
        "mish",
        "relu6",
        "hardtanh",
    )
    x = torch.randn(1000, 1000)

    @torch.compile
    def activate(x: torch.Tensor, name: str) -> torch.Tensor:
        return (getattr(F, name)(x * 2 + 1) - x).cos().sum()

    return lambda: [activate(x, name) for name in names]


def scalars() -> Work:
    """Return calls of a function that scales by a number out of a tensor."""
    x = torch.randn(1000, 1000)

    @torch.compile
    def scale(x: torch.Tensor) -> torch.Tensor:
        most = x.abs().max().item()
        return ((x / most).cos() * most).sum()

    return lambda: scale(x)


def selection() -> Work:
    """Return calls of a function that goes on with the positive numbers alone."""
    x = torch.randn(1000, 1000)

    @torch.compile
    def select(x: torch.Tensor) -> torch.Tensor:
        return (x.cos() * 2)[x > 0].sin().sum()

    return lambda: select(x)


def counting() -> Work:
    """Return calls of a module that counts them."""

    class Counting(nn.Module):
        """A module with a counter."""

        step = 0

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            """Count."""
            self.step += 1
            return (x.cos() * self.step).sin().sum()

    compiled, x = torch.compile(Counting()), torch.randn(1000, 1000)
    return lambda: [compiled(x) for _ in range(12)]


MODELS = (training, batches, inference, convolutions, lengths, variants, scalars, selection, counting)


_LEAST = 4
"""How many calls there are, however long they take."""


def main(model: str, flags: str) -> None:
    """Measure a model under flags."""
    dynconf.install(json.loads(flags))
    torch.manual_seed(0)
    work = {each.__name__: each for each in MODELS}[model]()
    times = []
    until = float("inf")
    while time.perf_counter() < until or len(times) < _LEAST:
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
        until = min(until, time.perf_counter() + 1)
    print(json.dumps([times[0], min(times[1:]), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]))


if __name__ == "__main__":
    main(*sys.argv[1:])
