"""States made by hand, for tests of what is done with states."""

from dynconf.modules import catalogue
from dynconf.names import setting
from dynconf.origin import Origin
from dynconf.release import Release
from dynconf.snapshot import Snapshot, effective
from dynconf.sources.layer import Layer

AT = Release.named("2.13")
SETTINGS = [each for each in catalogue("dynamo").at(AT).settings.values() if each.public]


def state_of(release: Release = AT, **flags: object) -> Snapshot:
    """Return a state in which these flags, by any name, are set."""
    values = {setting(name, release): value for name, value in flags.items()}
    return effective(release, Layer(values, dict.fromkeys(values, Origin("assignment"))))
