"""First use from four threads: run as ``python soak/imports.py [--short] [--seed N]``.

In each of many fresh processes, four threads use public names of dynconf for the first time, at once. Prints
how many processes there were, and how many ended in an exception or took over a minute; exits with 1 if any
did. torch is not imported.
"""

import argparse
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import dynconf

THREADS = 4
PATIENCE = 60
"""Seconds after which a process hangs."""

PROGRAM = """
import random, sys, threading, time
from importlib.machinery import PathFinder
import dynconf

class SlowPackages:
    def find_spec(name, path, target=None):
        spec = PathFinder.find_spec(name, path, target)
        if name.startswith("dynconf.") and spec and spec.submodule_search_locations:
            spec.loader.create_module = lambda spec: time.sleep(0.1)
        return spec

sys.meta_path.insert(0, SlowPackages)
start = threading.Barrier(len(sys.argv) - 1)
failed = []

def use(name):
    start.wait()
    time.sleep(random.random() / 2)
    try:
        getattr(dynconf, name)
    except BaseException as error:
        failed.append(f"{name}: {type(error).__name__}: {error}")

threads = [threading.Thread(target=use, args=(name,)) for name in sys.argv[1:]]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
sys.exit("\\n".join(failed) or 0)
"""
"""Uses each name that it is given in a thread of its own, where making a package takes its time.

Nothing else is locked meanwhile, whereas finders have the lock of all imports.
"""

BY_MODULE = ("DdpMode", "at_least")
"""Names in modules that are also imported by their packages, which other names import."""

BY_PACKAGE = ("patch", "install", "resolve_optimize_ddp", "DynamoFlags", "check_environment")


def used_by_threads(names: tuple[str, ...]) -> str:
    """Return the mistakes of a fresh process in which threads use these names at once; empty if none."""
    words = [sys.executable, "-c", PROGRAM, *names]
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        return f"{names}: not done after {PATIENCE} seconds"
    return f"{names}: {done.stderr.strip()}" if done.returncode else ""


def violations(processes: int, seed: int) -> list[str]:
    """Return the mistakes of that many processes."""
    chance = random.Random(seed)  # noqa: S311  chance, not secrets
    names = sorted(dynconf.__all__)
    draws = [(*BY_MODULE, chance.choice(BY_PACKAGE), chance.choice(names)) for _ in range(processes)]
    with ThreadPoolExecutor(8) as pool:  # they sleep most of the time
        return [problem for problem in pool.map(used_by_threads, draws) if problem]


def main(arguments: list[str] | None = None) -> int:
    """Print the figures; return 1 if a process failed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--short", action="store_true", help="40 processes instead of 200")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    options = parser.parse_args(arguments)
    processes = 40 if options.short else 200
    found = violations(processes, options.seed)
    print(
        f"seed {options.seed}\nfirst use from {THREADS} threads: {processes} processes, {len(found)} failed"
    )
    for problem in found[:20]:
        print(problem, file=sys.stderr)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
