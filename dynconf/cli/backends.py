"""``dynconf backends``."""

import json
from typing import TYPE_CHECKING, Annotated

from dynconf.cli.options import Format, need_torch
from dynconf.cli.output import Styled, complain, print_json, print_table
from dynconf.cli.parser import option
from dynconf.cli.progress import Progress
from dynconf.errors import InvalidValueError

if TYPE_CHECKING:
    from dynconf.doctor.backends import Backend

_STYLES = {"ok": "green", "wrong": "bold red", "failed": "bold red", "skipped": "dim"}

EXAMPLES = ("dynconf backends", "dynconf backends --try eager aot_eager", "dynconf backends -f json")


def backends(
    *,
    names: Annotated[list[str], option("BACKEND", "Backends; by default, all of them.")],
    attempt: Annotated[bool, option("--try", "Compile a small model with each, and check the result.")],
    options: Annotated[
        list[str], option("--option NAME=VALUE", "An option of the backend for --try, as JSON or text.")
    ],
    exclude_tags: Annotated[list[str], option("--exclude-tag TAG", "Leave out backends with this tag.")],
    form: Format = "text",
) -> int:
    """List the backends of torch.compile and what they need.

    With --try, exits with 1 if an available backend gives a wrong result or none. A backend with a tag, such
    as debug, counts only if you name it: some of torch's own are made to fail.
    """
    if options and not attempt:
        raise InvalidValueError("--option is for --try; give both")
    given = dict(_option(text) for text in options)
    need_torch()

    from dynconf.doctor.backends import list_backends

    with Progress(plain=attempt) as progress:
        if not attempt:
            progress.start("importing torch")
        found = list_backends(
            names or None,
            exclude_tags=exclude_tags,
            attempt=attempt,
            options=given,
            started=progress.start,
        )
    if form == "json":
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
    except ValueError:
        return name.strip(), raw


def _row(backend: "Backend", *, attempt: bool) -> tuple[str, ...]:
    return (
        Styled(backend.name, "bold"),
        ", ".join(backend.tags),
        Styled("yes", "green") if backend.available else Styled("no", "dim"),
        *([Styled(backend.result or "", _STYLES.get(backend.result or "", ""))] if attempt else []),
        backend.missing or backend.message,
    )
