"""``torch._inductor.config_comms``: overlapping communication with computation; a record for every flag."""

from dynconf.catalogue import Catalogue
from dynconf.modules.comms import estimates, reorder, sink

CATALOGUE = Catalogue(
    "comms",
    "torch._inductor.config_comms",
    "TORCHCOMMS_",
    {"reorder": reorder.FLAGS, "sink": sink.FLAGS, "estimates": estimates.FLAGS},
)
