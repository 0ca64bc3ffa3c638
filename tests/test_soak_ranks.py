"""Frozen and killed ranks, in short: see ``soak/ranks.py``."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.real_torch
def test_no_rank_waits_for_ever_or_blames_one_that_is_there(warm) -> None:
    """Whatever is frozen or killed; the program fails if there is a violation."""
    done = warm.run(str(ROOT / "soak" / "ranks.py"), "--short")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("ranks: 0 violations\n")
