"""``dynconf env``."""

from dynconf.cli.options import ConfigOption, MissingOption, SetOption, TorchOption, release, state
from dynconf.cli.output import print_export
from dynconf.exports import to_shell


def env(
    *,
    torch: TorchOption = None,
    options: SetOption = None,
    config: ConfigOption = None,
    missing: MissingOption = None,
) -> None:
    """Print the shell commands that set what is set here, for eval.

    A flag that torch reads from a variable of its own is set by that variable, so that bare torch sees it
    too. A value that no variable can express is reported on stderr. Does not import torch.
    """
    snapshot = state(release(torch), options, config, missing)
    print_export(to_shell(snapshot, snapshot.names_set()))
