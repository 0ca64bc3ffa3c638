"""``dynconf env``."""

from pathlib import Path

from dynconf.cli.options import CONFIG, MISSING, SET, TORCH, release, state
from dynconf.cli.output import print_export
from dynconf.exports import to_shell
from dynconf.sources.layer import Missing

OPTIONS = (TORCH, SET, CONFIG, MISSING)


def env(*, torch: str | None, options: list[str], config: Path | None, missing: Missing | None) -> None:
    """Print shell commands that export the current settings, for eval.

    A flag that torch reads from a variable of its own is set by that variable, so that bare torch sees it
    too. A value that no variable can express is reported on stderr. Does not import torch.
    """
    snapshot = state(release(torch), options, config, missing)
    print_export(to_shell(snapshot, snapshot.names_set()))
