"""The differences between two states."""

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

from dynconf.catalogue.catalogue import Setting, advice
from dynconf.catalogue.flags.flag import BARE_MODULE, Computed
from dynconf.catalogue.flags.types import is_same_value, short_repr, value_text
from dynconf.catalogue.flags.variable import VARIABLE_RULES
from dynconf.catalogue.names import (
    find,
    module_views,
    newest_module,
    newest_record,
    show_data,
    with_former_modules,
)
from dynconf.errors import DynconfWarning, InertFlagWarning, InvalidValueError
from dynconf.provenance import Origin, caller
from dynconf.release import Release, minor
from dynconf.sources.calls import as_state
from dynconf.sources.files import Document, open_document
from dynconf.state import Missing, SettingValue, State, StateLike
from dynconf.store.saving import read_state
from dynconf.store.snapshot import default_state, with_defaults
from dynconf.text import html_table, printable

StateOrFile = StateLike | str | os.PathLike[str]
"""A state, or a file that contains one, or a settings file."""

Side = tuple[State, Mapping[str, Any]]
"""A state, and what else its file has: torch, and of a report the numerics and the environment."""

Kind = Literal[
    "added",
    "removed",
    "renamed",
    "default-changed",
    "changed",
    "numerics-changed",
    "variable-added",
    "variable-removed",
    "variable-changed",
]

RELEASE_KINDS: dict[str, tuple[Kind, ...]] = {
    "defaults": ("default-changed",),
    "names": ("renamed", "removed", "added"),
    "variables": ("variable-removed", "variable-added", "variable-changed"),
}
"""The kinds of changes between two releases by subject, those that change a program's behavior first."""


@dataclass(frozen=True, slots=True)
class Change:
    """One difference between a state and another.

    Attributes:
        kind: ``added`` and ``removed``: only one of the two releases has the flag. ``renamed``: torch's name
            for it differs. ``default-changed``: its value differs, and nothing sets it. ``changed``: its
            value differs, and something sets it in at least one of the two. ``numerics-changed``: it is no
            flag, but a switch of torch that changes results, as reports have them. ``variable-added`` and
            ``variable-removed``: only one of the two releases reads a variable for it. ``variable-changed``:
            they read it by different rules.
        flag: The flag, by its newest name.
        before: Its value in the first state; torch's name for it there if it was renamed; the variable, with
            the way in which torch reads it if that is the difference.
        after: The same for the second.
        instead: For a removed flag, the one to use instead, or other advice.
    """

    kind: Kind
    flag: str
    before: Any = None
    after: Any = None
    instead: str = ""

    def __str__(self) -> str:
        """Say it in one line."""
        before, after = (each if self._is_text else short_repr(each) for each in (self.before, self.after))
        words = {
            "added": f"added, {after}",
            "removed": f"removed, was {before}{f'; {self.instead}' if self.instead else ''}",
            "renamed": f"renamed, was {before}",
            "default-changed": f"default changed, {before} to {after}",
            "variable-added": f"set by {after}",
            "variable-removed": f"no longer set by {before}",
            "variable-changed": f"torch read {before}, and now {after}",
        }
        return printable(f"{self.flag}: {words.get(self.kind, f'changed, {before} to {after}')}")

    @property
    def _is_text(self) -> bool:
        """Whether the sides are names or descriptions, and no values."""
        return self.kind == "renamed" or self.kind.startswith("variable")

    def as_json(self) -> dict[str, Any]:
        """Return the change as a JSON object; ``before`` and ``after`` only if there is such a side."""
        instead = {"instead": self.instead} if self.instead else {}
        sides = {} if self.kind in ("added", "variable-added") else {"before": self._side(self.before)}
        if self.kind not in ("removed", "variable-removed"):
            sides["after"] = self._side(self.after)
        return {"kind": self.kind, "flag": self.flag, **sides, **instead}

    def _side(self, value: Any) -> Any:
        if isinstance(value, Computed):
            return f"({value.from_what})"
        return value if self._is_text else show_data(self.flag, value)


class Changes(list[Change]):
    """Differences, with a table of them in notebooks."""

    def _repr_html_(self) -> str:
        rows = [table_row(each.as_json()) for each in self]
        return html_table("differences" if rows else "no differences", rows, headers=TABLE_HEADERS)


TABLE_HEADERS = ("flag", "change", "before", "after")


def table_row(change: dict[str, Any]) -> tuple[str, ...]:
    """Return the row of a table for a change in its JSON form."""
    sides = (value_text(change[side]) if side in change else "" for side in ("before", "after"))
    before, after = sides
    return change["flag"], change["kind"], before, after or change.get("instead", "")


def diff(a: StateOrFile, b: StateOrFile, *, trust: bool = False) -> list[Change]:
    """Return the differences between two states, by flag.

    A file is read for the release of the other state, or for the torch at hand if both are files. Flags that
    a file does not mention have their defaults.

    Args:
        a: A snapshot, settings, a mapping of flags to values, or the path of a saved state or settings file.
        b: The same.
        trust: Whether files may set flags with risks: see `load`.

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
    sides = [each if isinstance(each, (str, os.PathLike)) else as_state(each, call_site) for each in (a, b)]
    release = next((each.release for each in sides if isinstance(each, State)), Release.at_hand())
    read = partial(side_of, release=release, missing="warn", warn=call_site.warn, trust=trust)
    return compared(*((each, {}) if isinstance(each, State) else read(each) for each in sides))[0]


class _Unwritten(str):
    """What a report says of a value that no file can hold, such as a lambda: to be compared, and not set."""

    __slots__ = ()
    __repr__ = str.__str__


def side_of(
    file: str | os.PathLike[str] | Document,
    release: Release,
    missing: Missing,
    warn: Callable[[DynconfWarning], object],
    *,
    trust: bool = False,
) -> Side:
    """Return the state in a file, with what else it has."""
    document = file if isinstance(file, Document) else open_document(os.fspath(file))
    state = read_for_diff(document, release, missing, warn, trust=trust)
    shown = {
        setting: SettingValue(_Unwritten(text), Origin("file", name, file=document.name))
        for name, text in document.part_of_report("unwritten").items()
        if (setting := find(name, release))
    }
    parts = {part: document.part_of_report(part) for part in ("numerics", "environment")}
    return state.with_entries(shown), {"torch": document.data.get("torch"), **parts}


def compared(first: Side, second: Side) -> tuple[list[Change], list[str]]:
    """Return the differences between two sides, and notes of what is different and not compared."""
    notes = []
    with suppress(InvalidValueError):  # settings are of no release
        a, b = (Release.named(facts.get("torch", "")).version for _, facts in (first, second))
        if minor(a) != minor(b):
            notes.append(
                f"the first is from torch {a}, the second from {b}: a flag that neither sets has the default"
                f" of its release; `dynconf diff --torch {a} --torch {b} --what defaults` compares those"
            )
    if facts := [each.flag for each in numerics_changes(first, second, "environment")]:
        notes.append(f"the environments differ: {', '.join(facts)}")
    for word, (_, own), (_, other) in (("first", first, second), ("second", second, first)):
        if own.get("environment") and other.get("numerics") and not own.get("numerics"):
            notes.append(
                f"the {word} has no numerics switches, such as float32_matmul_precision, which are not"
                " compared: its torch was not loaded; `dynconf report --live` has them"
            )
    return Changes([*changes(first[0], second[0]), *numerics_changes(first, second)]), notes


def numerics_changes(first: Side, second: Side, part: str = "numerics") -> list[Change]:
    """Return the switches, or the facts of another part, that differ; what only one side has is unknown."""
    old, new = (facts.get(part, {}) for _, facts in (first, second))
    both = [each for each in old if each in new and old[each] != new[each]]
    return [Change("numerics-changed", each, old[each], new[each]) for each in both]


def read_for_diff(
    path: str | os.PathLike[str] | Document,
    release: Release,
    missing: Missing,
    warn: Callable[[DynconfWarning], object],
    *,
    trust: bool = False,
) -> State:
    """Read a file as `read_state` does, but do not warn of no-op flags: comparing sets nothing."""
    reading = read_state(path, release, missing, trust=trust)
    for warning in reading.warnings:
        if not isinstance(warning, InertFlagWarning):
            warn(warning)
    return reading.state


def changes(before: State, after: State) -> list[Change]:
    """Return the differences between two states, by flag."""
    modules = sorted({BARE_MODULE, *map(newest_module, (*before, *after))})
    old, new = (with_defaults(each, with_former_modules(modules)) for each in (before, after))
    olds, news = ({setting.newest: setting for setting in each} for each in (old, new))
    for mine, state in ((olds, old), (news, new)) if before.release == after.release else ():
        # The default of a flag that is newer than the catalogue is known only to what was read from torch.
        for name in olds.keys() ^ news.keys():
            if name in mine and not (mine[name].is_catalogued or state[mine[name]].is_set):
                del mine[name]
    found = [Change("added", name, after=new.value(news[name])) for name in news.keys() - olds.keys()]
    found += [
        Change("removed", name, old.value(olds[name]), instead=_instead(name, olds[name], after.release))
        for name in olds.keys() - news.keys()
    ]
    for name in olds.keys() & news.keys():
        first, second = olds[name], news[name]
        if first.qualified != second.qualified:
            found.append(Change("renamed", name, first.qualified, second.qualified))
        nobody_set_it = {old.origin(first).kind, new.origin(second).kind} <= {"default", "release"}
        values = old.value(first), new.value(second)
        # Defaults of one release may be derived from the machine; nobody caused such a difference.
        if not is_same_value(*values) and not (nobody_set_it and before.release == after.release):
            found.append(Change("default-changed" if nobody_set_it else "changed", name, *values))
    return Changes(sorted(found, key=lambda change: change.flag))


def release_changes(before: str, after: str) -> list[Change]:
    """Return the differences between two releases: defaults first, then names, then variables.

    Of each kind, those of torch's own plumbing come last. A default that depends on the machine is in words.
    """
    old, new = (default_state(each).state for each in (before, after))
    found = [_on_any_machine(each, old.release, new.release) for each in changes(old, new)]
    found += _variable_changes(old.release, new.release)
    kinds = [kind for kinds in RELEASE_KINDS.values() for kind in kinds]
    return sorted(found, key=lambda change: (kinds.index(change.kind), not newest_record(change.flag).public))


def _on_any_machine(change: Change, before: Release, after: Release) -> Change:
    if change.kind not in ("added", "removed", "default-changed"):
        return change
    sides = {"before": find(change.flag, before), "after": find(change.flag, after)}
    computed = {side: each.default for side, each in sides.items() if each and each.is_computed}
    return replace(change, **computed)


def _variable_changes(before: Release, after: Release) -> list[Change]:
    """Return the variables of common flags that only one release reads, or that the two read otherwise."""
    old, new = (
        {each.newest: each for view in module_views(release) for each in view.settings.values()}
        for release in (before, after)
    )
    found: list[Change] = []
    for flag in sorted(old.keys() & new.keys()):
        olds, news = ({each.name: each.rule for each in side[flag].variables} for side in (old, new))
        found += [Change("variable-removed", flag, before=name) for name in sorted(olds.keys() - news)]
        found += [Change("variable-added", flag, after=name) for name in sorted(news.keys() - olds)]
        for name in sorted(olds.keys() & news):
            if olds[name] != news[name]:
                ways = (f"{name}: {VARIABLE_RULES[rule].description}" for rule in (olds[name], news[name]))
                found.append(Change("variable-changed", flag, *ways))
    return found


def _instead(name: str, setting: Setting, release: Release) -> str:
    """Return what to do without a flag that a release lacks; nothing if the flag is merely too new."""
    if not setting.is_catalogued:
        return ""
    record = newest_record(name)
    is_gone = bool(record.until) and minor(record.until) < release.minor
    return advice(record.replacement or setting.flag.replacement) if is_gone else ""
