"""``dynconf env``."""

from dynconf.cli.expected import ConfigOption, MissingChoice, SetOptions, TorchOption, expected, release
from dynconf.cli.exports import print_exports


def env(
    *,
    torch: TorchOption = None,
    options: SetOptions = None,
    config: ConfigOption = None,
    missing: MissingChoice = None,
) -> None:
    """Print the lines by which a shell sets what is set now, for eval; does not import torch.

    A flag that torch reads from a variable of its own is set by that one, so that bare torch sees it too.
    What no variable can say is named on stderr.
    """
    snapshot = expected(release(torch), options or [], config, missing)
    print_exports(snapshot, snapshot.names_set())
