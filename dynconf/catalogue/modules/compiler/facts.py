"""The facts of names that torch forwards to Dynamo, where their records are."""

from dynconf.catalogue.modules.compiler import _derived
from dynconf.catalogue.modules.dynamo import CATALOGUE

FORWARDED = [CATALOGUE.flags[each.name] for each in _derived.FLAGS if each.renamed_to.startswith("dynamo.")]

FACTS = {flag.name: {"type": flag.type, "machine_dependent": flag.machine_dependent} for flag in FORWARDED}
