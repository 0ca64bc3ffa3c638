"""``torch._functorch.config``: AOTAutograd and its partitioner; a record for every flag from torch 2.4 on."""

from dynconf.catalogue.flags.described import catalogue_of
from dynconf.catalogue.modules.functorch.descriptions import REMOVED
from dynconf.catalogue.modules.functorch.rules import RULES

CATALOGUE = catalogue_of(
    __name__,
    removed=REMOVED,
    rules=RULES,
)
