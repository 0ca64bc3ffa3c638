"""`lint`: check programs, scripts and images against releases of torch."""

import gc
import math
import os
import signal
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from fnmatch import fnmatch
from functools import partial
from pathlib import Path
from typing import Any

from dynconf.catalogue.modules import MODULES, catalogue
from dynconf.errors import InvalidValueError, StateFileError
from dynconf.release import Release
from dynconf.sources.candidate import CHECK
from dynconf.sources.discovery import find_upwards
from dynconf.store.writing import write
from dynconf.text import as_message
from dynconf.tools.lint.codes import CODES
from dynconf.tools.lint.misspelling import ALL_VARIABLES
from dynconf.tools.lint.sites import Problem, Source, Span
from dynconf.tools.show.finding import Finding, Report

_LEAST, _CHUNK = 100, 8
"""How many files a process is started for, and how many it reads at once."""


@dataclass(frozen=True, slots=True)
class LintOptions:
    """The choices of a project, in ``[tool.dynconf.check]`` of its ``pyproject.toml``.

    Attributes:
        torch: The releases that the program is for.
        select: The codes to report, or how they begin; all if empty.
        ignore: The codes to leave out, or how they begin.
        exclude: Patterns of files to leave out.
        per_file_ignores: Codes to leave out in files, by pattern.
        root: The folder of that file. The patterns count from there, whatever paths are given and from where.
    """

    torch: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    root: Path = Path()

    def __post_init__(self) -> None:
        rules = (rule for module in MODULES if self.select for rule in catalogue(module).rules)
        codes = (*CODES, *(rule.code for rule in rules))
        for start in self.select:
            # A misspelt code would select nothing, and the program would pass for sound.
            if not any(code.startswith(start) for code in codes):
                raise InvalidValueError(
                    f"select: no code begins with {start!r}: expected one such as DC304, or DC3 for many"
                )

    def excludes(self, path: str) -> bool:
        """Tell whether to leave a file out, even a given one: pre-commit gives the names of all files."""
        return any(fnmatch(self._from_root(path), each) for each in self.exclude)

    def _from_root(self, path: str) -> str:
        # A link in the project is in it by its own name; the project itself may be reached through one, too.
        for place in (Path(os.path.abspath(path)), Path(os.path.realpath(path))):
            if place.is_relative_to(self.root):
                return place.relative_to(self.root).as_posix()
        return place.as_posix()

    def wants(self, code: str, path: str) -> bool:
        """Tell whether to report findings of that code in a file."""
        ignored = self.ignore
        for pattern, codes in self.per_file_ignores.items():
            if fnmatch(self._from_root(path), pattern) or fnmatch(Path(path).name, pattern):
                ignored += codes
        return (not self.select or code.startswith(self.select)) and not code.startswith(ignored)


def project_options() -> LintOptions:
    """Return the options of the project: those in the nearest file from here upwards that has some.

    Raises:
        StateFileError: The file cannot be read, or the table has something else in it.
    """
    document = find_upwards(check=True).document
    if document is None:
        return LintOptions()
    table = f"{document.table}.{CHECK}" if document.table else CHECK
    found = _options(document.data[CHECK], f"{document.name}: [{table}]")
    return replace(found, root=Path(document.name).parent)


def _options(table: Any, place: str) -> LintOptions:
    known = {name.replace("_", "-"): name for name in LintOptions.__dataclass_fields__ if name != "root"}
    found: dict[str, Any] = {}
    if not isinstance(table, dict):
        raise StateFileError(f"{place} is not a table")
    for key, value in table.items():
        if key not in known:
            raise StateFileError(f"{place}: {key!r} is not an option: expected {', '.join(sorted(known))}")
        is_table = known[key] == "per_file_ignores"
        values: Any = [value] if key == "torch" and isinstance(value, str) else value
        lists = [*values.values()] if isinstance(values, dict) else [values]
        are_texts = all(isinstance(each, list) and all(isinstance(it, str) for it in each) for each in lists)
        if isinstance(values, dict) != is_table or not are_texts:
            expected = "a table of lists" if is_table else "a list of texts"
            raise StateFileError(f"{place}: {key} = {value!r} is not valid: expected {expected}")
        texts = {each: tuple(codes) for each, codes in values.items()} if is_table else tuple(values)
        found[known[key]] = texts
    return LintOptions(**found)


def lint(
    paths: str | Path | Iterable[str | Path], torch: str | Sequence[str] | None = None, *, fix: bool = False
) -> Report:
    """Report settings in a program that fail, do nothing, or mean something else, without running it.

    It reads Python, notebooks, scripts, Dockerfiles, YAML, TOML, .env, and the code in Markdown and reST.

    Args:
        paths: Files, or folders to search.
        torch: The release that the program is for, or several of them; by default those that the project's
            ``[tool.dynconf.check]`` names, else the one at hand.
        fix: Whether to replace old names with new ones, where every release has the new one.

    Raises:
        InvalidValueError: The catalogue does not cover a release, a path does not exist, or the project
            selects a code that does not exist.
        StateFileError: The project's options cannot be read, or a file cannot be written.

    Example:
        >>> from dynconf import lint
        >>> lint([]).ok
        True
    """
    options = project_options()
    if torch is not None:
        options = replace(options, torch=(torch,) if isinstance(torch, str) else tuple(torch))
    named = [paths] if isinstance(paths, (str, Path)) else list(paths)
    sources: Iterable[Source] = read_sources(named, options)
    if fix:
        sources = write_fixes(sources, options)
    return Report(tuple(finding for source in sources for finding in findings_of(source)))


def read_sources(
    paths: Iterable[str | Path],
    options: LintOptions,
    *,
    jobs: int | None = 1,
    every: bool = False,
    trust: bool = False,
    report: Callable[[int, int], object] = lambda *_: None,
) -> Iterator[Source]:
    """Yield the files in which there is a problem that the options ask for, or *every* relevant one.

    Those that read variables are among them, because others may set these. They are read by as many
    processes, or by one for each core if *jobs* is None. Whether to *trust* files of settings is for
    `file_findings`; *report* is called with how many have been read, of how many.
    """
    from dynconf.tools.lint.files import find_files, read_source  # with all readers: not for an environment

    releases = sorted({Release.named(each) for each in options.torch}, key=lambda each: each.minor)
    for each in paths:
        if not Path(each).exists():
            raise InvalidValueError(f"{each} does not exist: expected a file or a folder")
    files: dict[str, str] = {}
    for path in find_files(paths):
        files.setdefault(os.path.abspath(path), path)
    wanted = [each for each in files.values() if not options.excludes(each)]
    at = releases or [Release.at_hand()]
    read = partial(_read, partial(read_source, releases=at, trust=trust), options, every=every)
    if jobs is None:
        jobs = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    found: list[Source] = []
    with _mapping(min(jobs, len(wanted) // _LEAST)) as apply:
        for number, source in enumerate(apply(read, wanted), 1):
            report(number, len(wanted))
            found += [source] if source else []
    yield from _without_own_variables(found)


def _without_own_variables(sources: Iterable[Source]) -> Iterator[Source]:
    """Yield the files without the findings that nothing reads a variable which one of them reads itself."""
    sources = list(sources)
    own: set[str | None] = set()
    known: set[str | None] = {*ALL_VARIABLES}
    for source in sources:
        read = {site.span: site.name for site in source.sites if site.use == "variable-read"}
        own.update(read.values())
        # A slip of the pen is one where the variable is read, too.
        known.update(each.variable for each in source.problems if each.code == "DC401" and each.span in read)
    own -= known
    for source in sources:
        kept = tuple(each for each in source.problems if each.code != "DC401" or each.variable not in own)
        yield source._replace(problems=kept)


def _read(
    read: Callable[[str], Source | None], options: LintOptions, path: str, *, every: bool
) -> Source | None:
    """Return a file as far as it is wanted: what a process returns is copied from it, with the whole text."""
    source = read(path)
    if source is None:
        return None
    problems = tuple(each for each in source.problems if options.wants(each.code, path))
    is_wanted = problems or every or any(each.use == "variable-read" for each in source.sites)
    return source._replace(problems=problems) if is_wanted else None


@contextmanager
def _mapping(jobs: int) -> Iterator[Callable[..., Iterable[Source | None]]]:
    """Return a function like `map` that is shared out among processes."""
    if jobs <= 1:
        yield map
        return
    from concurrent.futures import ProcessPoolExecutor  # which takes a while

    with ProcessPoolExecutor(jobs, initializer=_begin) as pool:
        yield partial(pool.map, chunksize=_CHUNK)


def _begin() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever is told to end by Ctrl-C has nothing to say
    gc.disable()  # a file is a tree of a million nodes, which is gone when it has been read, without cycles


def write_fixes(sources: Iterable[Source], options: LintOptions, *, trust: bool = False) -> Iterator[Source]:
    """Write the fixes of the files; yield each file as it is then, whether it still has a problem or not.

    A file is left alone, with a warning, if somebody else has changed it since it was read.
    """
    yield from _without_own_variables(_written(sources, options, trust=trust))


def _written(sources: Iterable[Source], options: LintOptions, *, trust: bool) -> Iterator[Source]:
    from dynconf.tools.lint.files import content_of

    for source in sources:
        content = source.fixed()
        if content == source.content:
            yield source
            continue
        present = None
        with suppress(OSError, ValueError):
            present = content_of(source.path)
        if present == source.content:
            write(source.path, content.decode())
        if present in (source.content, content):  # it may be given twice, or through a link
            yield from read_sources([source.path], options, every=True, trust=trust)
        else:
            text = "nothing is fixed: it has changed since it was checked"
            problem = Problem("DC300", "warning", Span(1, 0, 1, 0), text)
            yield source._replace(problems=(problem, *source.problems))


def findings_of(source: Source) -> Iterator[Finding]:
    """Yield the problems of a file as findings."""
    lines = source.content.splitlines() or [b""]
    line, end, characters = 0, 0, 0  # counted on from the last one, for there may be thousands in a line
    for each in source.problems:
        facts: dict[str, Any] = {"fix": each.replacement} if each.replacement else {}
        before = 0
        if source.cells:
            start, facts["cell"] = source.cells[bisect(source.cells, (each.span.line, math.inf)) - 1]
            before = start - 1
        if each.span.line != line:
            line, end, characters = each.span.line, 0, 0
        between = lines[min(line, len(lines)) - 1][end : each.span.column]
        end, characters = each.span.column, characters + len(between.decode(errors="replace"))
        yield Finding(
            each.code,
            each.level,
            as_message(each.text),
            each.flag,
            each.variable,
            facts=facts,
            file=source.path,
            line=line - before,
            column=characters + 1,
        )
