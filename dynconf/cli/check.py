"""``dynconf check``."""

import typer

from dynconf.cli.options import ConfigOption, Format, FormatOption, TorchOption, release
from dynconf.cli.output import print_json


def check(
    *, torch: TorchOption = None, config: ConfigOption = None, form: FormatOption = Format.text
) -> None:
    """Find variables and settings that do not mean what they seem to.

    Reports variables that bare torch reads differently, names that are misspelt or belong to another release,
    and mistakes in settings files. Exits with 1 if there is an error or a warning. Does not import torch.
    """
    from dynconf.lint.environment import check_environment

    at = release(torch)
    report = check_environment(torch=torch, config=config)
    if form is Format.json:
        print_json(report.as_json())
    else:
        for finding in report.findings:
            print(f"{finding.level}: {finding.message} [{finding.code}]")
        if not report.findings:
            print(f"nothing to report for torch {at.version}")
    if not report.ok:
        raise typer.Exit(1)
