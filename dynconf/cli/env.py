"""``dynconf env``."""

import sys
from pathlib import Path

from dynconf.cli.options import CONFIG, MISSING, SET, TORCH, TRUST, release, state
from dynconf.cli.output import complain, is_terminal, print_export
from dynconf.cli.parser import option
from dynconf.exports import Shell, to_shell
from dynconf.sources.layer import Missing

OPTIONS = (
    option(
        "--shell",
        choices=("posix", "fish"),
        default="posix",
        help="The language: posix (sh, bash, zsh; the default) or fish.",
    ),
    TORCH,
    SET,
    CONFIG,
    MISSING,
    TRUST,
)
EXAMPLES = ('eval "$(dynconf env)"', "dynconf env --shell fish | source")


def env(
    *,
    shell: Shell,
    torch: str | None,
    options: list[str],
    config: Path | None,
    missing: Missing | None,
    trust: bool,
) -> None:
    """Print shell commands that export the current settings, for eval.

    A flag that torch reads from a variable of its own is set by that variable, so that bare torch sees it
    too. A value that no variable can express is reported on stderr. Does not import torch.
    """
    snapshot = state(release(torch), options, config, missing, trust=trust)
    names = snapshot.names_set()
    if not names and is_terminal(sys.stdout):
        complain("note", f"nothing is set: every flag has the default of torch {snapshot.torch}")
    print_export(to_shell(snapshot, names, shell))
