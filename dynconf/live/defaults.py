"""`defaults`: the flags that a library sets, below everything that its users set."""

import logging
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from dynconf.catalogue import names
from dynconf.catalogue.catalogue import Setting
from dynconf.errors import DynconfWarning, EnvironmentWarning, UnknownFlagError, combined
from dynconf.live.binding import bind, newer_flags
from dynconf.live.install import Installation, install_state
from dynconf.live.layers import DEFAULTS
from dynconf.provenance import Caller, caller
from dynconf.release import Release
from dynconf.sources.calls import each_flag, read_keywords
from dynconf.sources.gather import gather
from dynconf.sources.reading import check_value
from dynconf.state import Missing, SettingValue, State, changes_of, check_missing, has_state
from dynconf.text import nearest

_LOG = logging.getLogger("dynconf")


def defaults(
    *arguments: Any,
    missing: Missing = "error",
    quiet: bool = False,
    allow: Collection[str] | None = None,
    **flags: Any,
) -> Installation:
    """Set a library's own defaults of flags: above torch's, and below everything that the user sets.

    The user's variables, settings files, assignments, patches and installations beat them, whether they came
    before or come later; `dynconf.reset` keeps the defaults. They apply to the whole process. If several
    libraries set the same flag, the last one counts, and `dynconf.at_least` only raises a limit. Reading a
    flag is as fast as before.

    Args:
        *arguments: One flag and its value, or a mapping of flags to values, such as one from a user's YAML.
        missing: How to treat flags that the release lacks: ``"error"``, ``"warn"`` or ``"skip"``.
        quiet: Whether warnings become records of the logger ``dynconf`` at level INFO, because the users of
            the library can do nothing about them.
        allow: The names of the only flags to accept, if the mapping comes from a user; its values are then
            read as data, so that a list stands for a set.
        **flags: Values, by flag; those of other config modules in a dict under the name of their module.

    Returns:
        The installation, in force; `Installation.uninstall` takes it back, and as a context manager it does
        so on leaving.

    Raises:
        UnknownFlagError: A name is misspelt, too new, was removed, or is not in *allow*.
        InvalidValueError: A flag does not accept its value.
        ConflictError: The values contradict each other, or those in force.
        StateFileError: The user's settings file cannot be read. Other mistakes of the user are errors if they
            concern these flags, and otherwise warnings.

    Example:
        >>> import dynconf, torch._dynamo.config
        >>> ours = dynconf.defaults(recompile_limit=dynconf.at_least(128))
        >>> torch._dynamo.config.recompile_limit
        128
        >>> dynconf.origin("recompile_limit").kind
        'defaults'
        >>> ours.uninstall()
    """
    missing = check_missing(missing, "missing")
    changes = changes_of(arguments, flags, "dynconf.defaults")
    if has_state(changes):
        state = changes.as_state().only_set()
        changes = {setting.newest: each.value for setting, each in state.items()}
    release, line = Release.at_hand(), caller()
    if quiet:
        line = _QuietCaller.at(line.file, line.line)
    refused = [] if allow is None else list(_refused(changes, allow, release))
    if refused:
        raise combined(refused)
    newer = newer_flags(release, line)
    library = read_keywords(
        changes,
        release,
        line.origin("defaults"),
        missing=missing,
        newer=newer,
        convert=check_value if allow is None else lambda setting, data: setting.type.from_data(data),
    )
    theirs = library.resolved()
    user = gather(release, newer=newer, check=False).with_held_defaults()
    # A library must not fail because of a mistake that has nothing to do with it.
    concerned = {None, *(each.newest for each in theirs)}
    errors = tuple(each for each in user.errors if each.flag in concerned)
    others = [
        EnvironmentWarning(f"{each}; dynconf.defaults leaves it out", flag=each.flag, place=each.place)
        for each in user.errors
        if each not in errors
    ]
    of_user = replace(user, state=user.state.select(theirs.__contains__), errors=errors).resolved()
    entries = {**theirs, **of_user}
    for module in {setting.module for setting in entries}:
        bind(module, line)
    entries |= _read_by_torch(theirs.keys() - of_user)
    for warning in (*library.warnings, *user.warnings, *others):  # before, because they may be errors
        line.warn(warning)
    return install_state(State(release, entries), line, place=DEFAULTS)


def _read_by_torch(settings: Iterable[Setting]) -> dict[Setting, SettingValue]:
    """Return the values that torch has read from variables of the user's which are gone by now."""
    slots = {setting: bind(setting.module).slot(setting.name) for setting in settings}
    origins = {setting: slot.origin_at_import() for setting, slot in slots.items()}
    return {
        setting: SettingValue(slots[setting].value_at_import(), origin)
        for setting, origin in origins.items()
        if origin.kind == "env"
    }


class _QuietCaller(Caller):
    """A line that gets log records in place of warnings."""

    __slots__ = ()

    def warn(self, warning: DynconfWarning) -> None:
        _LOG.info("%s", warning)


def _refused(
    flags: Mapping[str, Any], allow: Collection[str], release: Release
) -> Iterator[UnknownFlagError]:
    """Yield an error for each flag that is not allowed, and for each allowed name that is unknown."""
    allowed = {names.newest_name(name) for name in allow}
    unknown = [name for name in allow if not names.is_known(name)]
    for name in unknown:
        yield UnknownFlagError(f"allow: {names.why_unknown(name, release)}", flag=name)
    for name, _ in each_flag(flags, release) if not unknown else ():
        newest = names.newest_name(name)
        if newest not in allowed:
            near = nearest(newest, allowed)
            suggestion = f": did you mean {near!r}?" if near else ";"
            listed = ", ".join(sorted(allowed))
            yield UnknownFlagError(f"{name} is not accepted{suggestion} accepted are {listed}", flag=name)
