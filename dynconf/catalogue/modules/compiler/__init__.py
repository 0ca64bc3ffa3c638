"""``torch.compiler.config``: the flags of the whole stack; a record for every flag.

Most of its names are Dynamo's: torch forwards them, and each has one record, among Dynamo's.
"""

from dynconf.catalogue.flags.described import catalogue_of

CATALOGUE = catalogue_of(__name__)
