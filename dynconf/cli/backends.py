"""``dynconf backends``."""

import json
from typing import TYPE_CHECKING

import click

from dynconf.cli import completion, options
from dynconf.cli.command import Command
from dynconf.cli.options import Words
from dynconf.cli.output import Styled, complain, print_json, print_table
from dynconf.cli.progress import Progress
from dynconf.errors import InvalidValueError

if TYPE_CHECKING:
    from dynconf.tools.doctor.backends import Backend

_STYLES = {"ok": "green", "wrong": "bold red", "failed": "bold red", "skipped": "dim"}


@click.command(
    cls=Command,
    examples=("dynconf backends", "dynconf backends --try eager aot_eager", "dynconf backends -f json"),
)
@click.argument("names", metavar="[BACKEND]...", nargs=-1, shell_complete=completion.backends)
@click.option("--try", "attempt", is_flag=True, help="Compile a small model with each; check the result.")
@options.repeatable(
    "--option", metavar="NAME=VALUE", help="An option for the backend with --try: JSON or text."
)
@options.repeatable("--exclude-tag", metavar="TAG", help="Leave out backends with this tag.")
@options.output_format()
def backends(*, names: Words, attempt: bool, option: Words, exclude_tag: Words, output_format: str) -> int:
    """List the backends of torch.compile and their requirements.

    Lists all of them, or each BACKEND. With --try, exits with 1 if an available backend gives a wrong result
    or none. A backend with a tag, such as debug, counts only if you name it: some of torch's own are made to
    fail.
    """
    if option and not attempt:
        raise InvalidValueError("--option is for --try; give both")
    parsed_options = dict(_option(text) for text in option)
    options.need_torch()

    from dynconf.tools.doctor.backends import list_backends

    with Progress(plain=attempt) as progress:
        progress.start("importing torch")
        found = list_backends(
            names or None,
            exclude_tags=exclude_tag,
            attempt=attempt,
            options=parsed_options,
            started=progress.start,
        )
    if output_format == "json":
        print_json({"backends": [backend.as_json() for backend in found]})
    else:
        headers = ("backend", "tags", "available", *(["result"] if attempt else []), "note")
        rows = [_row(each, attempt=attempt) for each in found]
        if rows:
            print_table(headers, rows, fixed=len(headers) - 1)
        else:
            print("no backend is left: every one has an excluded tag")
    bad = [each for each in found if each.result in ("wrong", "failed") and (names or not each.tags)]
    if bad:
        complain("error", f"{', '.join(each.name for each in bad)}: no correct result")
    return 1 if bad else 0


def _option(text: str) -> tuple[str, object]:
    name, equals, raw = text.partition("=")
    if not equals or not name.strip():
        raise InvalidValueError(f"--option {text!r}: expected NAME=VALUE")
    try:
        return name.strip(), json.loads(raw)
    except (ValueError, RecursionError):
        return name.strip(), raw


def _row(backend: "Backend", *, attempt: bool) -> tuple[str, ...]:
    return (
        Styled(backend.name, "bold"),
        ", ".join(backend.tags),
        Styled("yes", "green") if backend.available else Styled("no", "dim"),
        *([Styled(backend.result or "", _STYLES.get(backend.result or "", ""))] if attempt else []),
        backend.missing or backend.message,
    )
