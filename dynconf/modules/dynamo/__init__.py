"""What exists: one record for every flag of ``torch._dynamo.config``, from torch 2.4 on.

The topic modules declare the records; this one puts them together. Standard library only, so that the
catalogue can be read where neither torch nor pydantic is wanted.
"""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from dynconf.catalogue import (
    autograd,
    caching,
    debug,
    distributed,
    graphs,
    guards,
    profiling,
    recompile,
    repro,
    shapes,
    tracing,
)
from dynconf.catalogue.record import Flag
from dynconf.catalogue.tombstones import TOMBSTONES, Tombstone

TOPICS = {
    "guards": guards,
    "recompile": recompile,
    "shapes": shapes,
    "tracing": tracing,
    "graphs": graphs,
    "autograd": autograd,
    "distributed": distributed,
    "debug": debug,
    "repro": repro,
    "caching": caching,
    "profiling": profiling,
}
"""The topic modules, in the order in which a reader would want them."""

FLAGS: Mapping[str, Flag] = MappingProxyType(
    {flag.name: replace(flag, topic=topic) for topic, module in TOPICS.items() for flag in module.FLAGS}
)
"""Every flag by torch's own name, old names included."""

REMOVED: Mapping[str, Tombstone] = MappingProxyType({stone.name: stone for stone in TOMBSTONES})
"""The flags that went before torch 2.4, by name."""
