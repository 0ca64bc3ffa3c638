"""The files of a program, and the problems in each."""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from dynconf.lint.judgement import Problem, problems
from dynconf.lint.python import PythonReader
from dynconf.lint.sites import Remark, Site, Span
from dynconf.lint.texts import notebook_cells, variable_sites
from dynconf.release import Release

_PYTHON = frozenset({".py", ".pyi"})
_TEXTS = frozenset(
    {".sh", ".bash", ".zsh", ".slurm", ".sbatch", ".env", ".yml", ".yaml", ".toml", ".cfg", ".ini"}
    | {".dockerfile", ".conf", ".service"}
)
_NAMES = ("Dockerfile*", "Containerfile*", ".env*", "Jenkinsfile")
_SKIPPED = frozenset({"__pycache__", "node_modules", "venv", "build", "dist"})

LARGEST = 4 * 2**20
"""The largest file that is read, in bytes; what is larger was made by a program."""

_RELEVANT = re.compile(
    rb"_dynamo|_inductor|_functorch|_experimental|_config|torch\.compile|dynconf|TORCH|PT2_|TRITON_|DYNAMO_|INDUCTOR_"
)
"""Contained in every file that has anything to be found: most files are not even parsed."""

_IGNORE = re.compile(rb"#\s*dynconf:\s*ignore(?P<file>-file)?(?:\[(?P<codes>[^\]\n]*)\])?")


@dataclass(frozen=True, slots=True)
class Source:
    """A file that was read, and the problems in it, by line; `cell` is that of a notebook."""

    path: str
    content: bytes
    problems: tuple[Problem, ...]
    cell: int | None = None


def find_files(paths: Iterable[str | Path], exclude: Sequence[str] = ()) -> Iterator[str]:
    """Yield the files that these paths name, and those below folders that may set something."""
    for path in map(str, paths):
        if not Path(path).is_dir():
            yield path
            continue
        for folder, folders, names in os.walk(path):
            folders[:] = sorted(
                each
                for each in folders
                if each not in _SKIPPED
                and (not each.startswith(".") or each == ".github")
                and not (Path(folder) / each / "pyvenv.cfg").exists()
            )
            for name in sorted(names):
                file = os.path.normpath(Path(folder) / name)
                if _is_of_interest(name) and not any(fnmatch(file, each) for each in exclude):
                    yield file


def _is_of_interest(name: str) -> bool:
    suffix = Path(name).suffix
    is_known = suffix in _PYTHON or suffix in _TEXTS or suffix == ".ipynb"
    return is_known or any(fnmatch(name, each) for each in _NAMES)


def read_source(path: str, releases: Sequence[Release]) -> list[Source]:
    """Return a file with the problems in it; a notebook is one for each cell."""
    try:
        content = _content(path)
    except OSError as error:
        return [_unreadable(path, b"", error.strerror or str(error))]
    if content is None or not _RELEVANT.search(content):
        return []
    try:
        if path.endswith(".ipynb"):
            return [
                Source(path, code.encode(), _problems(code.encode(), ".ipynb", path, releases), number)
                for number, code in notebook_cells(content.decode())
            ]
        return [Source(path, content, _problems(content, Path(path).suffix, path, releases))]
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None) or 1
        return [
            _unreadable(path, content, getattr(error, "msg", "") or str(error) or "too deeply nested", line)
        ]


def _content(path: str) -> bytes | None:
    with Path(path).open("rb") as file:
        if os.fstat(file.fileno()).st_size > LARGEST:
            return None
        return file.read(LARGEST)


def _unreadable(path: str, content: bytes, reason: str, line: int = 1) -> Source:
    problem = Problem("DC300", "warning", Span(line, 0, line, 0), f"it cannot be read: {reason}")
    return Source(path, content, (problem,))


def _problems(content: bytes, suffix: str, path: str, releases: Sequence[Release]) -> tuple[Problem, ...]:
    sites: list[Site] = []
    remarks: list[Remark] = []
    if (
        suffix in _PYTHON
        or suffix == ".ipynb"
        or content.startswith((b"#!/usr/bin/env python", b"#!/usr/bin/python"))
    ):
        code = content
        if suffix == ".ipynb":
            magics = re.compile(rb"^[ \t]*[%!].*$", re.MULTILINE)
            shell = b"\n".join(line if magics.match(line) else b"" for line in content.splitlines())
            sites.extend(variable_sites(re.sub(rb"%(set_)?env", b"ENV", shell).decode(), ""))
            code = magics.sub(b"pass", content)
        reader = PythonReader(code, _package_of(path))
        sites, remarks = [*sites, *reader.sites], reader.remarks
    else:
        sites.extend(variable_sites(content.decode(errors="replace"), suffix))
    return tuple(_without_ignored(problems(sites, remarks, releases), content))


def _package_of(path: str) -> str:
    """Return the package that a file is in, by the folders with an ``__init__.py`` above it."""
    folder, parts = Path(path).resolve().parent, []
    while (folder / "__init__.py").exists() and folder.parent != folder:
        parts.append(folder.name)
        folder = folder.parent
    return ".".join(reversed(parts))


def _without_ignored(found: Iterable[Problem], content: bytes) -> Iterator[Problem]:
    """Leave out the problems that a comment in their lines, or one for the file, ignores."""
    lines = content.splitlines()
    comments = {number: each for number, line in enumerate(lines, 1) if (each := _IGNORE.search(line))}
    of_file = [each for each in comments.values() if each["file"]]
    for problem in sorted(found, key=lambda each: each.span):
        near = [comments.get(each) for each in (problem.span.line, problem.span.end_line)]
        if not any(each and _ignores(each, problem.code) for each in (*near, *of_file)):
            yield problem


def _ignores(comment: re.Match[bytes], code: str) -> bool:
    listed = comment["codes"]
    return listed is None or code in re.split(r"[\s,]+", listed.decode(errors="replace").strip())
