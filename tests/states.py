"""States made by hand, for tests of functions that take states."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from dynconf.catalogue.catalogue import Setting
from dynconf.catalogue.flags.flag import Flag
from dynconf.catalogue.flags.types import PlainData, SetOf
from dynconf.catalogue.modules import MODULES, catalogue
from dynconf.catalogue.names import setting
from dynconf.live.binding import bind
from dynconf.provenance import Origin
from dynconf.release import Release
from dynconf.sources.calls import read_keywords
from dynconf.sources.reading import Reading
from dynconf.state import SettingValue, State
from dynconf.store.snapshot import with_defaults

AT = Release.named("2.13")
ASSIGNED = Origin("assignment")
SETTINGS = [each for each in catalogue("dynamo").at(AT).settings.values() if each.public]


def state_of(release: Release = AT, modules: Iterable[str] = MODULES, **flags: object) -> State:
    """Return a state of all flags, in which these, by any name, are set."""
    values = {setting(name, release): value for name, value in flags.items()}
    return with_defaults(assigned(values, release=release), tuple(modules))


def called(release: Release = AT, /, **flags: object) -> State:
    """Return the state of a call with these keywords."""
    return read_keywords(flags, release, Origin("keyword")).checked()


def assigned(values: Mapping[Setting, object], origin: Origin = ASSIGNED, release: Release = AT) -> State:
    """Return a state of these values, which all have one origin."""
    return State(release, {each: SettingValue(value, origin) for each, value in values.items()})


def newer(value: object, origin: Origin = ASSIGNED, release: Release = AT) -> State:
    """Return a state of ``flag_of_tomorrow``, which the catalogue lacks, as a newer torch may have it."""
    flag = Flag(name="flag_of_tomorrow", type=PlainData(), default=None, summary="")
    return assigned({Setting(flag, flag.name, release): value}, origin, release)


def written(path: Path, text: str) -> Path:
    """Write a file, in folders that need not be there, and return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def names_of(source: Reading | State) -> list[str]:
    """Return the newest names of the flags of a reading or a state."""
    return [setting.newest for setting in _state_of(source)]


def values_of(source: Reading | State) -> dict[str, object]:
    """Return the values of a reading or a state by newest name."""
    return {setting.newest: each.value for setting, each in _state_of(source).items()}


def origins_of(source: Reading | State) -> dict[str, Origin]:
    """Return the origins of the values of a reading or a state by newest name."""
    return {setting.newest: each.origin for setting, each in _state_of(source).items()}


def _state_of(source: Reading | State) -> State:
    return source.state if isinstance(source, Reading) else source


def a_set_of_objects() -> str:
    """Return a flag of the live torch that accepts a set of callables or classes, and that does something."""
    return next(
        slot.name
        for slot in bind().flags()
        if isinstance(slot.setting.type, SetOf) and slot.setting.type.names_objects and slot.warning is None
    )
