"""The cost of `dynconf.audit`: reading and writing a flag while it is on, compared with while it is off.

Run as ``python benchmarks/audit.py``: prints the ratios with their bounds, and exits with 1 if one is missed.
"""

import statistics
import sys
import tempfile
import time
import timeit
from collections.abc import Callable

from torch._dynamo import config

import dynconf

ROUNDS = 41
"""The number of pairs of measurements; the two sides take turns, and the median of the ratios counts."""


def read() -> None:
    """Read a flag."""
    _ = config.recompile_limit


def write() -> None:
    """Write a flag."""
    config.recompile_limit = 64


CASES: tuple[tuple[str, Callable[[], None], int, float], ...] = (
    # Reading is torch's own code in both cases. Writing looks at the flag and the stack, and writes a line:
    # one compilation, which takes seconds, has some hundred writes.
    ("config read, audit on / off", read, 20_000, 1.05),
    ("config write, audit with a file on / off", write, 500, 12),
)


def main() -> int:
    """Print the ratios; return 1 if a bound is missed."""
    missed = False
    with tempfile.TemporaryDirectory() as folder:
        for name, action, number, bound in CASES:
            ratios = []
            for _ in range(ROUNDS):
                off = timeit.timeit(action, number=number, timer=time.thread_time)
                with dynconf.audit(file=folder):
                    ratios.append(timeit.timeit(action, number=number, timer=time.thread_time) / off)
            ratio = statistics.median(ratios)
            missed |= ratio > bound
            print(f"{name:42}{ratio:7.3f} {bound:7.2f}{'  MISSED' * (ratio > bound)}")
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
