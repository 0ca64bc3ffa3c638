"""``torch._inductor.config_comms``: overlapping communication with computation; a record for every flag."""

from dynconf.catalogue.flags.described import catalogue_of

CATALOGUE = catalogue_of(__name__)
