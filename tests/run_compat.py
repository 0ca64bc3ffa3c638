"""Run the law tests on the real config modules of other torch releases.

``python tests/run_compat.py [RELEASE ...]``: all releases of the catalogue if none is named. Each runs in a
process of its own, under a stand-in for the rest of torch; the config modules are downloaded once and kept
in ``.cache``. The word ``generic`` among them runs those of ``tests/live`` on the installed torch, as if its
config modules were of an unknown shape.
"""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from dynconf._codegen.upstream import fetch
from dynconf.release import RELEASES

ROOT = Path(__file__).parents[1]
CACHE = ROOT / ".cache" / "torch"
LAWS = [
    "tests/live",
    "tests/codegen",
    "tests/tools/lint",
    "tests/tools/audit",
    "tests/tools/test_baseline.py",
    "tests/catalogue/modules",
    "tests/catalogue/test_ddp.py",
    "tests/catalogue/test_rules.py",
    "tests/sources/test_environment.py",
    "tests/tools/show/test_bare_torch.py",
    "tests/store/test_fingerprint.py",
    "tests/store/test_saving.py",
    "tests/store/test_snapshot.py",
    "tests/test_namespace.py",
    "tests/test_one_name.py",
    "tests/test_settings.py",
]
"""The tests that depend on the insides of config modules; the others cover all releases anyway."""

GENERIC = "generic"


def run(release: str) -> tuple[int, str]:
    """Run the tests on *release*; return pytest's exit code and its output."""
    what = ["tests/live", "--generic"] if release == GENERIC else [*LAWS, "--torch-release", release]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *what]
    # torch hashes the items of a set in their order. Under this seed, a copy of a set of torch's keeps it.
    variables = {**os.environ, "PYTHONHASHSEED": "3"}
    done = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def main() -> int:
    """Run the releases asked for, as many at once as there are processors; return 1 if any of them failed."""
    releases = sys.argv[1:] or list(RELEASES)
    for release in {*releases} - {GENERIC}:
        fetch(release, CACHE)
    failed = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for release, (code, output) in zip(releases, pool.map(run, releases), strict=True):
            print(f"torch {release:7} {output.strip().splitlines()[-1]}", flush=True)
            if code:
                failed += 1
                print(output)
    print(f"{len(releases) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
