"""``torch._functorch.config``: AOTAutograd and its partitioner; a record for every flag from torch 2.4 on."""

from dynconf.catalogue.catalogue import Catalogue
from dynconf.catalogue.flags.described import described
from dynconf.catalogue.modules.functorch.removed import REMOVED
from dynconf.catalogue.modules.functorch.rules import RULES

CATALOGUE = Catalogue(
    "functorch",
    "torch._functorch.config",
    described(
        __name__,
        "tracing",
        "backward",
        "partitioner",
        "memory_budget",
        "offloading",
        "fake_tensor",
        "autograd_cache",
        "distributed",
        "debug",
    ),
    removed=REMOVED,
    rules=RULES,
)
