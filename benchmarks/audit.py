"""The cost of `dynconf.audit`: a config read while it is on, compared with one while it is off.

Run as ``python benchmarks/audit.py``: prints the ratio with its bound, and exits with 1 if it is missed.
"""

import statistics
import sys
import time
import timeit

from torch._dynamo import config

import dynconf

ROUNDS = 41
"""The number of pairs of measurements; the two sides take turns, and the median of the ratios counts."""

BOUND = 1.1


def seconds() -> float:
    """Return the processor time that 20,000 reads take: a busy machine once made the ratio 1.66."""
    return timeit.timeit(lambda: config.recompile_limit, number=20_000, timer=time.thread_time)


def main() -> int:
    """Print the ratio; return 1 if its bound is missed."""
    ratios = []
    for _ in range(ROUNDS):
        off = seconds()
        with dynconf.audit():
            ratios.append(seconds() / off)
    ratio = statistics.median(ratios)
    print(f"config read, audit on / off {ratio:7.3f} {BOUND:7.2f}{'  MISSED' * (ratio > BOUND)}")
    return int(ratio > BOUND)


if __name__ == "__main__":
    sys.exit(main())
