"""Which flags of a snapshot to show."""

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

from dynconf.entry import Entry
from dynconf.errors import UnknownFlagError, combined
from dynconf.flags.flag import qualified
from dynconf.modules import MODULES, catalogue
from dynconf.names import FLAGS, find, newest, split, why_unknown
from dynconf.snapshot import Snapshot, snapshot, snapshot_in


def modules_named(patterns: Sequence[str]) -> tuple[str, ...]:
    """Return the config modules in which a flag of any release has a full name that matches a pattern."""
    globs = [pattern for pattern in patterns if not {"*", "?", "["}.isdisjoint(pattern)]
    plain = {*patterns} - {*globs}
    named = {split(pattern)[0] for pattern in plain}
    named |= {newest(pattern).module for pattern in plain if pattern in FLAGS}  # it may have moved
    return tuple(
        module
        for module in MODULES
        if module in named
        or any(
            fnmatchcase(flag.qualified, glob) for glob in globs for flag in catalogue(module).flags.values()
        )
    )


def live(modules: Iterable[str] = ()) -> Snapshot:
    """Return what is in force in the running thread or task, like `snapshot`.

    Of *modules*, which are imported, it has every flag, not only what is set.
    """
    state = snapshot()
    values, origins = dict(state.values), dict(state.origins)
    for module in {*modules} - {state.module}:
        for entry in snapshot_in(module).entries():
            values[entry.name], origins[entry.name] = entry.value, entry.origin
    return Snapshot(state.torch, values, origins)


def select(
    snapshot: Snapshot, patterns: Iterable[str] = (), *, changed: bool = False, everything: bool = False
) -> list[str]:
    """Return the names in a snapshot that match any of the patterns; without patterns, of its own module.

    What something sets is always among them, whatever its module. Of the rest, flags that are internal or do
    nothing, and names that are only aliases, are left out unless they are named outright.

    Patterns are names of flags, old or new, and globs of full names, such as ``functorch.*``. With *changed*
    only what something sets is returned; with *everything* nothing is left out.

    Raises:
        UnknownFlagError: A pattern matches nothing; the message says why.
    """
    release, patterns = snapshot.release, tuple(patterns)
    settings = {pattern: find(pattern, release) for pattern in patterns}
    unmatched = [
        UnknownFlagError(why_unknown(pattern, release), flag=pattern)
        for pattern, setting in settings.items()
        if not setting and not any(fnmatchcase(name, pattern) for name in snapshot.values)
    ]
    if unmatched:
        raise combined(unmatched)
    named = {setting.qualified for setting in settings.values() if setting}
    found = []
    for entry in snapshot.entries():
        is_named = entry.name in named
        is_set = entry.origin.kind not in ("default", "alias")
        if patterns:
            is_wanted = is_named or any(fnmatchcase(entry.name, pattern) for pattern in patterns)
        else:
            is_wanted = is_set or split(entry.name)[0] == snapshot.module
        if not is_wanted or (changed and not is_set):
            continue
        is_hidden = entry.origin.kind == "alias" or (
            entry.setting is not None and entry.setting.status in ("internal", "no-op")
        )
        if everything or is_set or is_named or not is_hidden:
            found.append(entry.name)
    return found


def by_topic(entries: Iterable[Entry]) -> dict[str, list[Entry]]:
    """Return flags by topic, in the order of the catalogue; those of other modules than dynamo last."""
    entries = tuple(entries)
    modules = {split(entry.name)[0] for entry in entries}
    topics: dict[str, list[Entry]] = {
        qualified(module, topic): []
        for module in MODULES
        if module in modules
        for topic in catalogue(module).topics
    }
    for entry in entries:
        flag = entry.setting.flag if entry.setting else None
        topic = qualified(flag.module, flag.topic) if flag else "newer than the catalogue"
        topics.setdefault(topic, []).append(entry)
    return {topic: group for topic, group in topics.items() if group}
