"""``dynconf compare``."""

import importlib
import sys
from collections.abc import Mapping
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dynconf.cli.output import Format, complain, print_json, print_table
from dynconf.errors import InvalidValueError, combined
from dynconf.references import Named, Unresolvable
from dynconf.sources.keywords import read_options
from dynconf.versions import at_hand

if TYPE_CHECKING:
    from dynconf.checks.numerics import Comparison
    from dynconf.checks.tensors import Compared

_HEADERS = ("kind", "name", "shape", "dtype", "max abs", "max rel", "mismatched", "first", "verdict")


def compare(
    factory: Annotated[
        str, typer.Argument(metavar="MODULE:FACTORY", help="A function that returns (model, inputs).")
    ],
    *,
    base: Annotated[str, typer.Option("--base", help="The backend of the base side.")] = "eager",
    control: Annotated[str, typer.Option("--control", help="That of the control side.")] = "inductor",
    base_options: Annotated[
        list[str] | None,
        typer.Option("--set-base", metavar="FLAG=VALUE", help="A flag while the base side runs."),
    ] = None,
    control_options: Annotated[
        list[str] | None,
        typer.Option("--set-control", metavar="FLAG=VALUE", help="A flag while the control side runs."),
    ] = None,
    iterations: Annotated[int, typer.Option("--iterations", help="How often, at most.")] = 10,
    precision: Annotated[
        str, typer.Option("--precision", help="The tolerance; 'dtype' for torch.testing's by dtype.")
    ] = "1e-4",
    optimizer: Annotated[bool, typer.Option(help="Take a step of SGD in each iteration.")] = True,
    everything: Annotated[bool, typer.Option("--all", help="Show what is the same too.")] = False,
    form: Annotated[Format, typer.Option("--format", help="The form of the result.")] = Format.text,
) -> None:
    """Run one model on two backends, or under two configs, and compare what comes out (exit 1 if it differs).

    Imports MODULE, from the working directory first, and calls FACTORY: this runs that code. The base "eager"
    is PyTorch without torch.compile, unless --set-base gives flags, which only Dynamo reads.
    """
    flags = [_flags("--set-base", base_options), _flags("--set-control", control_options)]
    tolerance = _tolerance(precision)
    # Results alone go to stdout, whatever the model prints.
    with redirect_stdout(sys.stderr):
        model, inputs = _made(factory)

        from dynconf.checks.numerics import compare as run  # noqa: PLC0415  imports torch

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
    layer = read_options(texts or [], at_hand())
    if layer.errors:
        raise combined([type(error)(f"{option}: {error}") for error in layer.errors])
    return layer.values


def _tolerance(text: str) -> float | None:
    if text == "dtype":
        return None
    try:
        return float(text)
    except ValueError:
        raise InvalidValueError(f"--precision {text!r}: expected a number, or dtype") from None


def _made(text: str) -> tuple[Any, Any]:
    """Import the factory's module, call the factory, and return model and inputs."""
    try:
        named = Named.parse(text)
    except Unresolvable as problem:
        raise InvalidValueError(str(problem)) from None
    sys.path.insert(0, str(Path.cwd()))
    try:
        found = importlib.import_module(named.module)
        for part in named.qualname.split("."):
            found = getattr(found, part)
        made = found()  # type: ignore[operator]
    except Exception as error:
        raise InvalidValueError(f"{named}: {type(error).__name__}: {error}") from error
    finally:
        sys.path.pop(0)
    if not isinstance(made, tuple) or len(made) != 2:  # noqa: PLR2004  model and inputs
        raise InvalidValueError(f"{named} returned a {type(made).__name__}: expected a tuple (model, inputs)")
    return made


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
