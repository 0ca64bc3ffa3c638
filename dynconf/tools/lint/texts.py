"""The environment variables in files of other languages: shell, Dockerfile, YAML, TOML, .env and the like.

All of them write a name, ``=`` or ``:`` and a value, so one pattern finds the names of interest in each::

    export TORCHDYNAMO_VERBOSE=1        ENV TORCHDYNAMO_VERBOSE 1        TORCHDYNAMO_VERBOSE: "1"

The exception are lists of names and values, as in Kubernetes: `_PAIR`. And where a shell or make reads a
variable, only some signs set it: ``${NAME:=1}`` does, if it is not set, and ``${NAME:-1}`` does not. What
`echo` prints sets nothing, unless it is printed into a file or a pipe.

Anybody's text is searched, so that no two repetitions beside each other can match the same characters.
"""

import bisect
import re
from collections.abc import Iterator

from dynconf.catalogue._generated.index import VARIABLES
from dynconf.tools.lint.sites import UNKNOWN, Site, Span

_STARTS = r"(?:TORCH|PYTORCH|DYNAMO|INDUCTOR|TRITON|PT2)"
OTHERS = "|".join(
    name
    for name in sorted(set().union(*VARIABLES.values()) - {"CXX"})  # CXX is for every compiler
    if not re.match(_STARTS, name)
)
"""The variables of torch that do not begin as the others, as a pattern."""

VARIABLE = re.compile(rf"{_STARTS}|{OTHERS}".encode())
"""Is in every text that has the name of one."""

_NAME = rf"(?:{_STARTS}[A-Z0-9_]*|(?:{OTHERS})\b)"
_WORD = r"ENV|setx|setenv|set\s+(?:-\w*x\w*|--export)"
"""What sets a variable without a sign: in an image, on Windows, in csh and in fish."""

_OTHER_WORD = r"(?:ARG|env)\s+|\$env:|-e(?=[A-Z])|[Ee]nvironment=|(?:APPTAINER|SINGULARITY)ENV_"
"""What stands before one that has a sign: ``docker run -eNAME=1``, systemd, supervisor, Apptainer."""

_VARIABLE = re.compile(
    rf"""(?P<before>(?:^|\$[{{(]|[\s;&|"'({{,\[-])(?:(?P<word>{_WORD})\s+|{_OTHER_WORD})?)["']?"""
    rf"""(?P<name>{_NAME})["']?"""
    r"""(?P<sign>\s*(?::{1,3}=|\?=|=(?![=>]|~\s)|:)\s*|\s+(?=\S))(?P<value>"[^"]*"|'[^']*'|[^\s;&|,#)\]}]*)"""
)
_COMMA = r"\s*(?:,\s*)?"
_VALUE = r"""(?P<value>"[^"\n]*"|'[^'\n]*'|(?:[^\s,{}]|\{(?!value:))+)"""
_PAIR = re.compile(
    rf"""\bname:\s*["']?(?P<name>{_NAME})["']?{_COMMA}\bvalue(?:From)?:(?:[^\S\n]*{_VALUE})?"""
)
_REVERSED = re.compile(rf"""(?<![^\s,{{])value:(?:\s*{_VALUE})?{_COMMA}\bname:\s*["']?(?P<name>{_NAME})\b""")
_COMMENT = re.compile(r"""("[^"\r\n]*"|'[^'\r\n]*')|(?<!\S)#[^\r\n]*""")
_LISTED = re.compile(r"(--(?:export|env))[= ](\S+)")
"""Variables in an option: ``--export=ALL,TORCHDYNAMO_VERBOSE=1``, ``--env TORCHDYNAMO_VERBOSE=1``."""

_PRINTS = re.compile(r"\s*(?:-\s+)?(?:run:\s*|RUN\s+)?@?(?:echo|printf)\s")
_COMMAND = re.compile(r"[^;&|]*[;&|]*")
_DEFAULT = re.compile(r"\$\{\w+:?[-=]([^${}`]*)\}?")
"""A default beside the variable that is asked first: ``${FREEZE:-True}``."""

_DYNAMIC = re.compile(r"[$`{]")
"""Marks a value that is known only when it is used."""

_NEWLINE = re.compile(r"\r\n|\r|\n")

_YAML = frozenset({".yml", ".yaml"})
_MAKE = frozenset({"Makefile", ".mk"})
_SCRIPTS = frozenset(
    {".sh", ".bash", ".zsh", ".slurm", ".sbatch", ".env", "", ".bat", ".cmd", ".fish", ".csh"}
)


class _Columns:
    """Counts the bytes before characters of a text, each further on than the last.

    A line may have a million characters and thousands of variables, so that counting from its start for each
    would not end.
    """

    def __init__(self, text: str, start: int = 0) -> None:
        self._text, self._position, self._bytes = text, start, 0

    def at(self, position: int) -> int:
        self._bytes += len(self._text[self._position : position].encode(errors="replace"))
        self._position = position
        return self._bytes


def variable_sites(text: str, suffix: str) -> Iterator[Site]:
    """Yield the variables of interest that a text sets."""
    is_env = goes_on = False  # an instruction of an image, and a line that the next one continues
    for number, line in enumerate(_NEWLINE.split(text), 1):
        words = _LISTED.sub(lambda each: f"{each[1]} {each[2].replace(',', ' ')}", _without_comment(line))
        is_env = words.startswith("ENV ") or (is_env and goes_on)
        goes_on = line.rstrip().endswith("\\")
        if "echo" in words or "printf" in words:
            words = _COMMAND.sub(_without_print, words)
        columns = _Columns(words)
        for found in _VARIABLE.finditer(words):
            if _sets(found, words, suffix):
                language = ".env" if is_env else suffix  # in which ~ is no folder, either
                yield _site(number, words, found, language, columns.at(found.start("name")))
    if suffix in _YAML:
        yield from _pairs(text)


def _sets(found: re.Match[str], line: str, suffix: str) -> bool:
    """Tell whether the sign after a variable sets it in that language."""
    before, sign = found["before"], found["sign"].strip()
    if before.startswith("$"):
        return suffix not in _MAKE and (sign == "=" or (sign == ":=" and before == "${"))
    if suffix in _MAKE:
        return "=" in sign
    # YAML has a space behind the colon of a name without quotes: in a text it is part of something else.
    is_text = suffix in _YAML and found["sign"] == ":" == line[found.end("name")] and found["value"]
    return bool(found["word"]) or sign == "=" or (sign == ":" and suffix not in _SCRIPTS and not is_text)


def _pairs(text: str) -> Iterator[Site]:
    text = _COMMENT.sub(lambda found: found[1] or " " * len(found[0]), text)
    starts = [0, *(each.end() for each in _NEWLINE.finditer(text))]
    for pattern in (_PAIR, _REVERSED):
        number, columns = 0, _Columns(text)
        for found in pattern.finditer(text):
            line = bisect.bisect(starts, found.start("name"))
            if line != number:
                number, columns = line, _Columns(text, starts[line - 1])
            column = columns.at(found.start("name"))
            span = Span(line, column, line, column + len(found["name"]))
            value = (found["value"] or "").strip("\"'")
            known = UNKNOWN if found["value"] is None or _DYNAMIC.search(value) else value
            yield Site("child-variable", "", found["name"], span, known, fit="identifier")


def _site(number: int, line: str, found: re.Match[str], suffix: str, column: int) -> Site:
    span = Span(number, column, number, column + len(found["name"]))
    value = found["value"].strip("\"'").strip()
    if default := _DEFAULT.fullmatch(value):
        value = default[1]
    # A shell splits the words of an assignment with spaces around its sign: it sets nothing.
    is_split = suffix in _SCRIPTS and found["sign"] != found["sign"].strip() and not found["word"]
    # A comma ends a value in lists of other languages, and is a part of it in scripts.
    is_part = suffix in _SCRIPTS | _MAKE and line[found.end() : found.end() + 1] == ","
    # A shell replaces ~ by the home folder, where it is not quoted.
    is_no_shell = suffix == ".env" or ":" in found["sign"] or "ENV" in found["before"]
    is_home = found["value"].startswith("~") and not is_no_shell
    known = UNKNOWN if is_split or is_part or is_home or _DYNAMIC.search(value) else value
    is_read = found["before"].startswith("$")
    return Site("variable", "", found["name"], span, known, fit="" if is_read else "identifier")


def _without_print(command: re.Match[str]) -> str:
    is_piped = ">" in command[0] or (command[0].endswith("|") and not command[0].endswith("||"))
    return " " * len(command[0]) if _PRINTS.match(command[0]) and not is_piped else command[0]


def _without_comment(line: str) -> str:
    start = line.lstrip()[:4].lower()
    is_comment = start.startswith(("#", "//", "::", "rem ")) and not line.startswith("#SBATCH")
    return "" if is_comment else re.sub(r"\s#.*", "", line)
