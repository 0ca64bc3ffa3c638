"""``torch.fx.experimental._config``: symbolic shapes and their validation; a record for every flag."""

from dynconf.catalogue.catalogue import Catalogue
from dynconf.catalogue.flags.described import described

CATALOGUE = Catalogue(
    "fx",
    "torch.fx.experimental._config",
    described(__name__, "shapes", "debug"),
)
