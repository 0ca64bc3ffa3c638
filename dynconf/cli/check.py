"""``dynconf check``."""

import re
import sys
from collections import Counter
from collections.abc import Iterable
from contextlib import redirect_stdout
from dataclasses import replace
from functools import partial
from pathlib import Path

import click

from dynconf.cli import completion, options
from dynconf.cli.command import command
from dynconf.cli.options import Words
from dynconf.cli.output import STYLES, Styled, complain, is_terminal, print_json, print_line, short_path
from dynconf.cli.progress import progress
from dynconf.errors import InvalidValueError
from dynconf.release import Release
from dynconf.text import printable
from dynconf.tools.lint.codes import title
from dynconf.tools.lint.environment import check_environment
from dynconf.tools.lint.program import LintOptions, findings_of, project_options, read_sources, write_fixes
from dynconf.tools.lint.sarif import annotation, as_sarif
from dynconf.tools.lint.sites import Source
from dynconf.tools.show.finding import LEVELS, Finding, Report


@command(
    "dynconf check",
    "dynconf check .",
    "dynconf check train.py Dockerfile dynconf.toml -t 2.6 -t 2.13",
    "dynconf check --fix src",
    "dynconf check --from 2.8 --torch 2.15 .",
    "dynconf check --threads my_package.setup",
)
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path(), shell_complete=completion.files)
@options.repeatable("-t", "--torch", **options.RELEASE, help="A release to check for.")
@click.option("--from", "former", **options.RELEASE, help="Report what changes with an upgrade from it.")
@options.config
@options.trust
@options.repeatable(
    "--threads", metavar="MODULE", help="Import torch and MODULE; report flags set for one thread only."
)
@click.option("--fix", is_flag=True, help="Replace old names with new ones in the files.")
@click.option("--diff", is_flag=True, help="Show the edits that --fix would make.")
@options.repeatable("--select", metavar="CODE", help="Report only codes that begin with CODE.")
@options.repeatable("--ignore", metavar="CODE", help="Leave out codes that begin with CODE.")
@click.option("--statistics", is_flag=True, help="Count the findings of each code.")
@options.output_format("github", "sarif")
def check(
    *,
    paths: Words,
    torch: Words,
    former: str | None,
    config: Path | None,
    trust: bool,
    threads: Words,
    fix: bool,
    diff: bool,
    select: Words,
    ignore: Words,
    statistics: bool,
    output_format: str,
) -> int:
    """Without PATH, checks the environment and settings for variables that bare torch reads differently,
    names that are misspelt or belong to another release, flags that make torch run programs or write files,
    and files that somebody else may have put there. PATH is a program, notebook, script, Dockerfile, Markdown
    page, settings file, or a folder of them; they are read, not run.

    Exits with 1 if there is an error or a warning; `dynconf explain CODE` describes it. A comment
    "# dynconf: ignore[DC301]" silences its line; for PATHs, [tool.dynconf.check] in pyproject.toml sets
    torch, select, ignore, exclude and per-file-ignores. With --from, also reports the defaults changed since
    that release that affect what is used, the most important first. Only --threads imports torch.
    """
    if paths and (config or threads):
        raise InvalidValueError("--config and --threads are about this process: leave out the PATH")
    if not paths and (fix or diff):
        raise InvalidValueError("--fix and --diff are for files: name some, or . for all below this folder")
    # Without paths, a settings file that cannot be read is a finding, and no error of the options in it.
    project = project_options() if paths else LintOptions()
    select, ignore = select or project.select, (*project.ignore, *ignore)
    chosen = replace(project, torch=torch or project.torch, select=select, ignore=ignore)
    releases = [options.release(each) for each in chosen.torch or (None,)]
    sources: list[Source] = []
    with progress(plain=False) as show:
        read = partial(read_sources, jobs=None, every=former is not None, trust=trust)
        if paths:
            sources += read(paths, chosen, report=lambda n, of: show(f"{n} of {of} files", same=True))
    if diff:
        patch = "".join(map(Source.difference, sources))
        # The text of a file must not control a terminal.
        is_shown = is_terminal(sys.stdout)
        print(re.sub(r"[^\t\n]+", lambda text: printable(text[0]), patch) if is_shown else patch, end="")
        return 1 if patch else 0
    if fix:
        before = _fixable(sources)
        sources = list(write_fixes(sources, chosen, trust=trust))
        complain("note", f"{before - _fixable(sources)} fixed")
    if paths:
        report = Report(tuple(finding for source in sources for finding in findings_of(source)))
    else:
        report = _of_environment(releases, torch, config, threads, trust=trust)
    found = list(report.findings)
    if former is not None:
        since = options.release(former)
        if paths:
            sources_before = read(paths, replace(chosen, torch=(former,)))
            already = [each for source in sources_before for each in findings_of(source)]
        else:
            already = [*_of_environment([since], (former,), config, (), trust=trust).findings]
            complain("note", "this checks environment and settings; to check code, name a PATH, such as .")
        from dynconf.tools.lint.upgrade import changed_defaults, lost_in_threads, new_first

        found += lost_in_threads(sources, since, releases[-1])
        found += changed_defaults(sources if paths else None, since, releases[-1])
        found = new_first(found, since, already, releases[-1])
    wanted = (each for each in found if chosen.wants(each.code, each.file or ""))
    report = replace(report, findings=tuple(wanted))
    _print(report, releases, output_format, statistics=statistics, in_files=bool(paths))
    return 0 if report.ok else 1


def _of_environment(
    releases: list[Release], torch: Words, config: Path | None, threads: Words, *, trust: bool
) -> Report:
    """Return a report with each finding once, for all releases."""
    reports = [
        check_environment(torch=name, config=options.config_of(config, at), trust=trust)
        for at, name in zip(releases, torch or (None,))
    ]
    if threads:
        from dynconf.tools.doctor.threads import check_threads

        with redirect_stdout(sys.stderr):  # the modules may print; that is not the result
            reports.append(check_threads("torch", *threads))
    found: dict[tuple[object, ...], Finding] = {}
    for finding in (finding for report in reports for finding in report.findings):
        found.setdefault(finding.subject, finding)
    worst_first = sorted(found.values(), key=lambda each: LEVELS.index(each.level))
    return replace(reports[0], findings=tuple(worst_first))


def _print(
    report: Report, releases: list[Release], output_format: str, *, statistics: bool, in_files: bool
) -> None:
    if statistics:
        counts = Counter(each.code for each in report.findings).most_common()
        if output_format == "json":
            print_json(dict(counts))
        for code, count in () if output_format == "json" else counts:
            print_line(f"{count:6} ", Styled(code, "bold"), " ", title(code))
    elif output_format == "json":
        print_json(report.as_json())
    elif output_format == "sarif":
        print_json(as_sarif(report))
    elif output_format == "github":
        for finding in report.findings:
            print(annotation(finding, finding.file and short_path(finding.file)))
    else:
        for finding in report.findings:
            _print_finding(finding)
        print_line(_summary(report, releases, in_files=in_files))


def _summary(report: Report, releases: list[Release], *, in_files: bool) -> str:
    """Return the counts, such as "1 error, 2 notes", and where to read about the most serious finding."""
    of = Counter(each.level for each in report.findings)
    found = [f"{of[level]} {level}{'s' * (of[level] > 1)}" for level in LEVELS if of[level]]
    counts = ", ".join(found) or "nothing to report"
    read = "" if in_files else f" in {', '.join(['the environment', *map(short_path, report.files)])}"
    fixable = sum("fix" in each.facts for each in report.findings)
    fix = f" ({fixable} fixable with --fix)" if fixable else ""
    worst = min(report.findings, key=lambda each: LEVELS.index(each.level), default=None)
    more = f"; `dynconf explain {worst.code}` says more" if worst else ""
    return f"{counts} for torch {', '.join(each.version for each in releases)}{read}{fix}{more}"


def _print_finding(finding: Finding) -> None:
    """Print a finding in a line: its place if it is in a file, its level and code, and what is wrong."""
    style = STYLES[finding.level]
    cell = f"cell {finding.facts['cell']}" if "cell" in finding.facts else None
    parts = (short_path(finding.file), cell, finding.line, finding.column) if finding.file else ()
    place = "".join(f"{part}:" for part in parts if part) + " " * bool(parts)
    fix = " [*]" if "fix" in finding.facts else ""
    print_line(
        Styled(place, "bold"), Styled(f"{finding.level}: {finding.code}", style), fix, " ", finding.message
    )


def _fixable(sources: Iterable[Source]) -> int:
    return sum(bool(each.replacement) for source in sources for each in source.problems)
