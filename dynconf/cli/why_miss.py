"""``dynconf why-miss``."""

import warnings
from pathlib import Path

import click

from dynconf.cli import completion, options
from dynconf.cli.command import command
from dynconf.cli.output import Styled, complain, print_json, print_line
from dynconf.tools.report.why_miss import why_miss as find_differences


@command(
    "dynconf why-miss first second", "dynconf why-miss old/cache_key_factors.json new/cache_key_factors.json"
)
@click.argument("first", type=Path, shell_complete=completion.files)
@click.argument("second", type=Path, shell_complete=completion.files)
@options.trust
@options.output_format()
def why_miss(*, first: Path, second: Path, trust: bool, output_format: str) -> int:
    """FIRST and SECOND are two folders that torch wrote for TORCH_TRACE, two keys as JSON from tlparse, two
    cache_key_factors.json files from vLLM, or two states. The differences that are easiest to remove come
    first: flags that do not affect the code, then other flags, then everything else.
    """
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        found = find_differences(first, second, trust=trust)
    complain("warning", *(each.message for each in told))
    if output_format == "json":
        print_json({"differences": [each.as_json() for each in found]})
    elif found:
        for each in found:
            print_line(Styled(each.name, "bold"), str(each).removeprefix(each.name))
    else:
        print(found)
    return 1 if found else 0
