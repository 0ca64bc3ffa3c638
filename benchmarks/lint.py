"""The cost of `dynconf lint`, beside ``ruff check`` on the same files: torch's own tree.

Processor time of all their threads, because other programs disturb that less.

``python benchmarks/lint.py [FOLDER]``
"""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path


def seconds(*command: str) -> float:
    """Return the processor time of a command, in seconds; its result does not matter."""
    before = os.times()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    after = os.times()
    return sum(after[2:4]) - sum(before[2:4])


def main() -> None:
    """Print the lines of the tree, both times, and the time for a million lines."""
    spec = find_spec("torch")
    folder = (
        sys.argv[1] if len(sys.argv) > 1 else str(Path(spec.origin).parent if spec and spec.origin else ".")
    )
    lines = sum(path.read_bytes().count(b"\n") for path in Path(folder).rglob("*.py"))
    ours = seconds(sys.executable, "-m", "dynconf", "lint", folder)
    ruffs = seconds(sys.executable, "-m", "ruff", "check", "--isolated", "--no-cache", folder)
    print(f"{lines} lines of Python: dynconf lint {ours:.1f} s, ruff check {ruffs:.1f} s")
    print(f"dynconf lint, a million lines: {ours / lines * 1e6:.1f} s")


if __name__ == "__main__":
    main()
