"""``torch.compiler.config``: the flags of the whole stack; a record for every flag.

Most of its names are Dynamo's: torch forwards them, and each has one record, among Dynamo's.
"""

from dynconf.catalogue.catalogue import Catalogue
from dynconf.catalogue.flags.described import described

CATALOGUE = Catalogue(
    "compiler",
    "torch.compiler.config",
    described(__name__, "caching", "sources", "forwarded"),
)
