"""``python -m dynconf._codegen`` writes generated files; ``upstream RELEASE ...`` reads torch releases.

Writing them prints what is left to do by hand.
"""

import argparse
import re
import subprocess
import sys

from dynconf._codegen import generated, upstream
from dynconf._codegen.generated import FIXTURES, ROOT
from dynconf._codegen.readers import unread
from dynconf._codegen.unfinished import unfinished
from dynconf.catalogue.flags.described import ABOUT_NO_FLAG
from dynconf.release import RELEASES, minor

CACHE = ROOT / ".cache" / "torch"
LIST = ROOT / "dynconf" / "release.py"
"""The file with `RELEASES`."""


def main() -> int:
    """Run the generator; return 1 if ``--check`` found a difference."""
    parser = argparse.ArgumentParser(prog="python -m dynconf._codegen", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; show the differences")
    parser.add_argument(
        "command",
        nargs="?",
        choices=["upstream"],
        help="read torch releases into tests/data/upstream, and enter them in RELEASES",
    )
    parser.add_argument("releases", nargs="*", metavar="RELEASE", help="full numbers, such as 2.16.0")
    arguments = parser.parse_args()
    if arguments.command == "upstream":
        for release in arguments.releases:
            _write_fixture(release)
            _enter(release)
        return 0
    if not arguments.check:
        if generated.write():
            # The other files were made from the facts that this process had loaded.
            return subprocess.run(
                [sys.executable, "-m", "dynconf._codegen"], cwd=ROOT, check=False
            ).returncode
        sys.stdout.writelines(f"{line}\n" for line in (*ABOUT_NO_FLAG, *unfinished()))
        return 1 if ABOUT_NO_FLAG else 0
    found = list(generated.differences())
    sys.stdout.writelines(found)
    if ABOUT_NO_FLAG:
        print(f"\nDescriptions of flags that no release has: {', '.join(ABOUT_NO_FLAG)}.", file=sys.stderr)
        return 1
    if found:
        print("\nGenerated files are stale: run `python -m dynconf._codegen`.", file=sys.stderr)
    return 1 if found else 0


def _write_fixture(release: str) -> None:
    """Write the facts of a release."""
    with upstream.wheel_of(release, CACHE) as wheel:
        upstream.keep_config_files(wheel, CACHE / release)
        facts = upstream.read(release, CACHE / release)
        facts["unread"] = unread(wheel, facts["modules"])
    path = FIXTURES / f"{release}.json"
    path.write_text(upstream.as_text(facts), encoding="utf-8")
    counts = ", ".join(f"{len(flags)} flags of {module}" for module, flags in facts["modules"].items())
    print(f"{path}: {counts}")


def _enter(release: str) -> None:
    """Enter a release in `RELEASES`, in the place of another patch release of the same minor version."""
    same = [each for each in RELEASES if minor(each) == minor(release)]
    known = sorted({*RELEASES, release}.difference(same) | {release}, key=minor)
    source = LIST.read_text(encoding="utf-8")
    lines = "".join(f'    "{each}",\n' for each in known)
    LIST.write_text(
        re.sub(r"(?<=^RELEASES = \(\n)(?: .*\n)*", lines, source, flags=re.MULTILINE), encoding="utf-8"
    )
    for each in {*same} - {release}:
        (FIXTURES / f"{each}.json").unlink()


if __name__ == "__main__":
    sys.exit(main())
