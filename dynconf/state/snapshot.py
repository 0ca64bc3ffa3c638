"""A snapshot: the value of every flag of one release, each with its origin."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dynconf.catalogue import FLAGS
from dynconf.catalogue.names import canonical, spelled
from dynconf.provenance import DEFAULT, Origin
from dynconf.sources.layer import Layer
from dynconf.versions import AtHand, Minor, clamped


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Values of flags, by the names that the release itself uses.

    Attributes:
        torch: The release, such as ``2.13.0``.
        values: Flag to value; an old name that the release forwards has the value of the newer one.
        origins: The same flags to where their values came from.
    """

    torch: str
    values: Mapping[str, Any]
    origins: Mapping[str, Origin]

    @property
    def minor(self) -> Minor:
        """The minor version whose facts answer for the release."""
        return clamped(self.torch)


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
            values[name] = FLAGS[spelled(name, at.minor) or name].default_in(at.minor)
        if flag.is_alias_in(at.minor):
            origins[name] = Origin("alias", flag.renamed)
        else:
            origins[name] = layer.origins.get(newest, DEFAULT)
    return Snapshot(at.version, values, origins)


def default_of(name: str, release: Minor) -> Any:
    """Return the default of flag *name* in that release; for an old name, that of the newer one."""
    return FLAGS[spelled(name, release) or name].default_in(release)
