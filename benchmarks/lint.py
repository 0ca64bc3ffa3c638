"""What `dynconf check PATH` costs, compared with ``ruff check`` on the same files: torch's own tree."""

import functools
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

from ratio import Ratio, in_turns, of_command, report

LINT = (sys.executable, "-m", "dynconf", "check")
RUFF = (sys.executable, "-m", "ruff", "check", "--isolated", "--no-cache")


def compared(name: str, paths: Sequence[Path], *, rounds: int, bound: float) -> Ratio:
    """Measure both on these paths."""
    mine, other = (
        functools.partial(of_command, *command, *map(str, paths), check=False) for command in (LINT, RUFF)
    )
    return in_turns(f"{name} / ruff check", mine, other, rounds=rounds, bound=bound)


def seconds_on(cores: int, paths: Sequence[Path]) -> float:
    """Return how long it takes on so many cores."""
    everywhere = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(everywhere)[:cores])
    try:
        start = time.perf_counter()
        subprocess.run([*LINT, *map(str, paths)], check=False, stdout=subprocess.DEVNULL)
        return time.perf_counter() - start
    finally:
        os.sched_setaffinity(0, everywhere)


def ratios() -> Iterator[Ratio]:
    """Measure both on all files, and as they become more; and on one core and two."""
    spec = find_spec("torch")
    assert spec is not None
    assert spec.origin is not None
    folder = Path(spec.origin).parent
    files = sorted(folder.rglob("*.py"))
    lines = sum(path.read_bytes().count(b"\n") for path in files)
    yield compared(f"linting {lines / 1e6:.1f} million lines", [folder], rounds=3, bound=2.5)
    for count, bound in (10, 8), (100, 10), (1000, 8):
        some = files[:: len(files) // count][:count]
        yield compared(f"linting {count:,} files", some, rounds=3, bound=bound)
    two, one = (functools.partial(seconds_on, cores, some) for cores in (2, 1))
    yield in_turns("linting 1,000 files on two cores / on one", two, one, rounds=3, bound=0.7)


if __name__ == "__main__":
    report(ratios())
