"""``dynconf env``."""

import sys
from typing import get_args

import click

from dynconf.cli import options
from dynconf.cli.command import Command
from dynconf.cli.output import complain, is_terminal, print_export
from dynconf.tools.show.exports import Shell, to_shell


@click.command(cls=Command, examples=('eval "$(dynconf env)"', "dynconf env --shell fish | source"))
@click.option(
    "--shell",
    type=click.Choice(get_args(Shell)),
    default="posix",
    help="fish, or posix for sh, bash and zsh.",
)
@options.torch
@options.sources
def env(shell: Shell, torch: str | None, sources: options.Sources) -> None:
    """Print shell commands that export the current settings, for eval.

    A flag that torch reads from a variable of its own is set by that variable, so that bare torch sees it
    too. A value that no variable can express is reported on stderr. Does not import torch.
    """
    state = sources.state(options.release(torch)).only_set()
    if not state and is_terminal(sys.stdout):
        complain("note", f"nothing is set: every flag has the default of torch {state.release.version}")
    print_export(to_shell(state, shell))
