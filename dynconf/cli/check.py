"""``dynconf check``."""

from pathlib import Path

from dynconf.cli.options import CONFIG, FORMAT, TORCH, Format, release
from dynconf.cli.output import print_json
from dynconf.lint.environment import check_environment

OPTIONS = (TORCH, CONFIG, FORMAT)


def check(*, torch: str | None, config: Path | None, form: Format) -> int:
    """Find variables and settings that do not mean what they seem to.

    Reports variables that bare torch reads differently, names that are misspelt or belong to another release,
    and mistakes in settings files. Exits with 1 if there is an error or a warning. Does not import torch.
    """
    at = release(torch)
    report = check_environment(torch=torch, config=config)
    if form == "json":
        print_json(report.as_json())
    else:
        for finding in report.findings:
            print(f"{finding.level}: {finding.message} [{finding.code}]")
        if not report.findings:
            print(f"nothing to report for torch {at.version}")
    return 0 if report.ok else 1
