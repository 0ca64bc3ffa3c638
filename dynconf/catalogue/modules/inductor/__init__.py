"""``torch._inductor.config``: every flag from torch 2.4 on."""

from dynconf.catalogue.flags.described import catalogue_of
from dynconf.catalogue.modules.inductor.descriptions import REMOVED
from dynconf.catalogue.modules.inductor.foreign_variables import FOREIGN_VARIABLES, PHANTOMS
from dynconf.catalogue.modules.inductor.rules import RULES

CATALOGUE = catalogue_of(
    __name__,
    removed=REMOVED,
    rules=RULES,
    foreign=FOREIGN_VARIABLES,
    phantoms=PHANTOMS,
)
