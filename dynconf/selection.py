"""The flags of a state to show, by patterns."""

from collections.abc import Collection, Iterable, Sequence
from fnmatch import fnmatchcase

from dynconf.catalogue import Setting
from dynconf.errors import UnknownFlagError, combined
from dynconf.flags.flag import BARE_MODULE, qualified
from dynconf.modules import MODULES, catalogue
from dynconf.names import FLAGS, find, in_order, names_of, newest_module, newest_record, split, why_unknown
from dynconf.state import State


def modules_named(patterns: Sequence[str]) -> tuple[str, ...]:
    """Return the config modules in which a flag of any release has a full name that matches a pattern."""
    globs = [pattern for pattern in patterns if _is_glob(pattern)]
    words = {*patterns} - {*globs}
    named = {split(word)[0] for word in words}
    named |= {newest_record(word).module for word in words if word in FLAGS}  # it may have moved
    return tuple(
        module
        for module in MODULES
        if module in named
        or any(
            fnmatchcase(flag.qualified, glob) for glob in globs for flag in catalogue(module).flags.values()
        )
    )


def _is_glob(pattern: str) -> bool:
    return not {"*", "?", "["}.isdisjoint(pattern)


def select(
    state: State,
    patterns: Iterable[str] = (),
    *,
    changed: bool = False,
    everything: bool = False,
    extra: Collection[Setting] = (),
) -> State:
    """Return the part of a state that matches any of the patterns; without patterns, all of dynamo's flags.

    Flags that are set are always in it, whatever their module. Of the rest, flags that are internal or do
    nothing are left out unless they are named outright.

    Args:
        state: The state.
        patterns: Names of flags, and globs of full names, such as ``functorch.*``; both may be old or new.
        changed: Whether to leave out flags that nothing sets.
        everything: Whether to leave out nothing else.
        extra: Settings that are wanted in any case, where no patterns say which.

    Raises:
        UnknownFlagError: A pattern matches nothing; the message says why.
    """
    patterns = tuple(patterns)
    named, matched = _settings_named(patterns, state)
    if not patterns:
        matched = {each for each in state if state[each].is_set or newest_module(each) == BARE_MODULE}
    found = {
        setting
        for setting in named | matched
        if (entry := state.get(setting))
        and (entry.is_set or not changed)
        and (entry.is_set or everything or setting in named or setting.status not in ("internal", "no-op"))
    }
    found |= set() if patterns else {*extra}
    return State(state.release, {setting: state[setting] for setting in in_order(found)})


def _settings_named(patterns: Iterable[str], state: State) -> tuple[set[Setting], set[Setting]]:
    """Return the settings that patterns name outright, and those that they match."""
    named: set[Setting] = set()
    matched: set[Setting] = set()
    errors = []
    for pattern in patterns:
        setting = find(pattern, state.release)
        if setting is not None:
            named.add(setting)
            continue
        matches = {each for each in state if any(fnmatchcase(name, pattern) for name in names_of(each))}
        if not matches:
            errors.append(UnknownFlagError(why_unknown(pattern, state.release), flag=pattern))
        matched |= matches
    if errors:
        raise combined(errors)
    return named, matched


def by_topic(settings: Iterable[Setting]) -> dict[str, list[Setting]]:
    """Return settings by topic, in the order of the catalogue; those of other modules than dynamo last."""
    settings = tuple(settings)
    modules = {setting.flag.module for setting in settings}
    topics: dict[str, list[Setting]] = {
        qualified(module, topic): []
        for module in MODULES
        if module in modules
        for topic in catalogue(module).topics
    }
    for setting in settings:
        flag = setting.flag
        topic = qualified(flag.module, flag.topic) if setting.is_catalogued else "newer than the catalogue"
        topics.setdefault(topic, []).append(setting)
    return {topic: group for topic, group in topics.items() if group}
