"""``python -m dynconf._codegen`` writes generated files; ``upstream RELEASE ...`` reads torch releases."""

import argparse
import json
import sys

from dynconf._codegen import generated, upstream
from dynconf._codegen.differences import differences, side_by_side
from dynconf._codegen.generated import FIXTURES
from dynconf._codegen.readers import unread
from dynconf.release import RELEASES, minor

CACHE = generated.ROOT / ".cache" / "torch"


def main() -> int:
    """Run the generator; return 1 if ``--check`` found a difference."""
    parser = argparse.ArgumentParser(prog="python -m dynconf._codegen", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; show the differences")
    parser.add_argument(
        "command",
        nargs="?",
        choices=["upstream"],
        help="read torch releases into tests/data/upstream, and list differences from the catalogue",
    )
    parser.add_argument("releases", nargs="*", metavar="RELEASE", help="full numbers, such as 2.16.0")
    arguments = parser.parse_args()
    if arguments.command == "upstream":
        for release in arguments.releases:
            _write_fixture(release)
        return 0
    if not arguments.check:
        generated.write()
        return 0
    found = list(generated.differences())
    sys.stdout.writelines(found)
    if found:
        print("\nGenerated files are stale: run `python -m dynconf._codegen`.", file=sys.stderr)
    return 1 if found else 0


def _write_fixture(release: str) -> None:
    facts = upstream.read(release, upstream.fetch(release, CACHE))
    with upstream.wheel_of(release, CACHE) as wheel:
        facts["unread"] = unread(wheel, facts["modules"])
    path = FIXTURES / f"{release}.json"
    older = [each for each in RELEASES if minor(each) < minor(release)]
    before = (FIXTURES / f"{older[-1]}.json").read_text(encoding="utf-8") if older else '{"modules": {}}'
    previous = json.loads(before)["modules"]
    path.write_text(upstream.as_text(facts), encoding="utf-8")
    counts = ", ".join(f"{len(flags)} flags of {module}" for module, flags in facts["modules"].items())
    print(f"{path}: {counts}")
    for module, flags in facts["modules"].items():
        for gone, new in side_by_side(previous.get(module, {}), flags):
            print(f"  {module}: {gone or '-':40} -> {new or '-'}")
        for difference in differences(module, flags, release):
            print(f"  {module}: {difference}")
    if release not in RELEASES:
        print(f"  add {release!r} to RELEASES in dynconf/release.py")


if __name__ == "__main__":
    sys.exit(main())
