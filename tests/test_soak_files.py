"""The attacks on files, in short: see ``soak/files.py``."""

import os
from pathlib import Path

from warm import cold

ROOT = Path(__file__).parents[1]


def test_no_hostile_file_does_harm() -> None:
    """No exception but dynconf's, nothing slow, nothing torn; the program fails if there is any."""
    done = cold(str(ROOT / "soak" / "files.py"), "--short")
    assert done.returncode == 0, done.stdout + done.stderr
    rows = [line.split() for line in done.stdout.splitlines()[2:]]
    count = 8 if hasattr(os, "geteuid") and os.geteuid() == 0 else 6  # two attacks need other users
    assert [row[-4:-1] for row in rows] == [["0", "0", "0"]] * count
