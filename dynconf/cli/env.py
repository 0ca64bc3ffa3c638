"""``dynconf env``."""

from pathlib import Path
from typing import Annotated

import typer

from dynconf.cli.expected import MissingOption, expected, release
from dynconf.cli.exports import print_exports


def env(
    *,
    torch: Annotated[
        str | None, typer.Option("--torch", metavar="RELEASE", help="Answer for this release.")
    ] = None,
    options: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="FLAG=VALUE", help="Set a flag; beats environment and files."),
    ] = None,
    config: Annotated[
        Path | None, typer.Option("--config", metavar="FILE", help="A saved state or a file of settings.")
    ] = None,
    missing: Annotated[
        MissingOption | None,
        typer.Option("--missing", help="What to do about flags of a file that the release lacks."),
    ] = None,
) -> None:
    """Print the lines by which a shell sets what is set now, for eval; does not import torch.

    A flag that torch reads from a variable of its own is set by that one, so that bare torch sees it too.
    What no variable can say is named on stderr.
    """
    snapshot = expected(release(torch), options or [], config, missing)
    print_exports(snapshot, snapshot.names_set())
