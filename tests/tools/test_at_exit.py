"""What dynconf does at the end of a program that leaves torch in a state which nobody can read."""

from pathlib import Path

import pytest
from warm import Warm

PROGRAM = """
import torch._dynamo.config as config
config.recompile_limit = 64
config._config["debug_dir_root"].user_override = object()
"""


@pytest.mark.real_torch
@pytest.mark.since("2.12")  # where it is a context variable
def test_what_fails_is_a_line_and_the_rest_is_done(tmp_path: Path, warm: Warm) -> None:
    """The audit misses only changes in place, nothing prints a traceback, and the program ends with 0."""
    (tmp_path / "program.py").write_text(PROGRAM)
    done = warm.run("-m", "dynconf", "run", "--show", "--audit", "--report", "report.md", "program.py")
    reason = "AttributeError: 'object' object has no attribute 'get'"
    assert done.returncode == 0
    assert [line for line in done.stderr.splitlines() if "dynconf: note:" not in line] == [
        f"dynconf: error: --report failed: {reason}",
        f"dynconf: error: --show failed: {reason}",
        f"dynconf: error: the search for changes in place failed: {reason}",
        "flag             change   by",
        "recompile_limit  8 -> 64  program.py:3 (assignment)",
    ]
