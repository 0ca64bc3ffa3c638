"""What differs between two states."""

import os
from dataclasses import dataclass
from typing import Any, Literal

from dynconf.entry import Entry, show_data
from dynconf.errors import DynconfWarning, InertFlagWarning
from dynconf.escaping import printable
from dynconf.flags.types import same, shown
from dynconf.names import split, views
from dynconf.origin import DEFAULT, caller
from dynconf.release import Release
from dynconf.saving import read_state
from dynconf.snapshot import Snapshot, StateLike, as_snapshot
from dynconf.sources.missing import Missing

StateOrFile = StateLike | str | os.PathLike[str]
"""A state, or a file that contains one, or a settings file."""


Kind = Literal["added", "removed", "renamed", "default-changed", "changed"]


@dataclass(frozen=True, slots=True)
class Change:
    """One difference between a state and another.

    Attributes:
        kind: ``added`` and ``removed``: only one of the two releases has the flag. ``renamed``: both have it,
            under different names. ``default-changed``: nothing sets it, and the releases differ in its
            default. ``changed``: its value differs, and something sets it in at least one of the two.
        flag: The flag, by its name in the second state; for one that is removed, in the first.
        before: Its value in the first state; its name there if it was renamed.
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
    """Return what differs between two states, by flag.

    A file is read for the release of the other state, or for the torch at hand if both are files. Flags that
    a file does not mention have their defaults.

    Args:
        a: A snapshot, settings, a mapping of flags to values, or the path of a saved state or of a settings
            file.
        b: The same.
        trust: Whether files may set flags by which torch runs, writes or skips what they name: see `load`.

    Raises:
        StateFileError: A file cannot be read, or something in it is wrong or needs trust.

    Example:
        >>> import dynconf
        >>> before = dynconf.snapshot()
        >>> with dynconf.patch(recompile_limit=64):
        ...     print(dynconf.diff(before, dynconf.snapshot())[0])
        recompile_limit: changed, 8 to 64
    """
    here = caller()
    given = [each if isinstance(each, (str, os.PathLike)) else as_snapshot(each, here) for each in (a, b)]
    release = next((each.release for each in given if isinstance(each, Snapshot)), None) or Release.at_hand()
    states = []
    for state in given:
        if isinstance(state, Snapshot):
            states.append(state)
            continue
        snapshot, notes = read_for_diff(state, release, "warn", trust=trust)
        for note in notes:
            here.warn(note)
        states.append(snapshot)
    return changes(*states)


def read_for_diff(
    path: str | os.PathLike[str], release: Release, missing: Missing, *, trust: bool = False
) -> tuple[Snapshot, list[DynconfWarning]]:
    """Read a file as `read_state` does, but without warnings about no-op flags: comparing sets nothing."""
    snapshot, notes = read_state(path, release, missing, trust=trust)
    return snapshot, [note for note in notes if not isinstance(note, InertFlagWarning)]


def changes(before: Snapshot, after: Snapshot) -> list[Change]:
    """Return what differs between two snapshots, by flag."""
    modules = {before.module, after.module}
    modules |= {split(name, each.module)[0] for each in (before, after) for name in each.values}
    olds, news = (_all_entries(each, sorted(modules)) for each in (before, after))
    found: list[Change] = []
    for key in sorted(olds.keys() | news.keys()):
        old, new = olds.get(key), news.get(key)
        if old is None and new is not None:
            found.append(Change("added", new.name, after=new.meaning))
        elif new is None and old is not None:
            found.append(Change("removed", old.name, before=old.meaning))
        elif old is not None and new is not None:
            if old.name != new.name:
                found.append(Change("renamed", new.name, old.name, new.name))
            nobody_set_it = old.origin.kind == new.origin.kind == "default"
            # Defaults of one release may be derived from the machine; nobody caused such a difference.
            if not same(old.meaning, new.meaning) and not (nobody_set_it and before.torch == after.torch):
                kind: Kind = "default-changed" if nobody_set_it else "changed"
                found.append(Change(kind, new.name, old.meaning, new.meaning))
    return found


def _all_entries(snapshot: Snapshot, modules: list[str]) -> dict[str, Entry]:
    """Return every setting of these modules, by newest name: what the snapshot does not have is a default."""
    there = {entry.key: entry for entry in snapshot.entries() if entry.origin.kind != "alias"}
    for view in views(snapshot.release, modules):
        for setting in view.settings.values():
            entry = Entry(setting.qualified, setting, setting.default_value(), DEFAULT)
            there.setdefault(entry.key, entry)
    return there
