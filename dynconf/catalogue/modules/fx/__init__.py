"""``torch.fx.experimental._config``: symbolic shapes and their validation; a record for every flag."""

from dynconf.catalogue.flags.described import catalogue_of

CATALOGUE = catalogue_of(__name__)
