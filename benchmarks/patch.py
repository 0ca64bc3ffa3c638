"""What patching and snapshots cost, compared with torch's own in one process.

Also what must not become slower: torch under an installation, and a patch inside many others.
"""

import contextlib
import contextvars
import functools
from collections.abc import Callable, Iterator
from typing import Any

import torch
from ratio import Ratio, in_turns, report, seconds, unchanged_flags
from torch._dynamo import config
from torch._inductor import config as inductor

import dynconf
from dynconf.live.binding import bind, loaded
from dynconf.live.install import Installation
from dynconf.live.patch import Patch

ROUNDS = 300
"""How often each side is measured."""

Work = Callable[[], object]
Ways = Callable[[], contextlib.AbstractContextManager[object]]

ONE: dict[str, Any] = {"verify_correctness": True}
THREE: dict[str, Any] = {"verify_correctness": True, "recompile_limit": 64, "specialize_int": True}


def built(patch: Callable[..., object], flags: dict[str, Any]) -> Work:
    """Return a use of a patch that is built each time."""

    def work() -> None:
        with patch(**flags):  # type: ignore[attr-defined]
            pass

    return work


def both(flags: dict[str, Any]) -> tuple[Work, Work]:
    """Return dynconf's use of a patch and torch's."""
    return built(dynconf.patch, flags), built(config.patch, flags)


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


def copies() -> None:
    """Copy the flags of each config module that is loaded, as torch does it."""
    for binding in loaded():
        binding.storage.module.get_config_copy()  # type: ignore[attr-defined]


CASES: list[tuple[str, Work, Work, float]] = [
    ("a patch of one flag / torch's", *both(ONE), 0.26),
    (
        "a patch of one inductor flag / torch's",
        built(dynconf.inductor.patch, {"max_autotune": True}),
        built(inductor.patch, {"max_autotune": True}),
        0.35,
    ),
    ("a patch of three flags / torch's", *both(THREE), 0.35),
    ("a patch of 10 flags / torch's", *both(unchanged_flags(10)), 0.26),
    ("a patch of 100 flags / torch's", *both(unchanged_flags(100)), 0.32),
    ("a reused patch / torch's", reused(dynconf.patch), reused(config.patch), 0.5),
    ("a decorated call / torch's", decorated(dynconf.patch), decorated(config.patch), 0.52),
    ("snapshot() / get_config_copy() of the same modules", dynconf.snapshot, copies, 0.4),
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
            slot.record.user_override = slot.stored.__self__  # pyright: ignore[reportFunctionMemberAccess]  of an override, the method of a variable
    try:
        yield
    finally:
        for entry, override in places:
            entry.user_override = override


@contextlib.contextmanager
def outermost(kind: Callable[..., Installation]) -> Iterator[None]:
    """Hold the flags, or give them a library's defaults, where they were never installed."""
    with never_installed(), kind(INSTALLED):
        yield


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
    (
        "ten reads of a flag under install() / without",
        functools.partial(dynconf.install, **INSTALLED),
        read_flag,
        50,
        ROUNDS,
        1.1,
    ),
    (
        "compiling under install() / without",
        functools.partial(dynconf.install, **INSTALLED),
        compile_function,
        1,
        120,
        1.02,
    ),
    (
        "ten reads of a flag under defaults() / without",
        functools.partial(outermost, dynconf.defaults),
        read_flag,
        50,
        ROUNDS,
        1.02,
    ),
    (
        "ten reads of a flag under hold() / without",
        functools.partial(outermost, dynconf.hold),
        read_flag,
        50,
        ROUNDS,
        1.02,
    ),
]
"""What must not become slower: under what, the work, times, rounds, and the bound of the ratio."""


def apart(work: Work, times: int) -> float:
    """Return how long a call takes in a context of its own.

    torch's patches leave a variable in the context for each that was built, which slows down everything that
    uses context variables, dynconf too.
    """
    return contextvars.Context().run(seconds, work, times)


def calls_in(work: Work, wanted: float = 0.001) -> int:
    """Return how many calls take about *wanted* seconds."""
    return max(1, int(wanted / apart(work, 20)))


def within(entered: Ways, work: Work, times: int) -> float:
    """Return how long a call takes inside a context manager."""
    with entered():
        return seconds(work, times)


def inside_others(patch: Patch, depth: int) -> float:
    """Return how long entering and leaving the patch takes inside so many others."""

    def work() -> None:
        with patch:
            pass

    with contextlib.ExitStack() as around:
        for _ in range(depth):
            around.enter_context(dynconf.patch(verify_correctness=False))
        return seconds(work, 100)


def ratios() -> Iterator[Ratio]:
    """Measure all of it."""
    for name, ours, theirs, bound in CASES:
        times = calls_in(theirs)
        mine, other = (functools.partial(apart, side, times) for side in (ours, theirs))
        yield in_turns(name, mine, other, rounds=ROUNDS, bound=bound, scale=1e6, unit="us")
    for name, installed, work, times, rounds, bound in WITH:
        mine, other = (functools.partial(within, way, work, times) for way in (installed, never_installed))
        yield in_turns(name, mine, other, rounds=rounds, bound=bound, scale=1e6, unit="us")
    patch = dynconf.patch(**ONE)
    mine, other = (
        functools.partial(contextvars.Context().run, functools.partial(inside_others, patch, depth))
        for depth in (1000, 0)
    )
    yield in_turns(
        "a patch inside 1,000 others / inside none", mine, other, rounds=30, bound=1.2, scale=1e6, unit="us"
    )


if __name__ == "__main__":
    report(ratios())
