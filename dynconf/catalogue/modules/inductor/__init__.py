"""``torch._inductor.config``: every flag from torch 2.4 on."""

from dynconf.catalogue.flags.described import catalogue_of
from dynconf.catalogue.flags.flag import Removed
from dynconf.catalogue.modules.inductor.foreign_variables import FOREIGN_VARIABLES
from dynconf.catalogue.modules.inductor.phantoms import PHANTOMS
from dynconf.catalogue.modules.inductor.rules import RULES

CATALOGUE = catalogue_of(
    __name__,
    removed={"triton.convolution": Removed("2.3", "list backends in max_autotune_conv_backends")},
    rules=RULES,
    foreign=FOREIGN_VARIABLES,
    phantoms=PHANTOMS,
)
