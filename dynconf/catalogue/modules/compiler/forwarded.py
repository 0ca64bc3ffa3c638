"""Names that torch forwards to Dynamo, where their records are."""

from dynconf.catalogue.flags.described import Facts
from dynconf.catalogue.modules.compiler import _derived
from dynconf.catalogue.modules.dynamo import CATALOGUE

_FORWARDED = [CATALOGUE.flags[each.name] for each in _derived.FLAGS if each.renamed_to.startswith("dynamo.")]

DESCRIPTIONS = "\n".join(
    f"{flag.name}: {flag.summary} Dynamo's flag {flag.name}, under another name." for flag in _FORWARDED
)

FACTS = {flag.name: Facts(type=flag.type, machine_dependent=flag.machine_dependent) for flag in _FORWARDED}
