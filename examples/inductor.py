"""Inductor's flags for one compiled function: options reach its backward, a patch around the call does not.

Run: python examples/inductor.py

It compiles for the CPU, which needs a C++ compiler. Inductor calls a custom pass for each graph; here that
pass records ``max_fusion_size``.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import torch
from torch._inductor import config

import dynconf

Function = Callable[[torch.Tensor], torch.Tensor]


def model(x: torch.Tensor) -> torch.Tensor:
    """Compute something with a backward."""
    return x @ x


@contextmanager
def recorded() -> Iterator[list[int]]:
    """Record ``max_fusion_size`` as each graph, forward or backward, is compiled."""
    seen: list[int] = []

    def record(_: torch.fx.Graph) -> None:
        seen.append(config.max_fusion_size)

    with dynconf.inductor.patch(post_grad_custom_post_pass=record).recompile():
        yield seen


def with_options() -> list[int]:
    """The options belong to the compiled function, and hold whenever something is compiled for it."""
    with recorded() as seen:
        compiled: Function = torch.compile(model, options=dynconf.inductor.options(max_fusion_size=7))
        y = compiled(torch.randn(8, 8, requires_grad=True))
        y.sum().backward()
    return seen


def with_a_patch_around_the_forward() -> list[int]:
    """The backward is compiled when it first runs: the patch has ended by then."""
    with recorded() as seen:
        compiled: Function = torch.compile(model)
        with dynconf.inductor.patch(max_fusion_size=7):
            y = compiled(torch.randn(8, 8, requires_grad=True))
        y.sum().backward()
    return seen


def with_a_patch_around_both() -> list[int]:
    """So the patch has to hold until the backward has run."""
    with recorded() as seen:
        compiled: Function = torch.compile(model)
        with dynconf.inductor.patch(max_fusion_size=7):
            y = compiled(torch.randn(8, 8, requires_grad=True))
            y.sum().backward()
    return seen


def with_a_mode() -> list[int]:
    """torch.compile does not take a mode together with options; here it is merged with them."""
    options = dynconf.inductor.options("max-autotune-no-cudagraphs", max_fusion_size=7)
    with recorded() as seen:
        compiled: Function = torch.compile(model, options=options)
        x = torch.randn(8, 8, requires_grad=True)
        y = compiled(x)
        y.sum().backward()
    torch.testing.assert_close(y, model(x))
    return seen


def main() -> None:
    """Print what the forward and the backward were compiled with."""
    print(f"{'max_fusion_size of':32}  forward  backward")
    for way in (with_options, with_a_patch_around_the_forward, with_a_patch_around_both, with_a_mode):
        forward, backward = way()
        print(f"{way.__name__.replace('_', ' '):32}  {forward:7}  {backward:8}")


if __name__ == "__main__":
    main()
