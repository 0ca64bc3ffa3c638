"""The texts of variables that torch reads for something else than flags: folders, files, words, logs.

torch itself says little about a wrong one, and late: a log file that cannot be opened ends ``import torch``,
a folder that cannot be made the first compilation, and ``~`` becomes a folder of that name.
"""

import importlib.util
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Literal

from dynconf.catalogue._generated.index import FOREIGN
from dynconf.catalogue.flags.types import WORDS, Bool, Mismatch, ValueType
from dynconf.catalogue.flags.variable import FIRST_COMPILATION, IMPORT_ERRORS, VARIABLE_RULES, Takes
from dynconf.catalogue.modules import foreign_variable
from dynconf.catalogue.modules.dynamo import logs
from dynconf.catalogue.modules.modes import BACKENDS
from dynconf.catalogue.names import find
from dynconf.release import Release, minor
from dynconf.text import nearest
from dynconf.tools.lint.misspelling import ALIKE
from dynconf.tools.lint.sites import Problem, Span
from dynconf.tools.show.finding import Finding, Level

_WELL_FORMED = re.compile(r"([+-]?[\w.]+,\s*)*[+-]?[\w.]+")
_NO_MODULES = (*WORDS, "debug", "info", "warn", "warning", "error", "critical", "none")
"""Switches and levels, which are not for this variable."""

_NAMES_USER = ("LOGNAME", "USER", "LNAME", "USERNAME")
"""The variables in which Python looks for the name of the user."""

_BACKENDS = ("TORCH_COMPILE_OVERRIDE_BACKENDS", "TORCHDYNAMO_DEBUG_BACKEND_OVERRIDE")

_NAMELESS = (2, 13)
"""The release from which on Inductor's cache folder needs no name of the user."""

_CACHE = "TORCHINDUCTOR_CACHE_DIR"

_LEVELS: dict[str, Level] = {"DC402": "warning", "DC404": "note", "DC501": "note"}

_NUMBER = r"[\"']?(?:[1-9]\d{4,}|\$\(id -u\)|\$\{?UID\b)"
"""A user for whom an image may have no name: that of the host, or one whom convention calls nobody's."""

_USER = re.compile(
    r"^[ \t-]*(?P<key>USER|runAsUser:)[ \t]+(?P<user>\S+)"
    rf"|^[^#\n]*?(?:\s-u[ =](?={_NUMBER}\}}?:)|\s--user[ =]|\buser: +(?={_NUMBER}))"
    r"(?P<host>[\"']?(?:\$\(id -u\))?\S*)",  # docker run, a compose file
    re.MULTILINE,
)
_NAMED = re.compile(
    rf"useradd|adduser|passwd|{_CACHE}|\b(?:USER|LOGNAME)=|\b(?:ENV|name:) +\W?(?:USER|LOGNAME)\b"
)
"""What gives the user of an image a name, or torch its folder."""


def value_findings(
    environ: Mapping[str, str], release: Release, *, is_elsewhere: bool = False
) -> Iterator[Finding]:
    """Report variables that only other releases read, texts that one is not for, and what the cache needs.

    Args:
        environ: The variables and their texts.
        release: The torch that reads them.
        is_elsewhere: Whether the program runs on another machine, which may have other folders, users and
            modules.
    """
    yield from _of_logs(environ, release, is_elsewhere=is_elsewhere)
    for name in sorted(FOREIGN.keys() & environ.keys()):
        variable, raw = foreign_variable(name), environ[name]
        if variable is None:
            continue
        code, why = _wrong(variable.takes, raw, is_elsewhere=is_elsewhere) if variable.takes else ("", "")
        if not variable.is_read_in(release.minor):
            why = f"torch {release.version} does not read it; other releases do, in {variable.read_by}"
            code = "DC404"
        if code:
            level = _LEVELS.get(code, "error")
            yield Finding(code, level, f"{name}={raw!r}: {why}", variable=name, raw=raw)
    yield from _of_backends(environ, release)
    if not is_elsewhere and release.minor < _NAMELESS and _CACHE not in environ and not _has_name(environ):
        text = (
            f"{FIRST_COMPILATION}, because torch {release.version} names its cache folder after the user, who"
            f" has no name here; set {_CACHE}, or USER"
        )
        yield Finding("DC403", "error", text, variable=_CACHE)


def _of_logs(environ: Mapping[str, str], release: Release, *, is_elsewhere: bool) -> Iterator[Finding]:
    """Report names in TORCH_LOGS: torch takes an unknown one for a module's, or refuses to be imported."""
    raw = environ.get(logs.VARIABLE, "help")
    if raw in ("help", "+help"):  # torch prints the names, and ends
        return
    if not _WELL_FORMED.fullmatch(raw):
        names = "names separated by commas, each after + or - or neither, such as +dynamo,guards"
        problems = [f"expected {names}" if raw else "it is empty: unset it"]
    else:
        words = re.split(r",\s*", raw)
        problems = [_why_not(each, release, is_elsewhere=is_elsewhere) for each in words]
    level: Level = "note" if release.is_beyond_catalogue else "error"
    for problem in filter(None, problems):
        text = f"{logs.VARIABLE}={raw!r}: the import of torch {release.version} fails: {problem}"
        yield Finding("DC403", level, text, variable=logs.VARIABLE, raw=raw)


def _why_not(word: str, release: Release, *, is_elsewhere: bool) -> str:
    """Say why torch takes no such word in TORCH_LOGS; return "" if it does."""
    name = word.lstrip("+-")
    if name in logs.LOGS:
        since = logs.LOGS[name]
        return (
            f"it has no log {name!r} yet: it came with torch {since}" if minor(since) > release.minor else ""
        )
    with suppress(ValueError):  # one that is loaded without a spec, as scripts are: torch does not find it
        # The parents of a module in a package would have to be imported to find it; torch 2.4 imports it.
        is_loaded = release.minor == (2, 4) and name in sys.modules
        if "." in name or is_loaded or (name != "__main__" and importlib.util.find_spec(name)):
            return ""
    known = [each for each, since in logs.LOGS.items() if minor(since) <= release.minor]
    may_be_module = name.isidentifier() and name.lower() not in (*_NO_MODULES, *logs.OF_MODULES)
    # torchao is no misspelt torch.
    if is_elsewhere and may_be_module and nearest(name, known, cutoff=ALIKE) is None:
        return ""
    near = logs.OF_MODULES.get(name) or nearest(name, known)
    hint = f": did you mean {word[: -len(name)]}{near}?" if near else "; TORCH_LOGS=help lists the names"
    return f"it has no log {name!r}{hint}"


def _of_backends(environ: Mapping[str, str], release: Release) -> Iterator[Finding]:
    names = environ.keys() & _BACKENDS if find("debug_backend_override", release) else ()
    for name, raw in ((each, environ[each]) for each in names):
        for backend in (rule.partition(":")[2].strip() for rule in raw.split(";")):
            near = nearest(backend, BACKENDS, cutoff=ALIKE)
            if near and near != backend:
                unless = f"unless the program registers a backend {backend!r}"
                text = f"{name}={raw!r}: every compilation fails, {unless}; did you mean {near!r}?"
                yield Finding("DC402", "warning", text, variable=name, raw=raw)


def user_remarks(content: bytes, releases: Sequence[Release]) -> list[Problem]:
    """Report the user of an image or a pod with torch that is a number without a name, by all appearances."""
    if releases[0].minor >= _NAMELESS or b"torch" not in content.lower():
        return []
    text = content.decode("latin-1")  # a character for each byte, as columns are counted
    *_, last = [None, *_USER.finditer(text)]
    group = last and last.lastgroup
    if not last or not group or not re.match(_NUMBER, last[group]) or _NAMED.search(text):
        return []
    line, start = text.count("\n", 0, last.start(group)) + 1, text.rfind("\n", 0, last.start(group)) + 1
    span = Span(line, last.start(group) - start, line, last.end(group) - start)
    who = "of the host" if "$" in last[group] else last[group]
    why = f"user {who} may have no name, and {FIRST_COMPILATION} then before torch 2.13: set {_CACHE}"
    return [Problem("DC406", "warning", span, why)]


def _wrong(takes: Takes, raw: str, *, is_elsewhere: bool) -> tuple[str, str]:
    """Return the code and the text of a finding on a text; both are empty if the variable is for it."""
    if isinstance(takes.kind, ValueType):
        return _wrong_value(takes, takes.kind, raw)
    if not raw:
        return ("DC403", f"{takes.empty}, because it is empty") if takes.empty else ("", "")
    if raw.partition("/")[0] == "~" and (is_elsewhere or not os.path.exists("~")):
        instead = "torch does not take ~ for the home folder; write out the path"
        if takes.kind == "folder":
            return "DC402", f"torch makes a folder named '~' in the working directory: {instead}"
        return "DC403", f"{takes.otherwise}, because there is no folder '~': {instead}"
    why = "" if is_elsewhere else _unusable(takes.kind, raw)
    return ("DC403", f"{takes.otherwise}, because {why}") if why else ("", "")


def _wrong_value(takes: Takes, kind: ValueType, raw: str) -> tuple[str, str]:
    rule = VARIABLE_RULES[takes.rule]
    try:
        value = kind.check(rule.read(raw, None))
    except (*IMPORT_ERRORS, Mismatch) as problem:
        code = "DC402" if kind.choices else "DC403"  # torch ignores an unknown word
        mismatch = problem if isinstance(problem, Mismatch) else Mismatch()
        return code, f"{takes.otherwise}: expected {kind.expected_instead(mismatch)}"
    meant = WORDS.get(raw.strip().lower(), value)
    if isinstance(kind, Bool) and value is not meant:
        text = f"torch reads {value} ({rule.description}); {meant} was probably meant: write '{meant:d}'"
        return "DC402", text
    return ("DC501", takes.side_effects[value]) if value in takes.side_effects else ("", "")


def _unusable(kind: Literal["file", "folder"], raw: str) -> str:
    """Say why torch cannot open a file, or make a folder; return "" if it can."""
    folder, there = os.path.dirname(raw) or ".", raw
    while not os.path.exists(there) and (parent := os.path.dirname(there) or ".") != there:
        there = parent
    if kind == "file" and os.path.isdir(raw):
        return f"{raw} is a folder"
    if kind == "file" and there not in (raw, folder):
        return f"there is no folder {folder}"
    if kind == "folder" and not os.path.isdir(there):
        return f"{there} is not a folder"
    # Not even root can make a file in some file systems, although access rights say so.
    is_for_no_files = there != raw and f"{there}/".startswith(("/proc/", "/sys/"))
    if is_for_no_files or not os.access(there, os.W_OK):
        return f"nothing can be written {'in' if os.path.isdir(there) else 'to'} {there}"
    return ""


def _has_name(environ: Mapping[str, str]) -> bool:
    """Tell whether Python finds the name of the user, as `getpass.getuser` does in that environment."""
    if any(environ.get(name) for name in _NAMES_USER):
        return True
    try:
        import pwd

        return bool(pwd.getpwuid(os.getuid())[0])
    except (ImportError, KeyError):
        return False
