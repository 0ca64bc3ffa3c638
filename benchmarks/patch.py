"""What patching and snapshots cost, side by side with torch's own in one process.

Run as ``python benchmarks/patch.py``: prints the ratio of dynconf to torch for each use, with its bound, and
exits with 1 if one is missed.
"""

import contextlib
import contextvars
import functools
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import torch
from torch._dynamo import config
from torch._inductor import config as inductor

import dynconf
from dynconf.flags.types import Bool
from dynconf.live.binding import bind

ROUNDS = 300
"""How often each side is measured; the two take turns, and the median of the ratios counts."""

Work = Callable[[], object]
Ways = Callable[[], contextlib.AbstractContextManager[object]]

ONE = {"verify_correctness": True}
THREE = {"verify_correctness": True, "recompile_limit": 64, "specialize_int": True}


def built(patch: Callable[..., object], flags: dict[str, object]) -> Work:
    """Return a use of a patch that is built each time."""

    def work() -> None:
        with patch(**flags):  # type: ignore[attr-defined]
            pass

    return work


def reused(patch: Callable[..., object]) -> Work:
    """Return a use of a patch that is built once."""
    one = patch(**ONE)

    def work() -> None:
        with one:  # type: ignore[attr-defined]
            pass

    return work


def decorated(patch: Callable[..., object]) -> Work:
    """Return a call of a decorated function."""
    work: Work = patch(**ONE)(lambda: None)  # type: ignore[operator]
    return work


CASES: list[tuple[str, Work, Work, float]] = [
    ("one flag, built each time", built(dynconf.patch, ONE), built(config.patch, ONE), 0.26),
    (
        "one flag of inductor",
        built(dynconf.inductor.patch, {"max_autotune": True}),
        built(inductor.patch, {"max_autotune": True}),
        0.35,
    ),
    ("three flags, built each time", built(dynconf.patch, THREE), built(config.patch, THREE), 0.35),
    ("one flag, reused", reused(dynconf.patch), reused(config.patch), 0.5),
    ("a decorated call", decorated(dynconf.patch), decorated(config.patch), 0.52),
    ("snapshot / get_config_copy", dynconf.snapshot, config.get_config_copy, 2.0),
]
"""What is compared: dynconf's side, torch's side, and the ratio that must not be exceeded."""


INSTALLED = {"recompile_limit": 32, "verbose": False, "specialize_int": True}
"""What is installed where that is compared with a process in which nothing ever was."""


@contextlib.contextmanager
def never_installed() -> Iterator[None]:
    """Give torch back the places of the overrides for which dynconf has put others."""
    places = []
    for slot in bind().slots.values():
        if slot.override is not None:
            places.append((slot.record, slot.override))
            slot.record.user_override = slot.stored.__self__
    try:
        yield
    finally:
        for entry, override in places:
            entry.user_override = override


@contextlib.contextmanager
def outermost(kind: Callable[..., dynconf.Installation]) -> Iterator[None]:
    """Hold the flags, or give them a library's defaults, where they were never installed."""
    with never_installed(), kind(INSTALLED):
        yield


def with_or_without(installed: Ways, work: Work, times: int, rounds: int) -> tuple[float, float, float]:
    """Return the microseconds of *work* with something in force and without, and the ratio."""
    pairs = []
    for _ in range(rounds):
        with installed():
            mine = timed(work, times)
        with never_installed():
            pairs.append((mine, timed(work, times)))
    ratio = statistics.median(mine / other for mine, other in pairs)
    mine, other = (statistics.median(side) / times * 1e6 for side in zip(*pairs, strict=True))
    return mine, other, ratio


def read_flag() -> None:
    """Read a flag ten times, as torch does."""
    for _ in range(10):
        _ = config.recompile_limit


def compile_function() -> None:
    """Compile a function of a few lines, and run it."""
    torch._dynamo.reset()
    torch.compile(computed, backend="eager")(torch.ones(4))


def computed(value: torch.Tensor) -> torch.Tensor:
    """Compute something with branches and loops, which Dynamo has to look at."""
    for factor in range(8):
        value = value * factor + value.sum()
        if factor % 2:
            value = torch.nn.functional.relu(value)
    return value


WITH: list[tuple[str, Ways, Work, int, int, float]] = [
    ("reading, install", functools.partial(dynconf.install, **INSTALLED), read_flag, 50, ROUNDS, 1.1),
    ("compiling, install", functools.partial(dynconf.install, **INSTALLED), compile_function, 1, 120, 1.02),
    ("reading, defaults", functools.partial(outermost, dynconf.defaults), read_flag, 50, ROUNDS, 1.02),
    ("reading, hold", functools.partial(outermost, dynconf.hold), read_flag, 50, ROUNDS, 1.02),
]
"""What must not become slower: under what, the work, times, rounds, and the bound of the ratio."""


def seconds(work: Work, times: int) -> float:
    """Return how long *times* calls take.

    They run in a context of their own: torch's patches leave a variable in it for each that was built, which
    slows down everything that uses context variables, dynconf too.
    """
    return contextvars.Context().run(timed, work, times)


def timed(work: Work, times: int) -> float:
    """Return how long *times* calls take, in this context."""
    start = time.perf_counter()
    for _ in range(times):
        work()
    return time.perf_counter() - start


def calls_in(work: Work, wanted: float = 0.001) -> int:
    """Return how many calls take about *wanted* seconds."""
    return max(1, int(wanted / (seconds(work, 20) / 20)))


def compared(ours: Work, theirs: Work) -> tuple[float, float, float]:
    """Return the microseconds that each side takes for a call, and the ratio; medians of many turns."""
    times = calls_in(theirs)
    seconds(ours, times)
    pairs = [(seconds(ours, times), seconds(theirs, times)) for _ in range(ROUNDS)]
    ratio = statistics.median(mine / other for mine, other in pairs)
    mine, other = (statistics.median(side) / times * 1e6 for side in zip(*pairs, strict=True))
    return mine, other, ratio


def microseconds(work: Work) -> float:
    """Return what a call takes: the median of many turns."""
    times = calls_in(work)
    return statistics.median(seconds(work, times) / times for _ in range(ROUNDS)) * 1e6


def bools() -> list[str]:
    """Return the names of plain bools that are active and in no rule, in a fixed order."""
    settings = bind().view.settings.values()
    return [
        each.name for each in settings if each.type == Bool() and each.status == "active" and not each.rules
    ]


def print_growth() -> None:
    """Print what more flags in a patch and deeper nesting cost."""
    print("\nflags in a reused patch   us   us per flag")
    names = bools()
    for count in (1, 4, 16, 32):
        patch = dynconf.patch(dict.fromkeys(names[:count], True))
        taken = microseconds(functools.partial(entered_and_left, patch))
        print(f"{count:<24} {taken:5.2f}   {taken / count:.2f}")
    print("\nopen patches around it    us")
    patch = dynconf.patch(**ONE)
    for depth in (0, 10, 100, 1000):
        print(f"{depth:<24} {contextvars.Context().run(microseconds_inside, patch, depth):5.2f}")


def microseconds_inside(patch: dynconf.Patch, depth: int) -> float:
    """Return what entering and leaving the patch takes inside so many others."""
    with contextlib.ExitStack() as around:
        for _ in range(depth):
            around.enter_context(dynconf.patch(verify_correctness=False))
        work = functools.partial(entered_and_left, patch)
        return statistics.median(timed(work, 100) / 100 for _ in range(ROUNDS)) * 1e6


def entered_and_left(patch: dynconf.Patch) -> None:
    """Enter the patch and leave it."""
    with patch:
        pass


def main() -> int:
    """Print all of it; return 1 if a bound is missed."""
    print(f"{'':30} dynconf us   torch us   ratio   bound")
    missed = False
    for name, ours, theirs, bound in CASES:
        mine, other, ratio = compared(ours, theirs)
        missed |= ratio > bound
        print(f"{name:30} {mine:10.2f} {other:10.2f} {ratio:7.3f} {bound:7.2f}{'  MISSED' * (ratio > bound)}")
    print(f"\n{'under an installation':30} with us    without us   ratio   bound")
    for name, installed, work, times, rounds, bound in WITH:
        mine, other, ratio = with_or_without(installed, work, times, rounds)
        missed |= ratio > bound
        print(f"{name:30} {mine:10.2f} {other:10.2f} {ratio:7.3f} {bound:7.2f}{'  MISSED' * (ratio > bound)}")
    print_growth()
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
