"""``torch._inductor.config``: a record for every flag, whose facts are derived from the releases."""

from dynconf.catalogue import Catalogue
from dynconf.flags.described import described
from dynconf.modules.inductor import _derived

CATALOGUE = Catalogue(
    "inductor",
    "torch._inductor.config",
    "TORCHINDUCTOR_",
    described(_derived.FLAGS, {}),
)
