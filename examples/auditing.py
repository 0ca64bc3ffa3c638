"""Who changes the configuration: each flag with the line of code that changed it, by `dynconf.audit`.

Run: python examples/auditing.py
For a program that knows nothing about dynconf: dynconf run --audit program.py
"""

from pathlib import Path

import torch
from torch._dynamo import config

import dynconf


def a_library() -> None:
    """Set a flag for everyone, as libraries do when they are imported."""
    config.recompile_limit = 128


def main() -> None:
    """Print the changes, grouped by flag and line."""
    with dynconf.audit() as log:
        a_library()
        for _ in range(3):
            with config.patch(verbose=True):
                torch.compile(torch.sin, backend="eager")(torch.ones(2))
    for flag, change, origin in log.rows():
        print(f"{flag:18} {change:34} {Path(origin).name}")
    dynconf.reset("recompile_limit")


if __name__ == "__main__":
    main()
