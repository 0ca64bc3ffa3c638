"""What starting costs, side by side with torch, each time in a process of its own.

Run as ``python benchmarks/startup.py``: prints the ratio of dynconf to torch, with its bound, and exits with
1 if one is missed.
"""

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROUNDS = 5
"""How often each side is started; the two take turns, and the median of the ratios counts."""

TORCH_DUMP = "import torch._dynamo.config as c; print(c.get_config_copy())"

CASES: list[tuple[str, list[str], list[str], float]] = [
    ("dynconf dump / print all flags", ["-m", "dynconf", "dump"], ["-c", TORCH_DUMP], 0.06),
    ("import dynconf / import torch", ["-c", "import dynconf"], ["-c", "import torch"], 0.02),
    (
        "dynconf run / python, import torch",
        ["-m", "dynconf", "run", "--set", "recompile_limit=64", "-c", "import torch"],
        ["-c", "import torch"],
        1.1,
    ),
]
"""What is compared: arguments of Python on dynconf's side and on torch's, and the ratio's bound."""


def seconds(arguments: list[str]) -> float:
    """Return how long Python takes to start, run and end."""
    path = os.pathsep.join(filter(None, [str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH")]))
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, *arguments],
        check=True,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": path},
    )
    return time.perf_counter() - start


def main() -> int:
    """Print all of it; return 1 if a bound is missed."""
    print(f"{'':32} dynconf s   torch s   ratio   bound")
    missed = False
    for name, ours, theirs, bound in CASES:
        seconds(ours), seconds(theirs)  # files are read from the disk once
        pairs = [(seconds(ours), seconds(theirs)) for _ in range(ROUNDS)]
        ratio = statistics.median(mine / other for mine, other in pairs)
        mine, other = (statistics.median(side) for side in zip(*pairs, strict=True))
        missed |= ratio > bound
        print(f"{name:32} {mine:9.3f} {other:9.3f} {ratio:7.3f} {bound:7.2f}{'  MISSED' * (ratio > bound)}")
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
