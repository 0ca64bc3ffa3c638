"""Check that this commit can be released: ``make release-check``, ``make release-check ONLY="wheel sdist"``.

Each step works in a fresh clone, so nothing counts that is not committed; a tree with changes is refused.
The clone makes its own environment, but shares what is downloaded in ``.cache``: config modules of other
releases, and whole ones. The table says how each step went. The exit code is 0 only if every step has passed,
so a selection of steps (ONLY, SKIP) ends with 1, too: the release is not checked by it.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from clone import ROOT, Clone, Problem
from steps import STEPS

LOGS = ROOT / ".cache" / "release"
SHOWN = 15
"""How many of the last lines of a failed step's log are printed."""


def changes() -> str:
    """Return the changes in the tree that are not committed, as git lists them."""
    command = ["git", "status", "--porcelain"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


@contextmanager
def fresh_clone() -> Iterator[Clone]:
    """Clone the commit that is checked out; the clone is removed in the end."""
    with tempfile.TemporaryDirectory(prefix="dynconf-release-") as scratch:
        folder = Path(scratch, "dynconf")
        subprocess.run(["git", "clone", "--quiet", ROOT, folder], check=True)
        for name in ("torch", "real"):
            shared, link = ROOT / ".cache" / name, folder / ".cache" / name
            shared.mkdir(parents=True, exist_ok=True)
            link.parent.mkdir(exist_ok=True)
            link.symlink_to(shared)
        yield Clone(folder, Path(scratch))


def run(name: str, clone: Clone) -> tuple[bool, str]:
    """Run a step; return whether it has passed, and its result in words."""
    LOGS.mkdir(parents=True, exist_ok=True)
    path = LOGS / f"{name}.log"
    with path.open("w", encoding="utf-8") as clone.log:
        try:
            details = STEPS[name](clone)
        except (Problem, subprocess.CalledProcessError, OSError) as problem:
            clone.log.write(f"{problem}\n")
        else:
            return True, f"passed{f': {details}' if details else ''}"
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    print("\n".join(f"    {line}" for line in lines[-SHOWN:]), flush=True)
    return False, f"FAILED, see {path.relative_to(ROOT)}"


def main() -> int:
    """Run the steps, print the table, and return 0 if all of them have passed."""
    parser = argparse.ArgumentParser(prog="release")
    parser.add_argument("--only", action="append", choices=STEPS, default=[])
    parser.add_argument("--skip", action="append", choices=STEPS, default=[])
    asked = parser.parse_args()
    chosen = [name for name in asked.only or STEPS if name not in asked.skip]
    if changed := changes():
        print(f"not committed:\n{changed}", end="")
        chosen = []
    rows = {"tree": ("passed" if not changed else "FAILED", 0.0), **dict.fromkeys(STEPS, ("not run", 0.0))}
    failed = bool(changed)
    with fresh_clone() as clone:
        for name in chosen:
            print(f"== {name}", flush=True)
            start = time.monotonic()
            passed, result = run(name, clone)
            failed |= not passed
            rows[name] = (result, time.monotonic() - start)
    print(f"\n{'check':10} {'seconds':>7}  result")
    for name, (result, seconds) in rows.items():
        print(f"{name:10} {seconds:7.0f}  {result}")
    return int(failed or len(chosen) < len(STEPS))


if __name__ == "__main__":
    sys.exit(main())
