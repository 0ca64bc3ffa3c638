"""The environment variables in files of other languages: shell, Dockerfile, YAML, TOML, .env and the like.

All of them write a name, ``=`` or ``:`` and a value, so one pattern finds the names of interest in each::

    export TORCHDYNAMO_VERBOSE=1        ENV TORCHDYNAMO_VERBOSE 1        TORCHDYNAMO_VERBOSE: "1"

The exception are lists of names and values, as in Kubernetes: `_PAIR`.
"""

import re
from collections.abc import Iterator

from dynconf._generated.index import VARIABLES
from dynconf.lint.sites import UNKNOWN, Site, Span

_STARTS = r"(?:TORCH|PYTORCH|DYNAMO|INDUCTOR|TRITON|PT2)"
OTHERS = "|".join(
    name
    for name in sorted(set().union(*VARIABLES.values()) - {"CXX"})  # CXX is for every compiler
    if not re.match(_STARTS, name)
)
"""The variables of torch that do not begin as the others, as a pattern."""

_NAME = rf"(?:{_STARTS}[A-Z0-9_]*|(?:{OTHERS})\b)"
_VARIABLE = re.compile(
    rf"""(?P<before>(?:^|[\s;&|"'({{,\[-])(?:ENV\s+|ARG\s+|env\s+)?)["']?(?P<name>{_NAME})["']?"""
    r"""(?P<sign>\s*[=:]\s*|\s+(?=\S))(?P<value>"[^"]*"|'[^']*'|[^\s;&|,#)\]}]*)"""
)
_SPACE = r"\s{0,99}"  # not more, because a text may be nothing but space
_VALUE = r"""(?P<value>"[^"\n]*"|'[^'\n]*'|[^\s,#}]*)"""
_PAIR = re.compile(
    rf"""\bname:{_SPACE}["']?(?P<name>{_NAME})["']?{_SPACE},?{_SPACE}\bvalue(?:From)?:[^\S\n]{{0,99}}{_VALUE}"""
)
_REVERSED = re.compile(
    rf"""\bvalue:{_SPACE}{_VALUE}{_SPACE},?{_SPACE}\bname:{_SPACE}["']?(?P<name>{_NAME})\b"""
)
_LISTED = re.compile(r"--(?:export|env)[= ]\S+")
"""Variables in an option: ``--export=ALL,TORCHDYNAMO_VERBOSE=1``."""

_DYNAMIC = re.compile(r"[$`{]")
"""What makes a value one that is known only when it is used."""

_YAML = frozenset({".yml", ".yaml"})
_SCRIPTS = frozenset({".sh", ".bash", ".zsh", ".slurm", ".sbatch", ".env", ""})


def variable_sites(text: str, suffix: str) -> Iterator[Site]:
    """Yield the variables of interest that a text sets."""
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), 1):
        words = _LISTED.sub(_separated, _without_comment(line))
        for found in _VARIABLE.finditer(words):
            is_env = "ENV" in found["before"]
            if "=" in found["sign"] or is_env or (":" in found["sign"] and suffix not in _SCRIPTS):
                yield _site(number, words, found, suffix)
    if suffix in _YAML:
        yield from _pairs(text)


def _pairs(text: str) -> Iterator[Site]:
    for pattern in (_PAIR, _REVERSED):
        for found in pattern.finditer(text):
            before = re.split(r"\r\n|\r|\n", text[: found.start("name")])
            if not before[-1].lstrip().startswith("#"):
                column = len(before[-1].encode())
                span = Span(len(before), column, len(before), column + len(found["name"]))
                value = found["value"].strip("\"'")
                is_known = value and not _DYNAMIC.search(value)
                yield Site("child-variable", "", found["name"], span, value if is_known else UNKNOWN, room="identifier")


def _site(number: int, line: str, found: re.Match[str], suffix: str) -> Site:
    # Without a copy of the start of the line for each: a line may have thousands.
    start = found.start("name") if line.isascii() else len(line[: found.start("name")].encode())
    span = Span(number, start, number, start + len(found["name"]))
    value = found["value"].strip("\"'").strip()
    # A shell splits the words of an assignment with spaces around its sign: it sets nothing.
    is_split = suffix in _SCRIPTS and found["sign"] != "=" and "ENV" not in found["before"]
    # A comma ends a value in lists of other languages, and is a part of it in scripts.
    is_part = suffix in _SCRIPTS and line[found.end() : found.end() + 1] == ","
    is_known = not (is_split or is_part or _DYNAMIC.search(value))
    return Site("variable", "", found["name"], span, value if is_known else UNKNOWN, room="identifier")


def _separated(option: re.Match[str]) -> str:
    return option[0].replace(",", " ").replace("=", " ", 1)


def _without_comment(line: str) -> str:
    is_comment = line.lstrip().startswith(("#", "//")) and not line.startswith("#SBATCH")
    return "" if is_comment else re.sub(r"\s#.*", "", line)
