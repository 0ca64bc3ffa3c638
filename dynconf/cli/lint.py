"""``dynconf lint``."""

import os
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

import click

from dynconf.cli import completion, options
from dynconf.cli.command import Command
from dynconf.cli.findings import annotation, counts, further_help, print_finding
from dynconf.cli.options import Words
from dynconf.cli.output import Styled, complain, is_terminal, print_json, print_line
from dynconf.text import printable
from dynconf.tools.lint.codes import title
from dynconf.tools.lint.files import Source
from dynconf.tools.lint.fixes import difference
from dynconf.tools.lint.program import LintOptions, findings_of, project_options, read_sources, write_fixes
from dynconf.tools.lint.sarif import as_sarif
from dynconf.tools.show.finding import Report


@click.command(
    cls=Command,
    examples=("dynconf lint", "dynconf lint . -t 2.6 -t 2.13", "dynconf lint --fix ."),
)
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path(), shell_complete=completion.files)
@options.repeatable(
    "-t", "--torch", metavar="RELEASE", shell_complete=completion.releases, help="A release it must run on."
)
@click.option("--fix", is_flag=True, help="Write new names in place of old ones.")
@click.option("--diff", is_flag=True, help="Show the edits that --fix would make.")
@options.repeatable("--select", metavar="CODE", help="Report only codes that begin with CODE.")
@options.repeatable("--ignore", metavar="CODE", help="Leave out codes that begin with CODE.")
@click.option("--statistics", is_flag=True, help="Count the findings of each code.")
@options.output_format("github", "sarif")
def lint(
    *,
    paths: Words,
    torch: Words,
    fix: bool,
    diff: bool,
    select: Words,
    ignore: Words,
    statistics: bool,
    output_format: str,
) -> int:
    """Find settings in a program that fail, do nothing or mislead.

    Reads Python, notebooks, scripts, images, YAML, TOML, .env, Markdown and reST: the given files, or all
    below the given folders or this one. Runs none of them. Exits with 1 if there is an error or a warning. A
    comment "# dynconf: ignore[DC301]" silences its line; [tool.dynconf.lint] in pyproject.toml has torch,
    select, ignore, exclude and per-file-ignores. Files that match exclude are left out, even given ones.
    """
    chosen = _options(torch, select, ignore)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    sources: Iterable[Source] = read_sources(paths or (".",), chosen, jobs=cores)
    if diff:
        differences = [difference(each) for each in sources]
        _print_patch("".join(differences))
        return 1 if any(differences) else 0
    if fix:
        before = list(sources)
        sources = list(write_fixes(before, chosen))
        complain("note", f"{_fixable(before) - _fixable(sources)} fixed")
    report = Report(tuple(finding for source in sources for finding in findings_of(source)))
    if statistics:
        _print_statistics(report, as_json=output_format == "json")
    elif output_format == "json":
        print_json(report.as_json())
    elif output_format == "sarif":
        print_json(as_sarif(report))
    else:
        for finding in report.findings:
            print(annotation(finding)) if output_format == "github" else print_finding(finding)
        if output_format == "text":
            fixable = sum("fix" in each.facts for each in report.findings)
            hint = f" ({fixable} fixable with --fix)" if fixable else ""
            print_line(f"{counts(report)}{hint}{further_help(report)}")
    return 0 if report.ok else 1


def _print_patch(patch: str) -> None:
    """Print a patch as it is, unless it goes to a terminal, which the text of a file must not control."""
    lines = patch.split("\n")
    if is_terminal(sys.stdout):
        lines = ["\t".join(map(printable, line.split("\t"))) for line in lines]
    print("\n".join(lines), end="")


def _fixable(sources: Iterable[Source]) -> int:
    return sum(bool(each.replacement) for source in sources for each in source.problems)


def _options(torch: Words, select: Words, ignore: Words) -> LintOptions:
    """Return the options of the project, those of the command line in place of its own."""
    found = project_options()
    return replace(
        found, torch=torch or found.torch, select=select or found.select, ignore=(*found.ignore, *ignore)
    )


def _print_statistics(report: Report, *, as_json: bool) -> None:
    counts = Counter(each.code for each in report.findings).most_common()
    if as_json:
        print_json(dict(counts))
    for code, count in () if as_json else counts:
        print_line(f"{count:6} ", Styled(code, "bold"), " ", title(code))
