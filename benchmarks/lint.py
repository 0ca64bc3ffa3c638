"""What `dynconf lint` costs, compared with ``ruff check`` on the same files: torch's own tree."""

import functools
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from ratio import Ratio, in_turns, report


def ran(*command: str) -> float:
    """Return how long a command takes, in seconds; its result does not matter."""
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return time.perf_counter() - start


def ratios() -> Iterator[Ratio]:
    """Measure both."""
    spec = find_spec("torch")
    assert spec is not None
    assert spec.origin is not None
    folder = Path(spec.origin).parent
    lines = sum(path.read_bytes().count(b"\n") for path in folder.rglob("*.py"))
    yield in_turns(
        f"linting {lines / 1e6:.1f} million lines / ruff check",
        functools.partial(ran, sys.executable, "-m", "dynconf", "lint", str(folder)),
        functools.partial(
            ran, sys.executable, "-m", "ruff", "check", "--isolated", "--no-cache", str(folder)
        ),
        rounds=1,
        bound=10,
    )


if __name__ == "__main__":
    report(ratios())
