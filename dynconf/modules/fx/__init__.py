"""``torch.fx.experimental._config``: symbolic shapes and their validation; a record for every flag."""

from dynconf.catalogue import Catalogue
from dynconf.flags.described import described
from dynconf.modules.fx import _derived, debug, shapes

CATALOGUE = Catalogue(
    "fx",
    "torch.fx.experimental._config",
    "TORCHFX_",
    described(_derived.FLAGS, shapes, debug),
)
