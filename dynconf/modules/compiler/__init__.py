"""``torch.compiler.config``: what concerns the whole stack; a record for every flag.

Most of its names are Dynamo's: torch forwards them, and each has one record, among Dynamo's.
"""

from dynconf.catalogue import Catalogue
from dynconf.modules.compiler import caching, forwarded, sources

CATALOGUE = Catalogue(
    "compiler",
    "torch.compiler.config",
    "TORCHCOMPILER_",
    {"caching": caching.FLAGS, "sources": sources.FLAGS, "forwarded": forwarded.FLAGS},
)
