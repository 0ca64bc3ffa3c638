"""``torch._functorch.config``: one record for every flag, from torch 2.4 on."""

from dynconf.catalogue import Catalogue
from dynconf.flags.flag import Flag, by_release
from dynconf.flags.types import Bool

CATALOGUE = Catalogue(
    "functorch",
    "torch._functorch.config",
    "TORCHFUNCTORCH_",
    {
        "autograd": (
            Flag(
                name="donated_buffer",
                type=Bool(),
                default=by_release(False, v2_6=True),
                summary="Placeholder until the records are here.",
            ),
        )
    },
)
