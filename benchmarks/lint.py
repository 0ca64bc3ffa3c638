"""What `dynconf check PATH` costs, compared with ``ruff check`` on the same files: torch's own tree."""

import functools
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from ratio import Ratio, in_turns, of_command, report


def ratios() -> Iterator[Ratio]:
    """Measure both."""
    spec = find_spec("torch")
    assert spec is not None
    assert spec.origin is not None
    folder = Path(spec.origin).parent
    lines = sum(path.read_bytes().count(b"\n") for path in folder.rglob("*.py"))
    lint = (sys.executable, "-m", "dynconf", "check", str(folder))
    ruff = (sys.executable, "-m", "ruff", "check", "--isolated", "--no-cache", str(folder))
    yield in_turns(
        f"linting {lines / 1e6:.1f} million lines / ruff check",
        functools.partial(of_command, *lint, check=False),
        functools.partial(of_command, *ruff, check=False),
        rounds=1,
        bound=10,
    )


if __name__ == "__main__":
    report(ratios())
