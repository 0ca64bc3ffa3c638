"""What differs between two states."""

import os
from dataclasses import dataclass
from typing import Any, Literal

from dynconf.catalogue import FLAGS
from dynconf.catalogue.names import canonical, default_of, settings_of
from dynconf.errors import DynconfWarning, InertFlagWarning, warn_once
from dynconf.provenance import DEFAULT, Origin
from dynconf.sources.layer import Missing
from dynconf.state.snapshot import Snapshot, meant
from dynconf.state.store import read_state, shown_as_json
from dynconf.values import same, shown
from dynconf.versions import AtHand, at_hand

State = Snapshot | str | os.PathLike[str]
"""A snapshot, or a file that holds one, or a file of settings."""


@dataclass(frozen=True, slots=True)
class Change:
    """One difference between a state and another.

    Attributes:
        kind: ``added`` and ``removed``: only one of the two releases has the flag. ``renamed``: both have it,
            by different names. ``default-changed``: nothing sets it, and the releases differ in its default.
            ``changed``: its value differs, and something sets it in at least one of the two.
        flag: The flag, by its name in the second state; for one that is removed, in the first.
        before: Its value in the first state; its name there, if it was renamed.
        after: The same for the second.
    """

    kind: Literal["added", "removed", "renamed", "default-changed", "changed"]
    flag: str
    before: Any = None
    after: Any = None

    def __str__(self) -> str:
        """Say it in one line."""
        match self.kind:
            case "added":
                return f"{self.flag}: added, {shown(self.after)}"
            case "removed":
                return f"{self.flag}: removed, was {shown(self.before)}"
            case "renamed":
                return f"{self.flag}: renamed, was {self.before}"
            case _:
                return (
                    f"{self.flag}: {self.kind.replace('-', ' ')}, {shown(self.before)} to {shown(self.after)}"
                )

    def as_json(self) -> dict[str, Any]:
        """Return the change as a JSON object; ``before`` and ``after`` only where there is such a side."""
        sides = {} if self.kind == "added" else {"before": self._side(self.before)}
        if self.kind != "removed":
            sides["after"] = self._side(self.after)
        return {"kind": self.kind, "flag": self.flag, **sides}

    def _side(self, value: Any) -> Any:
        return value if self.kind == "renamed" else shown_as_json(self.flag, value)


def diff(a: State, b: State) -> list[Change]:
    """Return what differs between two states, by flag.

    A file is read for the release of the other state, or, where both are files, for the torch at hand. Flags
    that a file does not mention have their defaults.

    Args:
        a: A snapshot, or the path of a saved state or of a file of settings.
        b: The same.

    Raises:
        StateFileError: A file cannot be read, or something in it is wrong.

    Example:
        >>> import dynconf
        >>> before = dynconf.snapshot()
        >>> with dynconf.patch(recompile_limit=64):
        ...     print(dynconf.diff(before, dynconf.snapshot())[0])
        recompile_limit: changed, 8 to 64
    """
    at = next((AtHand(each.torch, "asked") for each in (a, b) if isinstance(each, Snapshot)), None)
    return changes(_loaded(a, at or at_hand()), _loaded(b, at or at_hand()))


def _loaded(state: State, at: AtHand) -> Snapshot:
    if isinstance(state, Snapshot):
        return state
    snapshot, notes = read_for_diff(state, at, "warn")
    for note in notes:
        warn_once(note, stacklevel=4)
    return snapshot


def read_for_diff(
    path: str | os.PathLike[str], at: AtHand, missing: Missing
) -> tuple[Snapshot, list[DynconfWarning]]:
    """Read a file as `read_state` does, but do not warn of no-op flags: comparing sets nothing."""
    snapshot, notes = read_state(path, at, missing)
    return snapshot, [note for note in notes if not isinstance(note, InertFlagWarning)]


def changes(before: Snapshot, after: Snapshot) -> list[Change]:
    """Return what differs between two snapshots, by flag."""
    olds, news = _settings(before), _settings(after)
    found: list[Change] = []
    for flag in sorted(olds.keys() | news.keys()):
        if flag not in olds:
            found.append(Change("added", news[flag], after=_value(after, news[flag])[0]))
        elif flag not in news:
            found.append(Change("removed", olds[flag], before=_value(before, olds[flag])[0]))
        else:
            if olds[flag] != news[flag]:
                found.append(Change("renamed", news[flag], olds[flag], news[flag]))
            found += _changed(before, olds[flag], after, news[flag])
    return found


def _changed(before: Snapshot, old: str, after: Snapshot, new: str) -> list[Change]:
    was, where_from = _value(before, old)
    now, where = _value(after, new)
    nobody_set = where_from.kind == where.kind == "default"
    # Defaults of one release may be worked out from the machine; no one made such a difference.
    if same(was, now) or (nobody_set and before.torch == after.torch):
        return []
    return [Change("default-changed" if nobody_set else "changed", new, was, now)]


def _settings(snapshot: Snapshot) -> dict[str, str]:
    """Return the settings of the snapshot's release: newest name to the name that the release uses."""
    known = {canonical(flag.name): flag.name for flag in settings_of(snapshot.minor)}
    newer = {name: name for name in snapshot.values if name not in FLAGS}
    return known | newer


def _value(snapshot: Snapshot, name: str) -> tuple[Any, Origin]:
    """Return the value of a flag and where it came from; the default where the snapshot does not have it."""
    if name in snapshot.values:
        return meant(name, snapshot.values[name]), snapshot.origins[name]
    return default_of(name, snapshot.minor), DEFAULT
