"""The cost of reading a settings file: opening, parsing, finding the lines and checking the values.

It is compared with one ``tomllib.loads`` of its text.
"""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

import tomli_w
from ratio import Ratio, in_turns, report, seconds

from dynconf.catalogue.flags.types import Mismatch
from dynconf.catalogue.modules import catalogue
from dynconf.release import Release
from dynconf.sources.discovery import find_upwards
from dynconf.sources.files import read_document

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


def ratios() -> Iterator[Ratio]:
    """Measure both."""
    text = project()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "pyproject.toml")
        path.write_text(text, encoding="utf-8")

        def read() -> None:
            document = find_upwards(folder).document
            assert document is not None
            state = read_document(document, RELEASE).checked()
            assert len(state) == FLAGS
            assert all(value.origin.line for value in state.values())

        yield in_turns(
            f"reading {FLAGS} flags after {OTHER_LINES} lines / tomllib",
            lambda: seconds(read),
            lambda: seconds(lambda: tomllib.loads(text)),
            rounds=30,
            bound=BOUND,
            scale=1000,
            unit="ms",
        )


if __name__ == "__main__":
    report(ratios())
