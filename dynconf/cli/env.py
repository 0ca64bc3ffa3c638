"""``dynconf env``."""

import sys
from typing import Annotated

from dynconf.cli.options import Sources, Torch, release
from dynconf.cli.output import complain, is_terminal, print_export
from dynconf.cli.parser import option
from dynconf.exports import Shell, to_shell

EXAMPLES = ('eval "$(dynconf env)"', "dynconf env --shell fish | source")


def env(
    *,
    shell: Annotated[
        Shell, option("--shell", "The language: fish, or posix for sh, bash and zsh.")
    ] = "posix",
    torch: Torch,
    sources: Sources,
) -> None:
    """Print shell commands that export the current settings, for eval.

    A flag that torch reads from a variable of its own is set by that variable, so that bare torch sees it
    too. A value that no variable can express is reported on stderr. Does not import torch.
    """
    state = sources.state(release(torch)).only_set()
    if not state and is_terminal(sys.stdout):
        complain("note", f"nothing is set: every flag has the default of torch {state.release.version}")
    print_export(to_shell(state, shell))
