"""First use from four threads: run as ``python soak/imports.py [--short] [--seed N]``.

In each of many processes, four threads use public names of dynconf for the first time, at once. Prints how
many processes there were, and how many ended in an exception or took over a minute; exits with 1 if any did.
torch is not imported; the processes are forks of one that has imported pydantic.
"""

import argparse
import os
import random
import signal
import sys
import threading
import time
from importlib.machinery import ModuleSpec, PathFinder

import pydantic_settings  # noqa: F401  for the forks

import dynconf

THREADS = 4
PATIENCE = 60
"""Seconds after which a process hangs."""


class SlowPackages:
    """Lets the making of a package take its time.

    Nothing else is locked meanwhile, whereas finders have the lock of all imports.
    """

    @staticmethod
    def find_spec(name: str, path: object, target: object = None) -> ModuleSpec | None:
        """Return how Python finds the module."""
        spec = PathFinder.find_spec(name, path, target)  # type: ignore[arg-type]
        if name.startswith("dynconf.") and spec and spec.submodule_search_locations:
            spec.loader.create_module = lambda _: time.sleep(0.1)  # type: ignore[union-attr, method-assign]
        return spec


BY_MODULE = ("DdpMode", "at_least")
"""Names in modules that are also imported by their packages, which other names import."""

BY_PACKAGE = ("patch", "install", "resolve_optimize_ddp", "DynamoFlags", "check_environment")


def used_by_threads(names: tuple[str, ...]) -> list[str]:
    """Use each name in a thread of its own; return the mistakes."""
    random.seed()
    sys.meta_path.insert(0, SlowPackages)  # type: ignore[arg-type]
    start = threading.Barrier(len(names))
    failed = []

    def use(name: str) -> None:
        start.wait()
        time.sleep(random.random() / 2)  # noqa: S311  chance, not secrets
        try:
            getattr(dynconf, name)
        except BaseException as error:  # noqa: BLE001  whatever it is
            failed.append(f"{name}: {type(error).__name__}: {error}")

    threads = [threading.Thread(target=use, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return failed


def begun(names: tuple[str, ...]) -> int:
    """Return a process that uses these names; it ends with a signal if it hangs."""
    if process := os.fork():
        return process
    signal.alarm(PATIENCE)
    failed = used_by_threads(names)
    print("".join(f"{each}\n" for each in failed), end="", file=sys.stderr, flush=True)
    os._exit(bool(failed))


def violations(processes: int, seed: int) -> list[str]:
    """Return the names of the processes that failed or hung."""
    chance = random.Random(seed)  # noqa: S311  chance, not secrets
    names = sorted(dynconf.__all__)
    draws = [(*BY_MODULE, chance.choice(BY_PACKAGE), chance.choice(names)) for _ in range(processes)]
    found = []
    for start in range(0, processes, 8):  # they sleep most of the time
        running = [(begun(each), each) for each in draws[start : start + 8]]
        found += [f"{each} failed" for process, each in running if os.waitpid(process, 0)[1]]
    return found


def main(arguments: list[str] | None = None) -> int:
    """Print the figures; return 1 if a process failed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--short", action="store_true", help="20 processes instead of 200")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    options = parser.parse_args(arguments)
    processes = 20 if options.short else 200
    found = violations(processes, options.seed)
    print(
        f"seed {options.seed}\nfirst use from {THREADS} threads: {processes} processes, {len(found)} failed"
    )
    for problem in found[:20]:
        print(problem, file=sys.stderr)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
