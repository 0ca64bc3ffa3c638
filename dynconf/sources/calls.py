"""Reading the flags that a call or an option passes into a `Reading`."""

from collections.abc import Iterable, Iterator, Mapping

from dynconf.catalogue import names
from dynconf.catalogue.catalogue import Setting
from dynconf.catalogue.flags.flag import BARE_MODULE
from dynconf.catalogue.flags.types import AtLeast, short_repr
from dynconf.catalogue.modules import MODULES, catalogue
from dynconf.errors import InvalidValueError
from dynconf.provenance import Caller, Origin
from dynconf.release import Release
from dynconf.sources.environment import plain_value
from dynconf.sources.gather import judge_rules
from dynconf.sources.reading import Convert, Reading, ReadingBuilder, check_value, merge
from dynconf.state import (
    Missing,
    SettingValue,
    State,
    StateLike,
    as_mapping,
    flags_within,
    has_state,
    not_a_mapping,
)


def as_state(given: StateLike, call_site: Caller, module: str = BARE_MODULE) -> State:
    """Return any form of a state as a `State`: the one conversion for all that take one.

    A mapping is checked for the release at hand; its values come from *call_site*, and bare names in it are
    those of *module*.

    Raises:
        DynconfError: There is a mistake in a mapping; the error lists all of them.
        TypeError: It has none of the forms.
    """
    if isinstance(given, State):
        return given
    if has_state(given):
        return _numbers(given.as_state())
    flags = as_mapping(given)
    if flags is None:
        raise TypeError(f"expected a mapping of flags, settings or a snapshot, not {short_repr(given)}")
    # `merge` puts a limit that may only be raised over the default.
    reading = merge([read_keywords(flags, Release.at_hand(), call_site.origin("keyword"), module)])
    return _numbers(judge_rules(reading).resolved())


def _numbers(state: State) -> State:
    """Return the state with the number in place of a limit that may only be raised."""
    return state.with_entries(
        {
            setting: SettingValue(int(value), origin)
            for setting, (value, origin) in state.items()
            if type(value) is AtLeast
        }
    )


def for_release(state: State, release: Release, newer: Mapping[str, Setting] | None = None) -> Reading:
    """Read the values of a state for another release, or again for its own: objects may have changed.

    For *newer*, see `ReadingBuilder`. A value that is merely a default of the state's release is skipped,
    with a warning, if *release* lacks the flag or does not accept it, and in silence if the flag is internal.
    """
    decided, defaults = ReadingBuilder(release, newer=newer), ReadingBuilder(release, "warn", newer=newer)
    for setting, (value, origin) in state.items():
        is_default = origin.kind == "release"
        if setting.public or not is_default:
            builder = defaults if is_default else decided
            builder.add(setting.newest, origin, value, is_default=is_default)
    return merge([defaults.done(), decided.done()])


def read_keywords(
    flags: Mapping[str, object],
    release: Release,
    origin: Origin,
    module: str = BARE_MODULE,
    *,
    missing: Missing = "error",
    newer: Mapping[str, Setting] | None = None,
    convert: Convert = check_value,
) -> Reading:
    """Read flags given as Python values; the name of a module or group stands for a mapping of its flags.

    Bare names are those of *module*. For *newer*, see `ReadingBuilder`.
    """
    builder = ReadingBuilder(release, missing, module, newer)
    for name, value in each_flag(flags, release, module, f" (from {origin})"):
        if isinstance(value, InvalidValueError):
            builder.errors.append(value)
        else:
            builder.add(name, origin, value, convert)
    return builder.done()


def each_flag(
    flags: Mapping[str, object], release: Release, module: str = BARE_MODULE, place: str = ""
) -> Iterator[tuple[str, object]]:
    """Yield each flag with its value, also those in the mapping of a module or of a group.

    The value of one that is not given a mapping is the error, which names the *place*.
    """
    for name, value in flags.items():
        home, bare = names.split(name, module)
        if name not in MODULES and not catalogue(home).at(release).is_group(bare):
            yield name, value
            continue
        inner = flags_within(name if name in MODULES else home, value)
        if inner is None:
            yield name, not_a_mapping(name, value, place)
        else:
            members = {f"{name}.{member}": each for member, each in inner.items()}
            yield from each_flag(members, release, module, place)


def read_options(
    options: Iterable[str], release: Release, option_name: str = "--set", origin: Origin | None = None
) -> Reading:
    """Read the ``FLAG=VALUE`` texts of an option; those of ``--hold`` may be names alone.

    Their *origin* is the option, unless they are from elsewhere.
    """
    builder, held = ReadingBuilder(release), option_name == "--hold"
    for option in options:
        name, equals, raw = option.partition("=")
        name = name.strip()
        if not held and not (equals and name):
            builder.errors.append(InvalidValueError(f"{option_name} {option!r}: expected FLAG=VALUE"))
            continue
        full_name = name if option_name == "--set" else f"{option_name} {name}"
        its_origin = origin or Origin("option", full_name, raw if equals else None)
        if held:
            builder.hold(name, its_origin)
        if equals and not (held and builder.errors):
            builder.add(name, its_origin, raw, plain_value)
    return builder.done()
