"""What exists: a folder of data for each config module; loaded when it is first needed."""

import functools
import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dynconf.catalogue import Catalogue

MODULES = ("dynamo", "functorch", "inductor", "fx", "compiler", "comms")
"""The short names of the config modules, the one of bare names first."""


@functools.cache
def catalogue(module: str) -> "Catalogue":
    """Return the catalogue of a config module, by its short name."""
    found: Catalogue = importlib.import_module(f"{__name__}.{module}").CATALOGUE
    return found
