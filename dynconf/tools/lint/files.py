"""Find the files of a program and read each for problems."""

import io
import os
import re
import tokenize
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase, translate
from pathlib import Path

from dynconf.release import Release
from dynconf.sources.files import Document, parse, read_bytes
from dynconf.tools.lint.environment import file_findings, has_settings
from dynconf.tools.lint.foreign import user_remarks
from dynconf.tools.lint.judgement import problems as problems_at
from dynconf.tools.lint.leads import is_relevant
from dynconf.tools.lint.notebooks import read_notebook
from dynconf.tools.lint.pages import PAGES, read_page, report_in
from dynconf.tools.lint.python import PythonReader
from dynconf.tools.lint.sites import Problem, Site, Source, Span, unreadable
from dynconf.tools.lint.texts import SUFFIXES, VARIABLE, variable_sites

_PYTHON = frozenset({".py", ".pyi"})
_CODE = frozenset({*_PYTHON, *PAGES, ".ipynb"})
_MAKEFILES = ("[Mm]akefile", "GNUmakefile", "[Jj]ustfile")
_NAMES = (
    *("[Dd]ockerfile", "[Dd]ockerfile[.-]*", "[Cc]ontainerfile*", ".env*", "Jenkinsfile", "Procfile"),
    *(".bash*", ".zsh*", ".profile", "*.bazelrc", *_MAKEFILES),
    *("launch.json", "tasks.json", "settings.json", "devcontainer.json"),  # of editors
)
_NAME = re.compile("|".join(map(translate, _NAMES)))
_TEMPLATE = re.compile(r"\.(?:j2|jinja2?|tmpl|tpl|example|sample|template|dist)$")
"""The end of the name of a template, behind that of what it is for."""

_HIDDEN = (".github", ".vscode", ".devcontainer")
"""The hidden folders that are searched."""

_SKIPPED = frozenset({"__pycache__", "node_modules", "venv", "build", "dist"})

LARGEST = 4 * 2**20
"""The largest file that is read, in bytes; larger ones are generated."""

_REFERENCE = re.compile(rb"(?:[$%][({]?|\benv\.)([A-Z]\w*)|\b([A-Z]\w*)\b(?!\s*[:?]{0,3}=|:)")
"""A variable that a script reads, exports or unsets, or a name in a program, which may use it by that."""

_IGNORE = re.compile(rb"#\s*dynconf:\s*ignore(?P<file>-file)?(?:\[(?P<codes>[^\]\n]*)\])?")


def find_files(paths: Iterable[str | Path]) -> Iterator[str]:
    """Yield the files that these paths name, and those below folders that may set something."""
    for path in map(str, paths):
        if not Path(path).is_dir():
            yield path
            continue
        failures: list[OSError] = []
        for folder, folders, names in os.walk(path, onerror=failures.append):
            folders[:] = sorted(
                each
                for each in folders
                if each not in _SKIPPED
                and (not each.startswith(".") or each in _HIDDEN)
                and not os.path.exists(os.path.join(folder, each, "pyvenv.cfg"))
            )
            for name in sorted(names):
                file, plain = os.path.join(folder, name), _without_template(name)
                suffix = os.path.splitext(plain)[1].lower()
                is_known = suffix in SUFFIXES or (plain == name and suffix in _CODE)
                if is_known or _NAME.match(plain) or ("." not in name and _is_script(file)):
                    yield os.path.normpath(file)
        yield from (str(each.filename) for each in failures)


def _without_template(name: str) -> str:
    """Return the name of what a template is for, if that says what it is."""
    plain = _TEMPLATE.sub("", name)
    return plain if "." in plain or _NAME.match(plain) else name


def _is_script(path: str) -> bool:
    if Path(path).is_file():  # a pipe would be waited for
        with suppress(OSError), Path(path).open("rb") as file:
            return file.read(2) == b"#!"
    return False


def read_source(path: str, releases: Sequence[Release], *, trust: bool = False) -> Source | None:
    """Return a file with the problems in it; None if it has nothing to do with torch's configuration."""
    content, report = b"", ""
    cells: tuple[tuple[int, int], ...] = ()
    try:
        content = content_of(path)
        is_of_settings = has_settings(path, content)
        name = _without_template(Path(path).name)
        suffix = Path(name).suffix.lower()
        is_python = suffix in _PYTHON or re.match(rb"#!/usr/bin/(env )?python", content) is not None
        remarks = [] if is_python else user_remarks(content, releases)
        is_text = not is_python and VARIABLE.search(content)
        if not (is_of_settings or is_text or remarks or is_relevant(content)):
            return None
        if suffix == ".ipynb":
            content, cells, sites, remarks = read_notebook(content)
        elif suffix in PAGES:
            text = content.decode(errors="replace")
            sites, remarks = read_page(text, suffix)
            report = report_in(text)
        elif is_python:
            reader = PythonReader(content, _package_of(path))
            sites, remarks = reader.sites, reader.remarks
        else:
            # Any other file without a suffix is a script, in which a sign has no spaces around it.
            language = name if name == "Jenkinsfile" else suffix
            if any(fnmatchcase(name, each) for each in _MAKEFILES):
                language = ".mk"
            sites = list(variable_sites(content, language))
        file = parse(report, os.path.abspath(path), "json") if report else path
        if report or is_of_settings:
            remarks += _of_settings(file, content, releases, trust=trust)
        problems = tuple(_problems(sites, remarks, content, releases))
        return Source(path, content, problems, tuple(sites), cells)
    except (OSError, RecursionError, SyntaxError, ValueError, MemoryError) as error:
        return Source(path, content, (unreadable(error),))


def _of_settings(
    file: str | Document, content: bytes, releases: Sequence[Release], *, trust: bool
) -> list[Problem]:
    """Return what is wrong with the flags in a file of settings, once for all releases."""
    found: dict[tuple[str, Span, str | None], Problem] = {}
    for each in (each for release in releases for each in file_findings(file, release, trust=trust)):
        line, old, new = each.line or 1, each.facts.get("old", ""), each.facts.get("new")
        key = re.search(rb"\b%b\b" % old.encode(), content.splitlines()[line - 1]) if new else None
        span = Span(line, *((key.start(), line, key.end()) if key else (0, line, 0)))
        problem = Problem(each.code, each.level, span, each.message, each.flag, name=old, replacement=new)
        found.setdefault((each.code, span, each.flag), problem)
    return list(found.values())


def content_of(path: str) -> bytes:
    """Return the content of a file; raise OSError or ValueError if it cannot be read, or is too large."""
    if os.path.isdir(path):  # one of those that `os.walk` could not read
        next(Path(path).iterdir(), None)
    content = read_bytes(path, most=LARGEST)
    if len(content) > LARGEST:
        raise OSError(f"it is larger than {LARGEST // 2**20} MiB")
    return content


def _problems(
    sites: Sequence[Site], remarks: Sequence[Problem], content: bytes, releases: Sequence[Release]
) -> Iterator[Problem]:
    """Yield the problems that no comment ignores, each once however often its place is used."""
    # A name may be used twice where it is written once: a loop that asks for each flag, and then sets it.
    mildest_first = sorted(
        problems_at(sites, remarks, releases), key=lambda each: ("note", "warning", "error").index(each.level)
    )
    found = {each._replace(level="note"): each for each in mildest_first}.values()
    if not found:  # as in most files, whose lines need not be looked at
        return
    lines, comments = content.splitlines(), _comments(content)
    of_file = [each for each in comments.values() if each["file"]]
    in_use = _references(lines, found)
    is_utf8 = content.isascii() or content.decode(errors="ignore").encode() == content
    for problem in sorted(found, key=lambda each: each.span):
        span = problem.span
        near = [comments.get(each) for each in (span.line, span.end_line)]
        if any(each and _ignores(each, problem.code) for each in (*near, *of_file)):
            continue
        # A byte order mark, or another encoding than UTF-8, moves columns.
        there = lines[span.line - 1][span.column : span.end_column] if span.line <= len(lines) else None
        in_place = is_utf8 and there == problem.name.encode() and problem.name not in in_use
        yield problem if in_place else problem._replace(replacement=None)


def _references(lines: Sequence[bytes], found: Iterable[Problem]) -> set[str]:
    """Return the variables that a file still reads by their names where these are replaced."""
    replaced = {each.span[:2] for each in found if each.variable and each.replacement}
    return {
        (each[1] or each[2]).decode()
        for number, line in enumerate(lines if replaced else (), 1)
        for each in _REFERENCE.finditer(line)
        if (number, each.start(each.lastindex or 0)) not in replaced
    }


def _package_of(path: str) -> str:
    """Return the package that a file is in, by the folders with an ``__init__.py`` above it."""
    folder, parts = os.path.dirname(os.path.realpath(path)), []
    while os.path.exists(os.path.join(folder, "__init__.py")) and os.path.dirname(folder) != folder:
        folder, name = os.path.split(folder)
        parts.append(name)
    return ".".join(reversed(parts))


def _comments(content: bytes) -> dict[int, re.Match[bytes]]:
    """Return the comments that ignore problems, by line."""
    if not _IGNORE.search(content):
        return {}
    matches = enumerate(map(_IGNORE.search, content.splitlines()), 1)
    found = {number: each for number, each in matches if each}
    with suppress(SyntaxError, tokenize.TokenError):  # of Python: in a string it is no comment
        tokens = tokenize.tokenize(io.BytesIO(content).readline)
        comments = {each.start[0] for each in tokens if each.type == tokenize.COMMENT}
        found = {line: each for line, each in found.items() if line in comments}
    return found


def _ignores(comment: re.Match[bytes], code: str) -> bool:
    listed = comment["codes"]
    return listed is None or code.startswith(tuple(re.findall(r"\w+", listed.decode(errors="replace"))))
