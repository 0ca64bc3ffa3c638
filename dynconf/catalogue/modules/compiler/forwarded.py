"""Names that torch forwards to Dynamo, where their records are."""

from dynconf.catalogue.modules.compiler.facts import FORWARDED

DESCRIPTIONS = "\n".join(
    f"{flag.name}: {flag.summary} Dynamo's flag {flag.name}, under another name." for flag in FORWARDED
)
