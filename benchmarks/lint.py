"""What `dynconf lint` costs, beside ``ruff check`` on the same files: torch's own tree.

``python benchmarks/lint.py [FOLDER]``
"""

import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path


def seconds(*command: str) -> float:
    """Return how long a command takes, in seconds; its result does not matter."""
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return time.perf_counter() - start


def main() -> None:
    """Print the lines of the tree, both times, and their ratio."""
    spec = find_spec("torch")
    folder = (
        sys.argv[1] if len(sys.argv) > 1 else str(Path(spec.origin).parent if spec and spec.origin else ".")
    )
    lines = sum(path.read_bytes().count(b"\n") for path in Path(folder).rglob("*.py"))
    ours = seconds(sys.executable, "-m", "dynconf", "lint", folder)
    ruffs = seconds(sys.executable, "-m", "ruff", "check", "--isolated", "--no-cache", folder)
    print(f"{lines} lines of Python: dynconf lint {ours:.1f} s, ruff check {ruffs:.1f} s: {ours / ruffs:.2f}")


if __name__ == "__main__":
    main()
