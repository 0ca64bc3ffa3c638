"""``torch._dynamo.config``: every flag from torch 2.4 on."""

from dynconf.catalogue.flags.described import catalogue_of
from dynconf.catalogue.modules.dynamo.ddp_mode import DdpMode
from dynconf.catalogue.modules.dynamo.descriptions import REMOVED
from dynconf.catalogue.modules.dynamo.foreign_variables import FOREIGN_VARIABLES, OTHER_VARIABLES, PHANTOMS
from dynconf.catalogue.modules.dynamo.rules import RULES

__all__ = ["CATALOGUE", "DdpMode"]

CATALOGUE = catalogue_of(
    __name__,
    removed=REMOVED,
    rules=RULES,
    foreign=(*FOREIGN_VARIABLES, *OTHER_VARIABLES),
    phantoms=PHANTOMS,
)
