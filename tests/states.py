"""States made by hand, for tests of what is done with states."""

from collections.abc import Mapping

from dynconf.catalogue import Setting
from dynconf.flags.types import SetOf
from dynconf.live.binding import bind
from dynconf.modules import catalogue
from dynconf.names import setting
from dynconf.origin import Origin
from dynconf.release import Release
from dynconf.snapshot import Snapshot, effective
from dynconf.sources.reading import Reading
from dynconf.state import SettingValue, State

AT = Release.named("2.13")
ASSIGNED = Origin("assignment")
SETTINGS = [each for each in catalogue("dynamo").at(AT).settings.values() if each.public]


def state_of(release: Release = AT, **flags: object) -> Snapshot:
    """Return a state in which these flags, by any name, are set."""
    return effective(
        release, assigned({setting(name, release): value for name, value in flags.items()}, release=release)
    )


def assigned(values: Mapping[Setting, object], origin: Origin = ASSIGNED, release: Release = AT) -> State:
    """Return a state of these values, which all have one origin."""
    return State(release, {each: SettingValue(value, origin) for each, value in values.items()})


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


def values_of(source: Reading | State) -> dict[str, object]:
    """Return the values of a reading or a state by name."""
    return {setting.qualified: each.value for setting, each in _state_of(source).items()}


def origins_of(source: Reading | State) -> dict[str, Origin]:
    """Return the origins of the values of a reading or a state by name."""
    return {setting.qualified: each.origin for setting, each in _state_of(source).items()}


def _state_of(source: Reading | State) -> State:
    return source.state if isinstance(source, Reading) else source
