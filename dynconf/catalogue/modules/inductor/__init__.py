"""``torch._inductor.config``: every flag from torch 2.4 on."""

from dynconf.catalogue.flags.described import catalogue_of
from dynconf.catalogue.modules.inductor.foreign_variables import FOREIGN_VARIABLES
from dynconf.catalogue.modules.inductor.gone import REMOVED
from dynconf.catalogue.modules.inductor.phantoms import PHANTOMS
from dynconf.catalogue.modules.inductor.rules import RULES

TOPICS = """
    autotune fusion passes memory numerics cudagraphs triton cpp devices compiling caching distributed
    aot_inductor debug trace gone
"""
"""The modules of this package that describe flags by hand."""

CATALOGUE = catalogue_of(
    __name__,
    TOPICS,
    removed=REMOVED,
    rules=RULES,
    foreign=FOREIGN_VARIABLES,
    phantoms=PHANTOMS,
)
