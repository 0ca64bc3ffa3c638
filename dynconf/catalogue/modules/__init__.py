"""The config modules: a folder of data for each, loaded when it is first needed."""

import functools
import importlib
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from dynconf.catalogue._generated.index import FOREIGN, VARIABLES

TYPE_CHECKING = False  # importing typing would take longer than all of dynconf
if TYPE_CHECKING:
    from dynconf.catalogue.catalogue import Catalogue
    from dynconf.catalogue.flags.variable import ForeignVariable

HOMES = {
    "dynamo": "torch._dynamo.config",
    "functorch": "torch._functorch.config",
    "inductor": "torch._inductor.config",
    "fx": "torch.fx.experimental._config",
    "compiler": "torch.compiler.config",
    "comms": "torch._inductor.config_comms",
}
"""The config modules by short name, the one of bare names first; some releases do not have all of them."""

MODULES = tuple(HOMES)
"""Their short names."""

SHORT_NAMES = {path: module for module, path in HOMES.items()}
"""The same by the full names that the modules have in torch."""

KEYED = frozenset({"inductor", "functorch", "comms"})
"""The modules whose flags are in the keys of Inductor's or AOTAutograd's cache; dynamo's act on the graph."""


@functools.cache
def catalogue(module: str) -> "Catalogue":
    """Return the catalogue of a config module, by its short name."""
    found: Catalogue = importlib.import_module(f"{__name__}.{module}").CATALOGUE
    return found


def module_path(module: str) -> str:
    """Return the full name of a config module in torch, such as ``torch._dynamo.config``."""
    return HOMES[module]


def module_with(names: AbstractSet[str]) -> str:
    """Return the config module that has the most flags of these bare names."""
    return max(MODULES, key=lambda module: len(names & catalogue(module).flags.keys()))


def modules_set_by(variables: AbstractSet[str], modules: Sequence[str] = MODULES) -> tuple[str, ...]:
    """Return those of the modules of which any of these environment variables sets a flag, in any release."""
    return tuple(module for module in modules if not VARIABLES[module].isdisjoint(variables))


def foreign_variable(name: str) -> "ForeignVariable | None":
    """Return the record of a variable that torch reads for something other than a flag, if it has one."""
    known = catalogue(FOREIGN[name]).foreign if name in FOREIGN else ()
    return next((each for each in known if each.name == name), None)
