"""``dynconf compare``."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

from dynconf.cli.options import Format, need_torch
from dynconf.cli.output import STYLES, Styled, complain, print_json, print_lines, print_table
from dynconf.cli.parser import option
from dynconf.cli.progress import Progress
from dynconf.errors import InvalidValueError, combined
from dynconf.release import Release
from dynconf.sources.calls import read_options

if TYPE_CHECKING:
    from dynconf.doctor.comparison import Compared, Comparison

EXAMPLES = (
    "dynconf compare model.py:make",
    "dynconf compare package.models:make --control aot_eager -n 3",
    "dynconf compare model.py:make --set-control specialize_float=true",
)

_HEADERS = ("kind", "name", "shape", "dtype", "max abs", "max rel", "differ", "first", "verdict")


def compare(
    *,
    factory: Annotated[
        str, option("MODULE:FACTORY", "A function of a module or file that returns (model, inputs).")
    ],
    base: Annotated[str, option("--base BACKEND", "The first backend.")] = "eager",
    control: Annotated[str, option("--control BACKEND", "The second backend.")] = "inductor",
    base_options: Annotated[list[str], option("--set-base FLAG=VALUE", "Set a flag for the first run.")],
    control_options: Annotated[
        list[str], option("--set-control FLAG=VALUE", "Set a flag for the second run.")
    ],
    iterations: Annotated[int, option("-n --iterations N", "How many iterations to run at most.")] = 10,
    precision: Annotated[
        str, option("--precision NUMBER", "The tolerance: a number, or dtype for that of torch.testing.")
    ] = "1e-4",
    optimizer: Annotated[
        bool, option("--optimizer", "Whether to take a step of SGD in each iteration.")
    ] = True,
    everything: Annotated[bool, option("-a --all", "Show what agrees, too.")],
    form: Format = "text",
) -> int:
    """Compare a model on two backends (exit 1 if the results differ).

    With --set-base and --set-control the two runs differ in their config, too. Imports MODULE, from the
    working directory first, and calls FACTORY: this runs that code. The backend "eager" is PyTorch without
    torch.compile, unless --set-base sets flags, which only Dynamo reads.
    """
    need_torch()
    flags = [_flags("--set-base", base_options), _flags("--set-control", control_options)]
    tolerance = _tolerance(precision)
    with Progress() as progress:
        progress.start(f"making the model of {factory}")
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
            started=progress.start,
        )
    complain("note", *result.notes)
    if form == "json":
        print_json(result.as_json())
    else:
        _print(result, everything=everything)
    return 0 if result.ok else 1


def _flags(name: str, texts: list[str]) -> Mapping[str, object]:
    reading = read_options(texts, Release.at_hand())
    if reading.errors:
        raise combined([type(error)(f"{name}: {error}") for error in reading.errors])
    return {setting.qualified: value for setting, (value, _) in reading.state.items()}


def _tolerance(text: str) -> float | None:
    if text == "dtype":
        return None
    try:
        return float(text)
    except ValueError:
        raise InvalidValueError(f"--precision {text!r}: expected a number, or dtype") from None


def _print(result: "Comparison", *, everything: bool) -> None:
    print_lines([[Styled(result.summary, STYLES["ok" if result.ok else "error"])]])
    rows = result.compared if everything else result.differences
    if rows:
        print_table(_HEADERS, [_row(each) for each in rows], fixed=len(_HEADERS) - 1)


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
        Styled("the same", STYLES["ok"])
        if each.ok
        else Styled("differs" if numbers else each.message, STYLES["error"]),
    )
