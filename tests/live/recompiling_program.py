"""Four threads call a compiled function all the time, while this one recompiles."""

import sys
import threading

import torch
import torch._dynamo

import dynconf

compilations: list[object] = []


def backend(graph, _inputs):
    """Count compilations."""
    compilations.append(graph)
    return graph.forward


def helper(x):
    """Compute after a graph break."""
    return x * 2 + 1


@torch.compile(backend=backend)
def compiled(x):
    """Compute in two graphs."""
    y = x + 1
    torch._dynamo.graph_break()
    return helper(y).sum()


stop = threading.Event()
failures = []


def call():
    """Call the function until the end."""
    while not stop.is_set():
        try:
            if compiled(torch.ones(3)).item() != 15:
                failures.append("wrong")
        except BaseException as error:
            failures.append(error)
            raise


def compiles_anew(before):
    """Tell whether something was compiled since; the function is called so that it must be."""
    compiled(torch.ones(3))
    return len(compilations) > before


threads = [threading.Thread(target=call, daemon=True) for _ in range(4)]
for thread in threads:
    thread.start()
blocks, stale, refused = int(sys.argv[1]), 0, 0
for _ in range(blocks):
    try:
        before = len(compilations)
        with dynconf.patch(verify_correctness=False, recompile_limit=64).recompile():
            stale += not compiles_anew(before)
            before = len(compilations)
        stale += not compiles_anew(before)
    except dynconf.ConflictError:
        refused += 1
stop.set()
for thread in threads:
    thread.join(60)
sys.stdout.write(f"blocks {blocks} failures {len(failures)} stale {stale} refused {refused}\n")
sys.stderr.write(f"{failures[:3]}\n")
