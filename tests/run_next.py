"""Run the law tests on the newest real torch, as if it had come out today.

``python tests/run_next.py`` takes that release out of a copy of the checkout, and generates the files again.
What fails there is what the next release will do to users of this version. It can be given tests to run in
place of the laws, and options of pytest.
"""

import shutil
import subprocess
import sys
from pathlib import Path

from real_torch import CACHE, ROOT, environment
from run_real import pytest

from dynconf.release import RELEASES

LAWS = (
    *("tests/live", "tests/store", "tests/tools/audit", "tests/tools/test_baseline.py"),
    *("tests/test_namespace.py", "tests/test_one_name.py"),
    *("--ignore", "tests/live/test_futures.py"),
)
"""The tests that set, read, save and watch flags of the torch at hand, and imagine no other one."""


def copy_without(release: str, folder: Path) -> None:
    """Copy the checkout to *folder*, with a catalogue that does not know the newest release."""
    shutil.rmtree(folder, ignore_errors=True)
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    for name in filter(lambda name: (ROOT / name).is_file(), listed.splitlines()):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, folder / name)
    (folder / "tests" / "data" / "upstream" / f"{release}.json").unlink()
    listing = folder / "dynconf" / "release.py"
    listing.write_text(
        listing.read_text(encoding="utf-8").replace(f'    "{release}",\n', ""), encoding="utf-8"
    )
    for _ in range(2):  # the facts first, and then what is made of them
        command = [sys.executable, "-c", "from dynconf._codegen import generated; generated.write()"]
        subprocess.run(command, cwd=folder, check=True)


def main() -> int:
    """Run the tests; return 1 if one failed."""
    folder, newest = CACHE / "next", RELEASES[-1]
    print(f"== torch {newest}, with a catalogue that ends with {RELEASES[-2]}, in {folder}", flush=True)
    copy_without(newest, folder)
    return 0 if pytest(environment(newest), *(sys.argv[1:] or LAWS), folder=folder) else 1


if __name__ == "__main__":
    sys.exit(main())
