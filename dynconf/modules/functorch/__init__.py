"""``torch._functorch.config``: AOTAutograd and its partitioner; a record for every flag from torch 2.4 on."""

from dynconf.catalogue import Catalogue
from dynconf.flags.described import described
from dynconf.modules.functorch import (
    _derived,
    autograd_cache,
    backward,
    debug,
    distributed,
    fake_tensor,
    memory_budget,
    offloading,
    partitioner,
    tracing,
)
from dynconf.modules.functorch.removed import REMOVED
from dynconf.modules.functorch.rules import RULES

CATALOGUE = Catalogue(
    "functorch",
    "torch._functorch.config",
    "TORCHFUNCTORCH_",
    described(
        _derived.FLAGS,
        {
            "tracing": tracing.FLAGS,
            "backward": backward.FLAGS,
            "partitioner": partitioner.FLAGS,
            "memory_budget": memory_budget.FLAGS,
            "offloading": offloading.FLAGS,
            "fake_tensor": fake_tensor.FLAGS,
            "autograd_cache": autograd_cache.FLAGS,
            "distributed": distributed.FLAGS,
            "debug": debug.FLAGS,
        },
    ),
    removed=REMOVED,
    rules=RULES,
)
