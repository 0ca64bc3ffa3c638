"""A library sets flags below its users' settings: `dynconf.defaults`, `at_least`, `allow` and `quiet`.

Run: python examples/library_author.py
"""

import logging
import os

from torch._dynamo import config

import dynconf
from dynconf.live.install import Installation

SUPPORTED = {"recompile_limit", "suppress_errors", "inductor.max_autotune"}


def import_library() -> Installation:
    """The library's import: its defaults, for whichever torch is there, without a warning at its users."""
    logging.getLogger("dynconf").addHandler(logging.NullHandler())
    return dynconf.defaults(
        recompile_limit=dynconf.at_least(128),
        verbose=True,
        inductor={"compile_threads": 1},
        missing="skip",
        quiet=True,
    )


def show(moment: str) -> None:
    """Print the limit, and who set it."""
    print(f"{moment:34} {config.recompile_limit:4}  {dynconf.origin('recompile_limit').kind}")


def main() -> None:
    """Import the library, then let the user speak."""
    os.environ["TORCHDYNAMO_VERBOSE"] = "0"  # exported before the program started
    show("before")
    defaults = import_library()
    show("with the library's defaults")
    print(f"the user's variable beats them: verbose={config.verbose}")
    config.recompile_limit = 16
    show("after the user's assignment")
    dynconf.reset("recompile_limit")
    show("without it")
    try:
        # A table of the user's configuration, for flags that the library supports.
        dynconf.defaults({"supress_errors": True}, allow=SUPPORTED)
    except dynconf.UnknownFlagError as error:
        print(f"refused: {error}")
    defaults.uninstall()
    show("after uninstall()")


if __name__ == "__main__":
    main()
