"""Which flag is it? `dynconf.bisect` finds the flags that break a computation, among many that differ.

Run: python examples/bisection.py
For a command: dynconf bisect good.json bad.json -- pytest -x tests/test_loss.py
"""

import torch

import dynconf

GOOD = {"recompile_limit": 8}
BAD = {
    "recompile_limit": 64,
    "capture_scalar_outputs": True,
    "specialize_int": True,
    "assume_static_by_default": False,
    "suppress_errors": True,
}


def is_fine() -> bool:
    """Tell whether a function is compiled for each size, as this program wants it to be."""
    graphs: list[torch.fx.GraphModule] = []

    def count(graph: torch.fx.GraphModule, _: list[object]) -> object:
        graphs.append(graph)
        return graph.forward

    compiled = torch.compile(lambda x: x * 2, backend=count)
    sizes = (3, 4)
    for size in sizes:
        compiled(torch.ones(size))
    return len(graphs) == len(sizes)


def main() -> None:
    """Search, and print the answer and the trials."""
    result = dynconf.bisect(GOOD, BAD, is_fine)
    print(f"the flags at fault: {', '.join(result.flags)}")
    print(f"found with {result.trials} trials of {len(BAD)} flags; leaving out any one of them helps")


if __name__ == "__main__":
    main()
