"""The config modules by name: ``dynconf.functorch.patch(...)``, and the same for each of the others."""

import functools
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from dynconf.flags.flag import Flag
from dynconf.live.binding import bind
from dynconf.live.install import Installation, Scope, install_layer, reset_in
from dynconf.live.origin import origin_in
from dynconf.live.patch import Patch, patch_of
from dynconf.modules import catalogue
from dynconf.names import FlagTable
from dynconf.origin import Origin, caller
from dynconf.snapshot import Snapshot

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from dynconf._generated.keywords import DynamoValues, FunctorchValues
    from dynconf.settings import DynamoSettings, FunctorchSettings


class Namespace:
    """..."""
