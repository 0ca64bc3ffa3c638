"""``torch._functorch.config``: AOTAutograd and its partitioner; a record for every flag from torch 2.4 on."""

from dynconf.catalogue import Catalogue
from dynconf.flags.described import described
from dynconf.modules.functorch.removed import REMOVED
from dynconf.modules.functorch.rules import RULES

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
