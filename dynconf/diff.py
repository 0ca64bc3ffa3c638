"""The differences between two states."""

import os
from dataclasses import dataclass, replace
from typing import Any, Literal

from dynconf.catalogue import Setting
from dynconf.errors import InertFlagWarning
from dynconf.escaping import printable
from dynconf.flags.flag import BARE_MODULE
from dynconf.flags.types import same, shown
from dynconf.names import newest_module, show_data, with_former_modules
from dynconf.origin import caller
from dynconf.release import Release
from dynconf.saving import read_state
from dynconf.snapshot import with_defaults
from dynconf.sources.calls import StateLike, as_state
from dynconf.sources.missing import Missing
from dynconf.sources.reading import Reading
from dynconf.state import State

StateOrFile = StateLike | str | os.PathLike[str]
"""A state, or a file that contains one, or a settings file."""


Kind = Literal["added", "removed", "renamed", "default-changed", "changed"]


@dataclass(frozen=True, slots=True)
class Change:
    """One difference between a state and another.

    Attributes:
        kind: ``added`` and ``removed``: only one of the two releases has the flag. ``renamed``: torch
            calls it by different names in the two. ``default-changed``: nothing sets it, and the releases
            differ in its default. ``changed``: its value differs, and something sets it in at least one of
            the two.
        flag: The flag, by its newest name.
        before: Its value in the first state; torch's name for it there if it was renamed.
        after: The same for the second.
    """

    kind: Kind
    flag: str
    before: Any = None
    after: Any = None

    def __str__(self) -> str:
        """Say it in one line."""
        words = {
            "added": f"added, {shown(self.after)}",
            "removed": f"removed, was {shown(self.before)}",
            "renamed": f"renamed, was {self.before}",
            "default-changed": f"default changed, {shown(self.before)} to {shown(self.after)}",
            "changed": f"changed, {shown(self.before)} to {shown(self.after)}",
        }
        return printable(f"{self.flag}: {words[self.kind]}")

    def as_json(self) -> dict[str, Any]:
        """Return the change as a JSON object; ``before`` and ``after`` only if there is such a side."""
        sides = {} if self.kind == "added" else {"before": self._side(self.before)}
        if self.kind != "removed":
            sides["after"] = self._side(self.after)
        return {"kind": self.kind, "flag": self.flag, **sides}

    def _side(self, value: Any) -> Any:
        return value if self.kind == "renamed" else show_data(self.flag, value)


def diff(a: StateOrFile, b: StateOrFile, *, trust: bool = False) -> list[Change]:
    """Return the differences between two states, by flag.

    A file is read for the release of the other state, or for the torch at hand if both are files. Flags that
    a file does not mention have their defaults.

    Args:
        a: A snapshot, settings, a mapping of flags to values, or the path of a saved state or of a settings
            file.
        b: The same.
        trust: Whether files may set flags with a reach: see `load`.

    Raises:
        StateFileError: A file cannot be read, or something in it is wrong or needs trust.

    Example:
        >>> import dynconf
        >>> before = dynconf.snapshot()
        >>> with dynconf.patch(recompile_limit=64):
        ...     print(dynconf.diff(before, dynconf.snapshot())[0])
        recompile_limit: changed, 8 to 64
    """
    call_site = caller()
    given = [each if isinstance(each, (str, os.PathLike)) else as_state(each, call_site) for each in (a, b)]
    release = next((each.release for each in given if isinstance(each, State)), None) or Release.at_hand()
    states = []
    for each in given:
        if isinstance(each, State):
            states.append(each)
            continue
        reading = read_for_diff(each, release, "warn", trust=trust)
        for warning in reading.warnings:
            call_site.warn(warning)
        states.append(reading.state)
    return changes(*states)


def read_for_diff(
    path: str | os.PathLike[str], release: Release, missing: Missing, *, trust: bool = False
) -> Reading:
    """Read a file as `read_state` does, but without warnings about no-op flags: comparing sets nothing."""
    reading = read_state(path, release, missing, trust=trust)
    return replace(
        reading, warnings=tuple(each for each in reading.warnings if not isinstance(each, InertFlagWarning))
    )


def changes(before: State, after: State) -> list[Change]:
    """Return the differences between two states, by flag."""
    modules = {BARE_MODULE}
    for setting in (*before, *after):
        modules |= {setting.module, newest_module(setting)}
    old, new = (with_defaults(each, with_former_modules(sorted(modules))) for each in (before, after))
    olds, news = ({setting.newest: setting for setting in each} for each in (old, new))
    found: list[Change] = []
    for name in sorted(olds.keys() | news.keys()):
        first, second = olds.get(name), news.get(name)
        if first is None and second is not None:
            found.append(Change("added", name, after=_meaning(second, new)))
        elif second is None and first is not None:
            found.append(Change("removed", name, before=_meaning(first, old)))
        elif first is not None and second is not None:
            if first.qualified != second.qualified:
                found.append(Change("renamed", name, first.qualified, second.qualified))
            nobody_set_it = not old[first].is_set and not new[second].is_set
            values = _meaning(first, old), _meaning(second, new)
            # Defaults of one release may be derived from the machine; nobody caused such a difference.
            if not same(*values) and not (nobody_set_it and before.release == after.release):
                found.append(Change("default-changed" if nobody_set_it else "changed", name, *values))
    return found


def _meaning(setting: Setting, state: State) -> Any:
    return setting.type.truth(state.value(setting))
