"""``dynconf compare``."""

import math
from contextlib import suppress
from typing import Any

import click

from dynconf.cli import completion, options
from dynconf.cli.command import command
from dynconf.cli.options import Words
from dynconf.cli.output import STYLES, Styled, complain, print_json, print_line, print_table
from dynconf.cli.progress import progress
from dynconf.errors import InvalidValueError
from dynconf.release import Release
from dynconf.sources.calls import read_options
from dynconf.tools.doctor.compare import compare as run
from dynconf.tools.doctor.comparison import HEADERS
from dynconf.tools.doctor.importing import make_model


def _flags(_context: click.Context, option: click.Parameter, texts: Words) -> dict[str, object]:
    state = read_options(texts, Release.at_hand(), option.opts[0]).checked()
    return {setting.newest: value for setting, (value, _) in state.items()}


def _tolerance(_context: click.Context, _option: click.Parameter, text: str) -> float | None:
    if text == "dtype":
        return None
    with suppress(ValueError):
        if 0 <= float(text) < math.inf:
            return float(text)
    raise InvalidValueError(f"--precision {text!r}: expected a number, 0 or more, or dtype")


@command(
    "dynconf compare model.py:make",
    "dynconf compare package.models:make --control aot_eager -n 3",
    "dynconf compare model.py:make --set-control specialize_float=true",
    "dynconf bisect --drop flags.toml --fail-on 1 -- dynconf compare model.py:make",
)
@click.argument("factory", metavar="MODULE:FACTORY", shell_complete=completion.files)
@click.option("--base", default="eager", **options.BACKEND, help="The first backend.")
@click.option("--control", default="inductor", **options.BACKEND, help="The second backend.")
@options.assignments("--set-base", "base_flags", callback=_flags, help="Set a flag for the first run.")
@options.assignments("--set-control", "control_flags", callback=_flags, help="Set a flag for the second run.")
@click.option("-n", "--iterations", type=click.IntRange(1), default=10, help="Maximum number of iterations.")
@click.option("--precision", default="1e-4", callback=_tolerance, help="Tolerance, or dtype for PyTorch's.")
@click.option("--optimizer/--no-optimizer", default=True, help="Take an SGD step in each iteration.")
@options.everything(help="Also show results that agree.")
@options.output_format()
def compare(*, factory: str, everything: bool, output_format: str, **settings: Any) -> int:
    """FACTORY is a function in a module or file that returns (model, inputs). MODULE is imported, from the
    working directory first, and FACTORY is called, so this runs your code. With --set-base and --set-control
    the two runs differ in their config, too. The backend "eager" is PyTorch without torch.compile, unless
    --set-base sets flags, which only Dynamo reads.

    To find the flags that make the results differ, run this command under `dynconf bisect`.
    """
    options.need_torch()
    with progress() as step:
        step(f"making the model of {factory}")
        model, inputs = make_model(factory)
        result = run(model, inputs, **settings, started=step)
    complain("note", *result.notes)
    if output_format == "json":
        print_json(result.as_json())
        return 0 if result.ok else 1
    print_line(Styled(result.summary, STYLES["ok" if result.ok else "error"]))
    rows = []
    for each in result.compared if everything else result.differences:
        *cells, verdict = each.row()
        rows.append((*cells, Styled(verdict, STYLES["ok" if each.ok else "error"])))
    if rows:
        print_table(HEADERS, rows, fixed=len(HEADERS) - 1)
    return 0 if result.ok else 1
