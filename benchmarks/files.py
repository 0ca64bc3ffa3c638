"""The cost of reading a settings file, compared with only parsing it.

Run as ``python benchmarks/files.py``: prints the ratio of reading a TOML file with every flag of a release
(opening, parsing, finding the lines, checking the values) to one ``tomllib.loads`` of its text, with its
bound, and exits with 1 if that is missed.
"""

import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

import tomli_w

from dynconf.flags.types import Mismatch
from dynconf.modules import catalogue
from dynconf.release import Release
from dynconf.sources.discovery import find_upwards
from dynconf.sources.files import read_document

ROUNDS = 30
"""The number of pairs of measurements; the two sides take turns, and the median of the ratios counts."""

RELEASE = Release.named("2.13")
FLAGS = 109
OTHER_LINES = 2000
BOUND = 2.0

OTHER = '''\
# A table of some other tool: 'quotes', [brackets].
[[tool.other.part]]
name = "part \\"{number}\\" # not a comment"
paths = [
    "src/a", # ]
    'src/b', ["c"],
]
text = """
[tool.dynconf]
verbose = true
"""
inline = {{ a = 1, b = [2, 3], c = "x" }}
dotted.key . "quoted" = 1979-05-27T07:32:00Z
number = 3.14
'''


def project() -> str:
    """Return a ``pyproject.toml`` with a table of flags after many lines of other tools."""
    lines: list[str] = []
    while len(lines) < OTHER_LINES:
        lines += OTHER.format(number=len(lines)).splitlines()
    return "\n".join([*lines, "[tool.dynconf]", *flag_lines(), ""])


def flag_lines() -> Iterator[str]:
    """Return lines that set flags to their defaults."""
    settings = [each for each in catalogue("dynamo").at(RELEASE).settings.values() if each.public]
    left = FLAGS
    for setting in settings:
        try:
            data = setting.type.to_data(setting.default_value())
        except Mismatch:
            continue
        if left and data is not None and not isinstance(data, dict):
            left -= 1
            yield tomli_w.dumps({setting.name: data}, multiline_strings=False).replace("\n    ", " ").strip()
    assert left == 0, f"{left} flags too few"


def seconds(action: Callable[[], object]) -> float:
    """Return the seconds that *action* takes."""
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def main() -> int:
    """Print the ratio; return 1 if its bound is missed."""
    text = project()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "pyproject.toml")
        path.write_text(text, encoding="utf-8")

        def read() -> None:
            document = find_upwards(folder).document
            assert document is not None
            layer = read_document(document, RELEASE).sound()
            assert len(layer.state) == FLAGS
            assert all(origin.line for origin in layer.origins.values())

        read()
        pairs = [(seconds(read), seconds(lambda: tomllib.loads(text))) for _ in range(ROUNDS)]
    ratio = statistics.median(mine / other for mine, other in pairs)
    mine, other = (statistics.median(side) * 1000 for side in zip(*pairs, strict=True))
    missed = ratio > BOUND
    name = f"{FLAGS} flags after {OTHER_LINES} lines"
    print(f"{'':32} dynconf ms  tomllib ms   ratio   bound")
    print(f"{name:32} {mine:10.2f} {other:11.2f} {ratio:7.2f} {BOUND:7.2f}{'  MISSED' * missed}")
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
