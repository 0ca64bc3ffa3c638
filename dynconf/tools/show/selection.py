"""The flags of a state to show, by patterns."""

from collections.abc import Collection, Iterable, Sequence
from fnmatch import fnmatchcase

from dynconf.catalogue.catalogue import Setting
from dynconf.catalogue.flags.flag import qualified
from dynconf.catalogue.modules import MODULES, catalogue
from dynconf.catalogue.names import FLAGS, find, in_order, names_of, newest_record, split, why_unknown
from dynconf.errors import UnknownFlagError, combined
from dynconf.provenance import Origin
from dynconf.state import State


def modules_named(patterns: Sequence[str]) -> tuple[str, ...]:
    """Return the config modules in which a flag of any release has a full name that matches a pattern."""
    named = {split(pattern)[0] for pattern in patterns}
    named |= {newest_record(pattern).module for pattern in patterns if pattern in FLAGS}  # it may have moved
    # Only a glob needs the flags of all modules: loading their catalogues takes time.
    globs = [pattern for pattern in patterns if not {"*", "?", "["}.isdisjoint(pattern)]
    for module in MODULES if globs else ():
        for flag in catalogue(module).flags.values():
            if any(fnmatchcase(flag.qualified, glob) for glob in globs):
                named.add(module)
    return tuple(module for module in MODULES if module in named)


def select(
    state: State,
    patterns: Collection[str] = (),
    *,
    changed: bool = False,
    everything: bool = False,
    extra: Collection[Setting] = (),
) -> State:
    """Return the part of a state that matches any of the patterns; without patterns, what is set.

    A pattern is the name of a flag, or a glob of full names, such as ``functorch.*``; old names count too.
    Settings that something sets are always in it, whatever their module. The others are left out if *changed*
    is wanted, and unless *everything* is, so are those that are internal or do nothing and are not named
    outright. *extra* settings are in it where no patterns say which.

    Raises:
        UnknownFlagError: A pattern matches nothing; the message says why.
    """
    named: set[Setting] = set()
    matched: set[Setting] = set()
    errors = []
    for pattern in patterns:
        if (setting := find(pattern, state.release)) is not None:
            named.add(setting)
            continue
        matches = {each for each in state if any(fnmatchcase(name, pattern) for name in names_of(each))}
        if not matches:
            why = why_unknown(pattern, state.release, origin=Origin("option", pattern))
            module, group = split(pattern)
            if pattern in MODULES or group in catalogue(module).groups:
                why += f", or '{pattern}.*' for all"
            errors.append(UnknownFlagError(why, flag=pattern))
        matched |= matches
    if errors:
        raise combined(errors)
    if not patterns:
        matched = {each for each in state if state[each].is_set} | {*extra}

    def is_wanted(setting: Setting) -> bool:
        if state[setting].is_set or (setting in extra and not patterns):
            return True
        shown = everything or setting in named or setting.status not in ("internal", "no-op", "unread")
        return shown and not changed

    found = in_order(each for each in named | matched if each in state and is_wanted(each))
    return State(state.release, {setting: state[setting] for setting in found})


def by_topic(settings: Iterable[Setting]) -> dict[str, list[Setting]]:
    """Return settings by topic, in the order of the catalogue; those of other modules than dynamo last."""
    topics: dict[str, list[Setting]] = {
        qualified(module, topic): [] for module in MODULES for topic in catalogue(module).topics
    }
    for setting in settings:
        newest = catalogue(setting.module).flags.get(setting.key, setting.flag)
        topic = qualified(newest.module, newest.topic)
        topics.setdefault(topic if setting.is_catalogued else "newer than the catalogue", []).append(setting)
    return {topic: group for topic, group in topics.items() if group}
