"""A snapshot: the value of every flag of one release, each with its origin."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dynconf.catalogue import FLAGS
from dynconf.catalogue.names import canonical, default_of
from dynconf.catalogue.value_types import Bool, Optional
from dynconf.provenance import DEFAULT, Origin
from dynconf.sources.layer import Layer
from dynconf.versions import AtHand, Minor, clamped

UNSET_KINDS = frozenset({"default", "alias", "implication"})
"""The kinds of origin of a value that nobody set: it holds by itself, or because of another flag."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Values of flags, by the names that the release itself uses.

    Attributes:
        torch: The release, such as ``2.13.0``.
        values: Flag to value; an old name that the release forwards has the value of the newer one. Flags
            that are not there have the release's default.
        origins: The same flags to where their values came from.
    """

    torch: str
    values: Mapping[str, Any]
    origins: Mapping[str, Origin]

    @property
    def minor(self) -> Minor:
        """The minor version whose facts answer for the release."""
        return clamped(self.torch)

    def names_set(self) -> list[str]:
        """Return the flags that something sets, sorted: not those that have their default, nor old names."""
        return sorted(name for name in self.values if self.origins[name].kind not in UNSET_KINDS)


def effective(at: AtHand, layer: Layer) -> Snapshot:
    """Return what every flag of the release is when *layer* is put over its defaults."""
    values: dict[str, Any] = {}
    origins: dict[str, Origin] = {}
    for name, flag in sorted(FLAGS.items()):
        if not flag.exists_in(at.minor):
            continue
        newest = canonical(name)
        if newest in layer.values:
            values[name] = layer.values[newest]
        else:
            values[name] = default_of(name, at.minor)
        if flag.is_alias_in(at.minor):
            origins[name] = Origin("alias", flag.renamed)
        else:
            origins[name] = layer.origins.get(newest, DEFAULT)
    return Snapshot(at.version, values, origins)


def meant(name: str, value: Any) -> Any:
    """Return what a live value means: where torch left text in place of a bool, its truth."""
    type_ = FLAGS[name].type if name in FLAGS else None
    inner = type_.of if isinstance(type_, Optional) else type_
    return bool(value) if isinstance(inner, Bool) and isinstance(value, str) else value
