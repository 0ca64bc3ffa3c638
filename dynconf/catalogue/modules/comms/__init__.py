"""``torch._inductor.config_comms``: overlapping communication with computation; a record for every flag."""

from dynconf.catalogue.catalogue import Catalogue
from dynconf.catalogue.flags.described import described

CATALOGUE = Catalogue(
    "comms",
    "torch._inductor.config_comms",
    described(__name__, "reorder", "sink", "estimates"),
)
