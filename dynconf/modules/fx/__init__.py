"""``torch.fx.experimental._config``: symbolic shapes and their validation; a record for every flag."""

from dynconf.catalogue import Catalogue
from dynconf.modules.fx import debug, shapes

CATALOGUE = Catalogue(
    "fx",
    "torch.fx.experimental._config",
    "TORCHFX_",
    {"shapes": shapes.FLAGS, "debug": debug.FLAGS},
)
