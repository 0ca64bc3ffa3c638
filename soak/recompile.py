"""Recompiling while others compute: run as ``python soak/recompile.py [--blocks N] [--seconds N]``.

Four threads call a compiled function all the time, while this one enters and leaves patches that drop all
compiled code. Prints how many blocks there were, and how many were refused, compiled nothing anew, or made a
thread fail; exits with 1 if any did of the last two. A bare ``torch._dynamo.reset()`` ends such a process
with a segmentation fault after a few blocks.
"""

import argparse
import os
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, NoReturn

import torch
import torch._dynamo

import dynconf

compilations: list[object] = []


def backend(graph: torch.fx.GraphModule, _inputs: Any) -> Callable[..., Any]:
    """Count compilations."""
    compilations.append(graph)
    return graph.forward


def helper(x: torch.Tensor) -> torch.Tensor:
    """Compute after a graph break."""
    return x * 2 + 1


@torch.compile(backend=backend)
def compiled(x: torch.Tensor) -> torch.Tensor:
    """Compute in two graphs."""
    y = x + 1
    torch._dynamo.graph_break()
    return helper(y).sum()


def call(failures: list[object]) -> None:
    """Call the function until the end."""
    while True:
        try:
            if compiled(torch.ones(3)).item() != 15:
                failures.append("wrong")
        except BaseException as error:
            failures.append(error)
            raise


def is_compiled_anew(before: int) -> bool:
    """Tell whether something was compiled since; the function is called so that it must be."""
    compiled(torch.ones(3))
    return len(compilations) > before


def recompile() -> int:
    """Enter a patch that drops the compiled code; return how often nothing was compiled afterwards."""
    before = len(compilations)
    with dynconf.patch(verify_correctness=False, recompile_limit=64).recompile():
        stale = not is_compiled_anew(before)
        before = len(compilations)
    return stale + (not is_compiled_anew(before))


def main() -> NoReturn:
    """Print the figures; exit with 1 if something was stale or failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--blocks", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=240, help="begin no block after that")
    options = parser.parse_args()
    failures: list[object] = []
    for _ in range(4):
        threading.Thread(target=call, args=(failures,), daemon=True).start()
    end = time.monotonic() + options.seconds
    blocks = refused = stale = 0
    while blocks < options.blocks and (not blocks or time.monotonic() < end):
        blocks += 1
        try:
            stale += recompile()
        except dynconf.ConflictError:
            refused += 1
    print(f"recompile: blocks {blocks}, refused {refused}, stale {stale}, failures {len(failures)}")
    for failure in failures[:3]:
        print(repr(failure))
    if stale:  # why Dynamo compiles nothing is not in the figures
        print(f"{len(compilations)} compilations", *torch._dynamo.utils.counters.items(), sep="\n")
    sys.stdout.flush()
    # Without waiting for the threads: torch frees the tracebacks of one that ends while it holds a mutex, and
    # if the interpreter then switches to another that frees some, both wait for ever.
    os._exit(1 if stale or failures else 0)


if __name__ == "__main__":
    main()
