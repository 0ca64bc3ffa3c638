"""The environment variables in files of other languages: shell, Dockerfile, YAML, TOML, .env and the like.

All of them write a name, ``=`` or ``:`` and a value, so one pattern finds the names of interest in each::

    export TORCHDYNAMO_VERBOSE=1        ENV TORCHDYNAMO_VERBOSE 1        TORCHDYNAMO_VERBOSE: "1"

Exceptions are lists of names and values, as in Kubernetes and Terraform (`_PAIR`), and the flags that
``dynconf run --set recompile_limit=64 train.py`` has (`_RUN`), or the JSON of vLLM (`_HANDED_ON`). Where a
shell or make reads a variable, only some signs set it: ``${NAME:=1}`` does, if it is not set, and
``${NAME:-1}`` does not. What `echo` prints sets nothing, unless it is printed into a file or a pipe.

Anybody's text is searched, so that no two repetitions beside each other can match the same characters.
"""

import bisect
import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import accumulate
from typing import Any

from dynconf.catalogue._generated.index import VARIABLES
from dynconf.catalogue.names import split
from dynconf.tools.lint.sites import Fit, Site, Span, Unknown

STARTS = "TORCH|PYTORCH|DYNAMO|INDUCTOR|TRITON|PT2"
OTHERS = "|".join(
    name
    for name in sorted(set().union(*VARIABLES.values()) - {"CXX"})  # CXX is for every compiler
    if not re.match(STARTS, name)
)
"""The variables of torch that do not begin as the others, as a pattern."""

VARIABLE = re.compile(rf"{STARTS}|{OTHERS}".encode())
"""Is in every text that has the name of one; without a group, the search skips most letters."""

_NAME = rf"(?:(?:{STARTS})[A-Z0-9_]*|(?:{OTHERS})\b)"
_WORD = r"ENV|setx|setenv|set\s+(?:-\w*x\w*|--export)|-g?env"
"""What sets a variable without a sign: in an image, on Windows, in csh, in fish, and for the ranks of MPI."""

_OTHER_WORD = r"(?:ARG|env)\s+|\$env:|-e(?=[A-Z])|[Ee]nvironment=|(?:APPTAINER|SINGULARITY)ENV_"
"""What stands before one that has a sign: ``docker run -eNAME=1``, systemd, supervisor, Apptainer."""

_VARIABLE = re.compile(
    rf"""(?P<before>(?:^(?:\xef\xbb\xbf)?|\$[{{(]|[\s;&|"'({{,\[-])(?:(?P<word>{_WORD})\s+|{_OTHER_WORD})?)["']?"""
    rf"""(?P<name>{_NAME})["']?(?P<sign>\s*(?::{{1,3}}=|\?=|=(?![=>]|~\s)|:|,)\s*|\s+(?=\S))"""
    rf"""(?P<value>"[^"]*"|'[^']*'|[^\s;&|,#)\]}}]*)""".encode()
)
_COMMA = r"\s*(?:,\s*)?"
_VALUE = r"""(?P<value>"[^"\n]*"|'[^'\n]*'|(?:[^\s,{}]|\{(?!["']?value))+)"""
_IS = r"""["']?\s*[:=]"""
_PAIR = re.compile(
    rf"""\bname{_IS}\s*["']?(?P<name>{_NAME})["']?{_COMMA}["']?\bvalue(?:From)?{_IS}(?:[^\S\n]*{_VALUE})?""".encode()
)
_REVERSED = re.compile(
    rf"""(?<![^\s,{{])["']?value{_IS}(?:\s*{_VALUE})?{_COMMA}["']?\bname{_IS}\s*["']?(?P<name>{_NAME})\b""".encode()
)
_COMMENT = re.compile(rb"""("[^"\r\n]*"|'[^'\r\n]*')|(?<!\S)#[^\r\n]*""")
_LISTED = re.compile(rb"(--(?:[\w-]{0,20}[-_])?(?:export|envs?)(?:[-_]vars)?)[= ](\S+)")
"""Variables in an option: ``--export=ALL,TORCHDYNAMO_VERBOSE=1``, ``--set-env-vars=TORCH_LOGS=guards``."""

_PRINTS = re.compile(rb"\s*(?:-\s+)?(?:run:\s*|RUN\s+)?@?(?:echo|printf)\s")
_COMMAND = re.compile(rb"[^;&|]*[;&|]*")
_DEFAULT = re.compile(rb"\$\{\w+:?[-=]([^${}`]*)\}?")
"""A default beside the variable that is asked first: ``${FREEZE:-True}``."""

_DYNAMIC = re.compile(rb"[$`{]")
"""Marks a value that is known only when it is used."""

_BETWEEN = rb"""["']?[ \t]*(?:\\\n[ \t]*|,\s*|\n[ \t]*-[ \t]+|(?<=[ \t]))["']?"""
"""Stands between two words of a command, which goes on in the next line, or is a list of texts."""

_RUN = re.compile(rb"(?<![\w.-])(?:torch_)?dynconf%brun\b" % _BETWEEN)
_OPTION = re.compile(
    rb"""%b(?:(?:-s|--set|--hold)(?:=|%b)?(?P<name>[\w.-]+)=(?P<value>"[^"\n]*"|'[^'\n]*'|(?:[^\s"';&|)\],]|,(?=\S))*)["']?"""
    rb"""|(?:-s|--(?:set|hold|config|missing|audit-file|report))%b[^\s"',]+|-(?![mc]|-?[\s"'])[^\s"',]+)"""
    % (_BETWEEN, _BETWEEN, _BETWEEN)
)
"""One that sets a flag, one whose value is another word, or any other, before the program and its own."""

HANDED_ON = "inductor_compile_config"
"""What vLLM calls the flags of inductor that it hands on."""

_HANDED_ON = re.compile(rb"""(?<=%b)\\?["']?\s*[:=]\s*\{[^{}]*\}""" % HANDED_ON.encode())
_ITEM = re.compile(rb"""(?P<name>\b[a-z_][\w.]*)\\?["']?\s*:\s*(?P<value>[^\s,}]+)""")
"""One item of it, in JSON, in which a shell may have put a sign before each quote, or in YAML."""

_OPEN = re.compile(rb"[$`{\[,\\]")
"""Marks a value that is known only when it is used, or goes on where another language would end it."""

_YAML = frozenset({".yml", ".yaml"})
_MAKE = ".mk"
_SHELLS = frozenset(
    {".sh", ".bash", ".zsh", ".ksh", ".fish", ".csh", ".tcsh", ".bat", ".cmd", ".env", ".def"}
    | {".slurm", ".sbatch", ".pbs", ".lsf", ".qsub", ".job"}  # of clusters
)
_SCRIPTS = _SHELLS | {".ipynb", ""}
SUFFIXES = frozenset(
    {*_SHELLS, *_YAML, _MAKE, ".toml", ".cfg", ".ini", ".conf", ".jsonc", ".service", ".ps1", ".psm1"}
    | {".dockerfile", ".containerfile", ".nix", ".tf", ".tfvars", ".hcl", ".nomad", ".tmpl", ".tpl"}
)
"""How the names of files in these languages end."""

_JOB = (b"#SBATCH", b"#PBS", b"#BSUB", b"#$ ")
"""How the options of a job begin, which are no comments."""


def variable_sites(text: bytes, suffix: str) -> Iterator[Site]:
    """Yield the variables of interest that a text sets, and the flags that it gives to ``dynconf run``."""
    is_env = goes_on = False  # an instruction of an image, and a line that the next one continues
    commands: list[bytes] = []
    for number, line in enumerate(text.splitlines(), 1):
        words = _LISTED.sub(lambda each: each[1] + b" " + each[2].replace(b",", b" "), _without_comment(line))
        is_env = words.startswith(b"ENV ") or (is_env and goes_on)
        goes_on = line.rstrip().endswith(b"\\")
        if b"echo" in words or b"printf" in words:
            words = _COMMAND.sub(_without_print, words)
        commands.append(words)
        if is_env and suffix == ".ipynb":
            magic = _VARIABLE.match(line)
            yield from [_site(number, magic, suffix)] if magic else ()
            continue
        for found in _VARIABLE.finditer(words):
            if _sets(found, suffix):
                yield _site(number, found, ".env" if is_env else suffix)  # in which ~ is no folder, either
    yield from _options(b"\n".join(commands))
    if suffix not in {*_SCRIPTS, _MAKE}:
        yield from _pairs(text)


def _options(text: bytes) -> Iterator[Site]:
    items = (each for found in _HANDED_ON.finditer(text) for each in _ITEM.finditer(text, *found.span()))
    for item, span in _placed(text, items):
        given = Unknown
        with suppress(ValueError):
            given = json.loads(item["value"])
        yield Site("set", "inductor", item["name"].decode(), span, given)
    for option, span in _placed(text, _options_of_run(text)):
        module, name = split(option["name"].decode())
        bare = span._replace(column=span.end_column - len(name))
        yield Site("assignment", module, name, bare, _known(option["value"], _OPEN), "path")


def _options_of_run(text: bytes) -> Iterator[re.Match[bytes]]:
    for command in _RUN.finditer(text):
        end = command.end()
        while option := _OPTION.match(text, end):
            end = option.end()
            if option["name"]:
                yield option


def _placed(text: bytes, found: Iterable[re.Match[bytes]]) -> Iterator[tuple[re.Match[bytes], Span]]:
    """Yield what was found with the places of the names."""
    starts = [0, *accumulate(map(len, text.splitlines(keepends=True)))]
    for each in found:
        line = bisect.bisect(starts, each.start("name"))
        yield each, _span(each, line, starts[line - 1])


def _known(value: bytes | None, is_open: re.Pattern[bytes] = _DYNAMIC) -> Any:
    """Return a value without its quotes, unless it is known only when it is used."""
    value = None if value is None else value.strip(b"\"'")
    return Unknown if value is None or is_open.search(value) else value.decode(errors="replace")


def _sets(found: re.Match[bytes], suffix: str) -> bool:
    """Tell whether the sign after a variable sets it in that language."""
    before, sign = found["before"], found["sign"].strip()
    if sign == b",":  # of PowerShell
        return found.string.endswith(b"SetEnvironmentVariable", 0, found.start())
    if before.startswith(b"$"):
        return suffix != _MAKE and (sign == b"=" or (sign == b":=" and before == b"${"))
    if suffix == _MAKE:
        return b"=" in sign
    # YAML has a space behind the colon of a name without quotes: in a text it is part of something else.
    is_quoted = not found.string.startswith(b":", found.end("name"))
    is_text = suffix in _YAML and found["sign"] == b":" and not is_quoted and found["value"]
    return bool(found["word"]) or sign == b"=" or (sign == b":" and suffix not in _SCRIPTS and not is_text)


def _pairs(text: bytes) -> Iterator[Site]:
    text = _COMMENT.sub(lambda found: found[1] or b" " * len(found[0]), text)
    for pattern in (_PAIR, _REVERSED):
        for found, span in _placed(text, pattern.finditer(text)):
            name, value = found["name"].decode(), _known(found["value"])
            yield Site("child-variable", "", name, span, value, fit="identifier")


def _site(number: int, found: re.Match[bytes], suffix: str) -> Site:
    value = found["value"].strip(b"\"'").strip()
    if suffix == ".ipynb" and found["word"]:
        value = found.string[found.start("value") :].strip()  # %env keeps quotes and what follows a blank
    if default := _DEFAULT.fullmatch(value):
        value = default[1]
    # A shell splits the words of an assignment with spaces around its sign: it sets nothing.
    is_split = suffix in _SCRIPTS and found["sign"] != found["sign"].strip() and not found["word"]
    # A comma ends a value in lists of other languages, and is a part of it in scripts.
    is_part = suffix in {*_SCRIPTS, _MAKE} and found.string[found.end() : found.end() + 1] == b","
    # A shell replaces ~ by the home folder, where it is not quoted.
    is_no_shell = suffix == ".env" or b":" in found["sign"] or b"ENV" in found["before"]
    is_home = found["value"].startswith(b"~") and not is_no_shell
    is_open = is_split or is_part or is_home or _DYNAMIC.search(value)
    known = Unknown if is_open else value.decode(errors="replace")
    fit: Fit = "" if found["before"].startswith(b"$") else "identifier"
    return Site("variable", "", found["name"].decode(), _span(found, number), known, fit=fit)


def _span(found: re.Match[bytes], line: int, start: int = 0) -> Span:
    return Span(line, found.start("name") - start, line, found.end("name") - start)


def _without_print(command: re.Match[bytes]) -> bytes:
    is_piped = b">" in command[0] or (command[0].endswith(b"|") and not command[0].endswith(b"||"))
    return b" " * len(command[0]) if _PRINTS.match(command[0]) and not is_piped else command[0]


def _without_comment(line: bytes) -> bytes:
    start = line.lstrip()[:4].lower()
    is_comment = start.startswith((b"#", b"//", b"::", b"rem ")) and not line.startswith(_JOB)
    return b"" if is_comment else re.sub(rb"\s#.*", b"", line)
