"""The cost of `dynconf.audit`: reading and writing a flag while it is on, compared with while it is off."""

import tempfile
import time
import timeit
from collections.abc import Callable, Iterator

from ratio import Ratio, in_turns, report
from torch._dynamo import config

import dynconf


def read() -> None:
    """Read a flag."""
    _ = config.recompile_limit


def write() -> None:
    """Write a flag."""
    config.recompile_limit = 64


CASES: tuple[tuple[str, Callable[[], None], int, float], ...] = (
    # Reading is torch's own code in both cases. Writing looks at the flag and the stack, and writes a line:
    # one compilation, which takes seconds, has some hundred writes.
    ("reading a flag, audit on / off", read, 20_000, 1.05),
    ("writing a flag, audit with a file on / off", write, 500, 4),
)


def ratios() -> Iterator[Ratio]:
    """Measure both."""
    with tempfile.TemporaryDirectory() as folder:
        for name, action, number, bound in CASES:

            def off(action: Callable[[], None] = action, number: int = number) -> float:
                return timeit.timeit(action, number=number, timer=time.thread_time) / number

            def on(measure: Callable[[], float] = off) -> float:
                with dynconf.audit(file=folder):
                    return measure()

            yield in_turns(name, on, off, rounds=41, bound=bound, scale=1e6, unit="us")


if __name__ == "__main__":
    report(ratios())
