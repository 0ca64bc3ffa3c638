"""``dynconf check``."""

import sys
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path

import click

from dynconf.cli import options
from dynconf.cli.command import Command
from dynconf.cli.findings import annotation, counts, further_help, print_finding
from dynconf.cli.options import Words
from dynconf.cli.output import print_json, print_line, short_path
from dynconf.errors import InvalidValueError
from dynconf.tools.doctor.threads import check_threads
from dynconf.tools.lint.environment import check_environment


@click.command(
    cls=Command,
    examples=("dynconf check", "dynconf check --torch 2.9", "dynconf check --threads my_package.setup"),
)
@click.argument("modules", metavar="[MODULE]...", nargs=-1)
@options.torch
@options.config
@options.trust
@click.option(
    "--threads", is_flag=True, help="Import torch and each MODULE; report flags set for one thread only."
)
@options.output_format("github")
def check(
    *, modules: Words, torch: str | None, config: Path | None, trust: bool, threads: bool, output_format: str
) -> int:
    """Find variables and settings that do not mean what they seem to.

    Reports variables that bare torch reads differently, names that are misspelt or belong to another release,
    mistakes in settings files, flags in them that make torch run programs or write files, and files that were
    skipped because somebody else may have put them there. Exits with 1 if there is an error or a
    warning. Does not import torch, except with --threads.
    """
    if modules and not threads:
        raise InvalidValueError(f"{' '.join(modules)}: modules are for --threads; give both")
    at = options.release(torch)
    report = check_environment(torch=torch, config=options.config_of(config, at), trust=trust)
    if threads:
        with redirect_stdout(sys.stderr):  # the modules may print; that is not the result
            unseen = check_threads("torch", *modules).findings
        report = replace(report, findings=(*report.findings, *unseen))
    if output_format == "json":
        print_json(report.as_json())
    elif output_format == "github":
        for finding in report.findings:
            print(annotation(finding))
    else:
        for finding in report.findings:
            print_finding(finding)
        read = ", ".join(["the environment", *map(short_path, report.files)])
        print_line(f"{counts(report)} for torch {at.version} in {read}{further_help(report)}")
    return 0 if report.ok else 1
