"""The long attacks in short: see ``soak/files.py`` and ``soak/ranks.py``."""

import os

import pytest
from conftest import ROOT
from warm import Warm, cold


def test_no_hostile_file_does_harm() -> None:
    """No exception but dynconf's, nothing slow, nothing torn; the program fails if there is any."""
    done = cold(str(ROOT / "soak" / "files.py"), "--short")
    assert done.returncode == 0, done.stdout + done.stderr
    rows = [line.split() for line in done.stdout.splitlines()[2:]]
    count = 8 if hasattr(os, "geteuid") and os.geteuid() == 0 else 6  # two attacks need other users
    assert [row[-4:-1] for row in rows] == [["0", "0", "0"]] * count


@pytest.mark.real_torch
def test_no_rank_waits_for_ever_or_blames_one_that_is_there(warm: Warm) -> None:
    """Whatever is frozen or killed; the program fails if there is a violation."""
    done = warm.run(str(ROOT / "soak" / "ranks.py"), "--short")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("ranks: 0 violations\n")
