"""``dynconf compare``."""

import sys
from collections.abc import Mapping
from contextlib import redirect_stdout
from typing import TYPE_CHECKING, Annotated

import typer

from dynconf.cli.options import Format, FormatOption
from dynconf.cli.output import complain, print_json, print_table
from dynconf.errors import InvalidValueError, combined
from dynconf.release import Release
from dynconf.sources.calls import read_options

if TYPE_CHECKING:
    from dynconf.doctor.compare import Comparison
    from dynconf.doctor.tensors import Compared

_HEADERS = ("kind", "name", "shape", "dtype", "max abs", "max rel", "mismatched", "first", "verdict")


def compare(
    factory: Annotated[
        str, typer.Argument(metavar="MODULE:FACTORY", help="A function that returns (model, inputs).")
    ],
    *,
    base: Annotated[str, typer.Option("--base", metavar="BACKEND", help="The first backend.")] = "eager",
    control: Annotated[
        str, typer.Option("--control", metavar="BACKEND", help="The second backend.")
    ] = "inductor",
    base_options: Annotated[
        list[str] | None,
        typer.Option("--set-base", metavar="FLAG=VALUE", help="Set a flag for the first run."),
    ] = None,
    control_options: Annotated[
        list[str] | None,
        typer.Option("--set-control", metavar="FLAG=VALUE", help="Set a flag for the second run."),
    ] = None,
    iterations: Annotated[
        int, typer.Option("--iterations", metavar="N", help="How many iterations to run at most.")
    ] = 10,
    precision: Annotated[
        str,
        typer.Option(
            "--precision", metavar="NUMBER", help="The tolerance, or dtype for that of torch.testing."
        ),
    ] = "1e-4",
    optimizer: Annotated[bool, typer.Option(help="Take a step of SGD in each iteration.")] = True,
    everything: Annotated[bool, typer.Option("--all", help="Show what does not differ, too.")] = False,
    form: FormatOption = Format.text,
) -> None:
    """Compare a model on two backends (exit 1 if the results differ).

    With --set-base and --set-control the two runs differ in their config, too. Imports MODULE, from the
    working directory first, and calls FACTORY: this runs that code. The backend "eager" is PyTorch without
    torch.compile, unless --set-base sets flags, which only Dynamo reads.
    """
    flags = [_flags("--set-base", base_options), _flags("--set-control", control_options)]
    tolerance = _tolerance(precision)
    # Only results go to stdout, whatever the model prints.
    with redirect_stdout(sys.stderr):
        from dynconf.doctor.compare import compare as run
        from dynconf.doctor.factory import make_model

        model, inputs = make_model(factory)
        result = run(
            model,
            inputs,
            base=base,
            control=control,
            base_flags=flags[0],
            control_flags=flags[1],
            iterations=iterations,
            precision=tolerance,
            optimizer=optimizer,
        )
    for note in result.notes:
        complain("note", note)
    if form is Format.json:
        print_json(result.as_json())
    else:
        _print(result, everything=everything)
    if not result.ok:
        raise typer.Exit(1)


def _flags(option: str, texts: list[str] | None) -> Mapping[str, object]:
    layer = read_options(texts or [], Release.at_hand())
    if layer.errors:
        raise combined([type(error)(f"{option}: {error}") for error in layer.errors])
    return {setting.qualified: value for setting, value in layer.values.items()}


def _tolerance(text: str) -> float | None:
    if text == "dtype":
        return None
    try:
        return float(text)
    except ValueError:
        raise InvalidValueError(f"--precision {text!r}: expected a number, or dtype") from None


def _print(result: "Comparison", *, everything: bool) -> None:
    print(str(result).splitlines()[0])
    rows = result.compared if everything else result.differences
    if rows:
        print_table(_HEADERS, [_row(each) for each in rows])


def _row(each: "Compared") -> tuple[str, ...]:
    numbers = each.max_absolute is not None
    return (
        each.kind,
        each.name,
        "" if each.shape is None else str(list(each.shape)),
        each.dtype or "",
        f"{each.max_absolute:.3g}" if numbers else "",
        f"{each.max_relative:.3g}" if numbers else "",
        f"{each.mismatched:.1%}" if numbers else "",
        "" if each.first is None else str(list(each.first)),
        "the same" if each.ok else "differs" if numbers else each.message,
    )
