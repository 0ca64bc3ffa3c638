"""``torch._inductor.config_comms``: overlapping communication with computation; a record for every flag."""

from dynconf.catalogue import Catalogue
from dynconf.flags.described import described
from dynconf.modules.comms import _derived, estimates, reorder, sink

CATALOGUE = Catalogue(
    "comms",
    "torch._inductor.config_comms",
    "TORCHCOMMS_",
    described(_derived.FLAGS, reorder, sink, estimates),
)
