"""``dynconf compare``."""

import math
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dynconf.cli import completion, options
from dynconf.cli.command import Command
from dynconf.cli.options import Words
from dynconf.cli.output import STYLES, Styled, complain, print_json, print_line, print_table
from dynconf.cli.progress import Progress
from dynconf.errors import InvalidValueError, combined
from dynconf.release import Release
from dynconf.sources.calls import read_options
from dynconf.state import State

if TYPE_CHECKING:
    from collections.abc import Callable

    from dynconf.cli.bisected import Answer
    from dynconf.tools.bisect.trials import Run
    from dynconf.tools.doctor.comparison import Comparison


def _flags(_context: click.Context, option: click.Parameter, texts: Words) -> State:
    reading = read_options(texts, Release.at_hand())
    if reading.errors:
        raise combined([type(error)(f"{option.opts[0]}: {error}") for error in reading.errors])
    return reading.state


def _values(state: State) -> dict[str, object]:
    return {setting.newest: value for setting, (value, _) in state.items()}


def _tolerance(_context: click.Context, _option: click.Parameter, text: str) -> float | None:
    if text == "dtype":
        return None
    with suppress(ValueError):
        if 0 <= float(text) < math.inf:
            return float(text)
    raise InvalidValueError(f"--precision {text!r}: expected a number, 0 or more, or dtype")


@click.command(
    cls=Command,
    examples=(
        "dynconf compare model.py:make",
        "dynconf compare package.models:make --control aot_eager -n 3",
        "dynconf compare model.py:make --set-control specialize_float=true",
        "dynconf compare model.py:make --set-control specialize_float=true --bisect",
    ),
)
@click.argument("factory", metavar="MODULE:FACTORY", shell_complete=completion.files)
@click.option("--base", default="eager", **options.BACKEND, help="The first backend.")
@click.option("--control", default="inductor", **options.BACKEND, help="The second backend.")
@options.assignments("--set-base", "base_flags", callback=_flags, help="Set a flag for the first run.")
@options.assignments("--set-control", "control_flags", callback=_flags, help="Set a flag for the second run.")
@click.option(
    "-n", "--iterations", type=click.IntRange(1), default=10, help="The largest number of iterations."
)
@click.option(
    "--precision",
    default="1e-4",
    callback=_tolerance,
    help="The tolerance: a number, or dtype for that of torch.testing.",
)
@click.option("--optimizer/--no-optimizer", default=True, help="Take a step of SGD in each iteration.")
@options.everything(help="Show results that agree as well.")
@click.option("--bisect", is_flag=True, help="Find the flags of the second run that make it differ.")
@options.output(help="With --bisect, write a state that reproduces it to a file.")
@options.output_format()
def compare(
    *,
    factory: str,
    everything: bool,
    bisect: bool,
    output: Path | None,
    output_format: str,
    base_flags: State,
    control_flags: State,
    **settings: Any,
) -> int:
    """Compare a model on two backends (exit 1 if the results differ).

    FACTORY is a function in a module or file that returns (model, inputs). MODULE is imported, from the
    working directory first, and FACTORY called: this runs that code. With --set-base and --set-control the
    two runs differ in their config, too. The backend "eager" is PyTorch without torch.compile, unless
    --set-base sets flags, which only Dynamo reads.

    With --bisect, prints the smallest set of flags of the second run with which the results differ (exit 1
    if there is none): of those that --set-control sets, and of those that are in force.
    """
    options.need_torch()
    if bisect and everything:
        raise InvalidValueError("--all lists results, and --bisect flags: choose one")
    if output and not bisect:
        raise InvalidValueError("--output is for the state that --bisect finds")
    with Progress() as progress:
        progress.start(f"making the model of {factory}")
        from dynconf.tools.doctor.compare import compare as run
        from dynconf.tools.doctor.importing import make_model

        model, inputs = make_model(factory)
        compared = partial(run, model, inputs, **settings, base_flags=_values(base_flags))
        control = _values(control_flags)
        result = None if bisect else compared(control_flags=control, started=progress.start)
    if result is None:
        answer = _answer(compared, base_flags, control_flags)
        if isinstance(answer, int):
            return answer
        code = answer.print(output_format, output)
        if output_format == "text":
            answer.print_next_step(["dynconf", "compare", factory, *_words(settings, base_flags)])
        return code
    complain("note", *result.notes)
    if output_format == "json":
        print_json(result.as_json())
    else:
        _print(result, everything=everything)
    return 0 if result.ok else 1


def _words(settings: dict[str, Any], base: State) -> list[str]:
    """Return the options of a comparison, but for the flags of its second run."""
    values = {**settings, "precision": "dtype" if settings["precision"] is None else settings["precision"]}
    words = [f"--{name}={values[name]}" for name in ("base", "control", "iterations", "precision")]
    flags = [f"--set-base={each.newest}={each.type.to_text(value)}" for each, (value, _) in base.items()]
    return [*words, *([] if settings["optimizer"] else ["--no-optimizer"]), *flags]


def _answer(compared: "Callable[..., Comparison]", base: State, control: State) -> "Answer | int":
    from dynconf.cli.bisected import search
    from dynconf.tools.bisect.compared import run_of, space_of_sides

    def run(state: State) -> "Run":
        return run_of(compared(control_flags=_values(state)))

    return search(space_of_sides(base, control), run, option="--set-control")


def _print(result: "Comparison", *, everything: bool) -> None:
    print_line(Styled(result.summary, STYLES["ok" if result.ok else "error"]))
    compared = result.compared if everything else result.differences
    if compared:
        from dynconf.tools.doctor.comparison import HEADERS

        rows = []
        for each in compared:
            *cells, verdict = each.row()
            rows.append((*cells, Styled(verdict, STYLES["ok" if each.ok else "error"])))
        print_table(HEADERS, rows, fixed=len(HEADERS) - 1)
