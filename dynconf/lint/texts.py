"""The environment variables in files of other languages: shell, Dockerfile, YAML, TOML, .env and the like.

All of them write a name, ``=`` or ``:`` and a value, so one pattern finds the names of interest in each::

    export TORCHDYNAMO_VERBOSE=1        ENV TORCHDYNAMO_VERBOSE 1        TORCHDYNAMO_VERBOSE: "1"
"""

import json
import re
from collections.abc import Iterator

from dynconf.lint.sites import UNKNOWN, Site, Span

_NAME = r"(?:TORCH|PYTORCH|DYNAMO|INDUCTOR|TRITON|PT2)[A-Z0-9_]*"
_VARIABLE = re.compile(
    rf"""(?P<before>(?:^|[\s;&|"'({{,\[-])(?:ENV\s+|ARG\s+|env\s+)?)["']?(?P<name>{_NAME})["']?"""
    r"""(?P<sign>\s*[=:]\s*|\s+(?=\S))(?P<value>"[^"]*"|'[^']*'|[^\s;&|,#)\]}]*)"""
)
_DYNAMIC = re.compile(r"[$`{]")
"""What makes a value one that is known only when it is used."""

_SCRIPTS = frozenset({".sh", ".bash", ".zsh", ".slurm", ".sbatch", ".env", ""})


def variable_sites(text: str, suffix: str) -> Iterator[Site]:
    """Yield the variables of interest that a text sets."""
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), 1):
        for found in _VARIABLE.finditer(_without_comment(line)):
            is_env = "ENV" in found["before"]
            if "=" in found["sign"] or is_env or (":" in found["sign"] and suffix not in _SCRIPTS):
                yield _site(number, line, found, suffix)


def _site(number: int, line: str, found: re.Match[str], suffix: str) -> Site:
    start = len(line[: found.start("name")].encode())
    span = Span(number, start, number, start + len(found["name"]))
    value = found["value"].strip("\"'").strip()
    # A shell splits the words of an assignment with spaces around its sign: it sets nothing.
    is_split = suffix in _SCRIPTS and found["sign"] != "=" and "ENV" not in found["before"]
    is_known = not (is_split or _DYNAMIC.search(value))
    return Site("variable", "", found["name"], span, value if is_known else UNKNOWN)


def _without_comment(line: str) -> str:
    return "" if line.lstrip().startswith(("#", "//")) else re.sub(r"\s#.*", "", line)


def notebook_cells(text: str) -> Iterator[tuple[int, str]]:
    """Yield the code of a notebook, cell by cell, each with its number; raise ValueError for no JSON."""
    data = json.loads(text)
    cells = data.get("cells") if isinstance(data, dict) else None
    for number, cell in enumerate(cells if isinstance(cells, list) else [], 1):
        if isinstance(cell, dict) and cell.get("cell_type") == "code":
            source = cell.get("source", "")
            yield number, "".join(map(str, source)) if isinstance(source, list) else str(source)
