"""The defaults that torch derives from the environment of the machine, derived in the same way."""

import os

from dynconf.catalogue.flags.flag import Computed

DEFAULTS = {
    "error_on_custom_op_aliasing": Computed(
        "whether the variable CI is set and not empty", lambda: bool(os.environ.get("CI"))
    ),
}
"""By flag; where the dependency changed between releases, it follows the name after a colon."""
