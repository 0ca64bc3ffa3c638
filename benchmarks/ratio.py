"""The form of all benchmarks: ratios of dynconf's cost to that of what it replaces, each with a bound.

A file of this folder yields its ratios from ``ratios()``. Run alone, as ``python benchmarks/patch.py``, it
prints them, with ``--json`` as lines of JSON, and exits with 1 if a bound is missed. ``python benchmarks``
runs all files, each in a process of its own.
"""

import dataclasses
import datetime as dt
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(HERE.parent), os.environ.get("PYTHONPATH")]))
"""For the processes that a benchmark starts."""


@dataclasses.dataclass(frozen=True)
class Ratio:
    """What is compared, both costs in *unit*, their ratio, and the bound that is promised."""

    name: str
    ours: float
    theirs: float
    unit: str
    ratio: float
    bound: float

    @property
    def missed(self) -> bool:
        """Whether the ratio is above its bound."""
        return self.ratio > self.bound


def in_turns(
    name: str,
    ours: Callable[[], float],
    theirs: Callable[[], float],
    *,
    rounds: int,
    bound: float,
    scale: float = 1,
    unit: str = "s",
) -> Ratio:
    """Measure both sides in turns, in seconds, times *scale*; the median of the ratios counts.

    The machine may become slower or faster meanwhile, which a ratio of medians would show.
    """
    pairs = [(ours(), theirs()) for _ in range(1 + rounds)][1:]  # the first loads and fills caches
    mine, other = (statistics.median(side) * scale for side in zip(*pairs, strict=True))
    return Ratio(name, mine, other, unit, statistics.median(one / two for one, two in pairs), bound)


def unchanged_flags(count: int) -> dict[str, Any]:
    """Return flags of dynamo that can be set without a warning, with the values that they have."""
    from dynconf.live.binding import bind

    slots = [each for each in bind().flags() if not each.extra_steps and not each.setting.inert]
    assert len(slots) >= count
    return {each.name: each.read() for each in slots[:count]}


def seconds(work: Callable[[], object], times: int = 1) -> float:
    """Return the processor time of a call, on the average of so many: other programs run meanwhile."""
    start = time.process_time()
    for _ in range(times):
        work()
    return (time.process_time() - start) / times


def of_command(*command: str, check: bool = True) -> float:
    """Return the processor time of a command and of all that it starts; its output does not matter."""
    before = _of_children()
    subprocess.run(command, check=check, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return _of_children() - before


def _of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)  # os.times() counts hundredths of a second
    return used.ru_utime + used.ru_stime


def machine() -> dict[str, str]:
    """Return what the figures depend on, without the name of the machine."""
    lines = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []
    models = [line.partition(": ")[2] for line in lines if line.startswith("model name")]
    return {
        "date": dt.datetime.now(dt.timezone.utc).date().isoformat(),
        "processor": f"{os.cpu_count()} x {models[0] if models else platform.machine()}",
        "system": platform.system(),
        "python": platform.python_version(),
        "torch": version("torch"),
        "dynconf": version("torch-dynconf"),
    }


def row(each: Ratio) -> str:
    """Return a ratio as a row of the table."""
    costs = f"{each.ours:10.4g} {each.theirs:10.4g} {each.unit:7}"
    return f"{each.name:54} {costs} {each.ratio:7.3f} {each.bound:7.3g}{'  MISSED' * each.missed}"


HEADER = f"{'dynconf / what it replaces':54} {'dynconf':>10} {'other':>10} {'':7} {'ratio':>7} {'bound':>7}"


def report(found: Iterable[Ratio]) -> None:
    """Print the ratios as they are measured, and end the process: with 1 if a bound is missed."""
    as_json = "--json" in sys.argv[1:]
    if not as_json:
        print(HEADER)
    missed = False
    for each in found:
        missed |= each.missed
        print(json.dumps(dataclasses.asdict(each)) if as_json else row(each), flush=True)
    sys.exit(missed)
