"""The defaults that torch derives from the environment of the machine, derived in the same way."""

import os

from dynconf.flags.flag import Computed


def _unless(variable: str) -> Computed:
    return Computed(f"False if {variable}=1", lambda: os.environ.get(variable) != "1")


DEFAULTS = {
    "error_on_custom_op_aliasing": Computed(
        "whether the variable CI is set and not empty", lambda: bool(os.environ.get("CI"))
    ),
    "view_replay_for_aliased_outputs: ENABLE_AOT_AUTOGRAD_CACHE": _unless("ENABLE_AOT_AUTOGRAD_CACHE"),
    "view_replay_for_aliased_outputs: TORCHINDUCTOR_AUTOGRAD_CACHE": _unless("TORCHINDUCTOR_AUTOGRAD_CACHE"),
}
"""By flag; where the dependency changed between releases, it follows the name after a colon."""
