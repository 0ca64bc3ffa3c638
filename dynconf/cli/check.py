"""``dynconf check``."""

from typing import Annotated

import typer

from dynconf.cli.expected import ConfigOption, TorchOption, release
from dynconf.cli.output import Format, print_json


def check(
    *,
    torch: TorchOption = None,
    config: ConfigOption = None,
    form: Annotated[Format, typer.Option("--format", help="The form of the result.")] = Format.text,
) -> None:
    """Say what in the environment and the settings files does not mean what it seems to.

    Tells where bare torch reads a variable differently, which names are misspelt or of another release, and
    what is wrong in files. Exits with 1 on an error or a warning. Does not import torch.
    """
    from dynconf.checks.environment import check_environment  # noqa: PLC0415  each command loads what it uses

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
