"""The defaults that torch derives from the environment of the machine, derived in the same way."""

import os

from dynconf.flags.flag import Computed

ON_BUILD_SERVER = Computed("whether the variable CI is set and not empty", lambda: bool(os.environ.get("CI")))
VIEW_REPLAY_2_5 = Computed(
    "False if ENABLE_AOT_AUTOGRAD_CACHE=1", lambda: os.environ.get("ENABLE_AOT_AUTOGRAD_CACHE") != "1"
)
VIEW_REPLAY_2_6 = Computed(
    "False if TORCHINDUCTOR_AUTOGRAD_CACHE=1", lambda: os.environ.get("TORCHINDUCTOR_AUTOGRAD_CACHE") != "1"
)
