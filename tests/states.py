"""States made by hand, for tests of what is done with states."""

from dynconf.flags.types import SetOf
from dynconf.live.binding import bind
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


def a_set_of_objects() -> str:
    """Return a flag of the live torch that accepts a set of callables or classes, and that does something."""
    return next(
        name
        for name, slot, alias in bind().table()
        if alias is None
        and isinstance(slot.setting.type, SetOf)
        and slot.setting.type.names_objects
        and slot.notice is None
    )
