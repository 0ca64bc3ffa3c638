"""``import dynconf.distributed``: it is the module `dynconf.tools.ranks.distributed`."""

import sys

from dynconf.tools.ranks import distributed
from dynconf.tools.ranks.distributed import *  # noqa: F403  for type checkers

sys.modules[__name__] = distributed
