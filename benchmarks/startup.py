"""What starting costs, compared with torch, each time in a process of its own."""

import functools
import sys
from collections.abc import Iterator

from ratio import Ratio, in_turns, of_command, report

TORCH_DUMP = "import torch._dynamo.config as c; print(c.get_config_copy())"

IMPORT = ["-c", "import torch"]

CASES: list[tuple[str, list[str], list[str], float]] = [
    ("dynconf dump / printing all flags with torch", ["-m", "dynconf", "dump"], ["-c", TORCH_DUMP], 0.06),
    ("dynconf dump / import torch", ["-m", "dynconf", "dump"], IMPORT, 0.08),
    ("dynconf --help / import torch", ["-m", "dynconf", "--help"], IMPORT, 0.08),
    ("dynconf explain FLAG / import torch", ["-m", "dynconf", "explain", "recompile_limit"], IMPORT, 0.08),
    ("dynconf check / import torch", ["-m", "dynconf", "check"], IMPORT, 0.08),
    ("import dynconf / import torch", ["-c", "import dynconf"], IMPORT, 0.012),
    (
        "dynconf run / python, import torch",
        ["-m", "dynconf", "run", "--set", "recompile_limit=64", "-c", "import torch"],
        IMPORT,
        1.05,
    ),
]
"""What is compared: arguments of Python on dynconf's side and on torch's, and the ratio's bound."""


def ratios() -> Iterator[Ratio]:
    """Measure all cases."""
    for name, ours, theirs, bound in CASES:
        mine, other = (functools.partial(of_command, sys.executable, *words) for words in (ours, theirs))
        yield in_turns(name, mine, other, rounds=15, bound=bound)


if __name__ == "__main__":
    report(ratios())
