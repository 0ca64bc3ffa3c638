"""Names that torch forwards to Dynamo, where their records are."""

from dynconf.flags.described import Described
from dynconf.modules.compiler import _derived
from dynconf.modules.dynamo import CATALOGUE


def _forwarded(name: str) -> Described:
    to = CATALOGUE.flags[name]
    return Described(
        to.summary,
        type=to.type,
        details=f"Dynamo's flag {name}, under another name.",
        machine_dependent=to.machine_dependent,
        risks=to.risks,
    )


FLAGS = {flag.name: _forwarded(flag.name) for flag in _derived.FLAGS if flag.renamed_to.startswith("dynamo.")}
