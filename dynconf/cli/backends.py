"""``dynconf backends``."""

import json
from typing import TYPE_CHECKING, Annotated

import typer

from dynconf.cli.output import Format, complain, print_json, print_table
from dynconf.errors import InvalidValueError

if TYPE_CHECKING:
    from dynconf.checks.backends import Backend


def backends(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME]...", help="Backends; all where none is given.")
    ] = None,
    *,
    attempt: Annotated[
        bool, typer.Option("--try", help="Compile a small model on each, and compare its output.")
    ] = False,
    options: Annotated[
        list[str] | None,
        typer.Option(
            "--option", metavar="NAME=VALUE", help="An option of the backend for --try, as JSON or text."
        ),
    ] = None,
    exclude_tags: Annotated[
        list[str] | None, typer.Option("--exclude-tag", help="Leave out backends with this tag.")
    ] = None,
    form: Annotated[Format, typer.Option("--format", help="The form of the result.")] = Format.text,
) -> None:
    """List the backends of torch.compile: tags, whether what they need is there, and whether they work.

    With --try, exit 1 when a backend that is available gives a wrong answer or none; one with a tag, such as
    debug, only counts when it was named: some of torch's own are made to fail.
    """
    if options and not attempt:
        raise InvalidValueError("--option is for --try; give both")
    given = dict(_option(text) for text in options or ())

    from dynconf.checks.backends import list_backends  # noqa: PLC0415  imports torch

    found = list_backends(names or None, exclude_tags=exclude_tags or (), attempt=attempt, options=given)
    if form is Format.json:
        print_json({"backends": [backend.as_json() for backend in found]})
    else:
        _print(found, attempt=attempt)
    bad = [each for each in found if each.result in ("wrong", "failed") and (names or not each.tags)]
    if bad:
        complain("error", f"{', '.join(each.name for each in bad)}: no right answer")
        raise typer.Exit(1)


def _option(text: str) -> tuple[str, object]:
    name, equals, raw = text.partition("=")
    if not equals or not name.strip():
        raise InvalidValueError(f"--option {text!r}: expected NAME=VALUE")
    try:
        return name.strip(), json.loads(raw)
    except ValueError:
        return name.strip(), raw


def _print(found: "list[Backend]", *, attempt: bool) -> None:
    headers = ("backend", "tags", "available", *(["result"] if attempt else []), "note")
    rows = [
        (
            each.name,
            ", ".join(each.tags),
            "yes" if each.available else "no",
            *([each.result or ""] if attempt else []),
            each.missing or each.message,
        )
        for each in found
    ]
    print_table(headers, rows)
