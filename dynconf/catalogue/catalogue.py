"""A catalogue: everything that is known about one config module, and its view at one release."""

import contextlib
import functools
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from types import MappingProxyType
from typing import Any, Final

from dynconf.catalogue._generated.index import MOVED
from dynconf.catalogue.flags.flag import (
    BARE_MODULE,
    Computed,
    Effect,
    Flag,
    Removed,
    default_value,
    fact_in,
    part_in_cache_key,
    qualified,
)
from dynconf.catalogue.flags.rule import Level, Rule
from dynconf.catalogue.flags.types import Mismatch, copy_containers, is_same_value, short_repr
from dynconf.catalogue.flags.variable import IMPORT_ERRORS, ForeignVariable, Variable
from dynconf.errors import ConflictError, ConflictWarning, InvalidValueError
from dynconf.provenance import Origin
from dynconf.release import Release, minor, within
from dynconf.text import nearest


def moved(full: str) -> str:
    """Return the qualified name of a flag after its move to another module, if it has moved."""
    return MOVED.get(full, full)


_CONSTANT = frozenset((bool, int, float, str, type(None)))


class Setting:
    """A flag as one release has it: the key under which its value is kept wherever values travel.

    There is one object for each setting of a release, so that two are equal only if they are the same.

    Attributes:
        flag: The record of the name by which the release knows the setting.
        key: Its newest name in its config module.
        qualified: Its name in the release, as torch spells it, with the module in front except for dynamo's.
        newest: Its newest name of all, as every result shows it: with the module that it moved to in front,
            except for dynamo's.
        public: Whether users are meant to set it, as its newest record says.
        default: Its default in the release, as the record gives it.
        variables: The variables that the release itself reads for it, the strongest first.
        implied_by: The flags that override it in the release.
        compile_ignored: Whether a change leaves compiled code valid.
        rules: The rules over several flags in which it takes part.
    """

    def __init__(self, flag: Flag, key: str, release: Release, newest: Flag | None = None) -> None:
        at = release.minor
        self.flag: Final = flag
        self.key: Final = key
        self.release: Final = release
        self.public: Final = newest is None or newest.public
        self.name: Final = flag.name
        self.qualified: Final = flag.qualified
        self.newest: Final = moved(f"{flag.module}.{key}").removeprefix(f"{BARE_MODULE}.")
        self.module: Final = flag.module
        self.type: Final = flag.type_in(at)
        self.default: Final = fact_in(flag.default, at)
        self.variables: Final = tuple(each for each in flag.variables if each.is_read_in(at))
        self.status: Final = flag.status_in(at)
        self.implied_by: Final = fact_in(flag.implied_by, at)
        self.compile_ignored: Final = fact_in(flag.compile_ignored, at)
        self._effect: Final = (newest or flag).effect
        self.rules: tuple[ReleaseRule, ...] = ()

    def __repr__(self) -> str:
        return f"Setting({self.qualified!r}, torch {self.release.version})"

    @property
    def is_catalogued(self) -> bool:
        """Whether the catalogue has the flag; the live module may have one that is newer."""
        return bool(self.flag.topic)

    @functools.cached_property
    def inert(self) -> str:
        """Why setting it has no effect, if that is so; otherwise empty."""
        name, torch = self.qualified, f"torch {self.release.version}"
        return {
            "no-op": f"{name} does nothing in {torch}; {advice(self.flag.replacement)}",
            "unread": f"nothing in {torch} reads {name}",
        }.get(self.status, "")

    @functools.cached_property
    def in_cache_key(self) -> str:
        """The part of it that is in the key of Inductor's FX graph cache.

        It is "nothing" if it is left out of that, and "" if the key has no flags of its module.
        """
        return part_in_cache_key(self.flag, self.release.minor)

    @property
    def is_in_no_key(self) -> bool:
        """Whether torch leaves it out of all hashes and keys by which it finds compiled code."""
        return self.compile_ignored or self.in_cache_key == "nothing"

    @property
    def effect(self) -> Effect:
        """The effect of another value on compiled code."""
        return "nothing" if self.inert or self.is_in_no_key else self._effect

    @property
    def is_computed(self) -> bool:
        """Whether torch derives the default from the machine or the interpreter."""
        return isinstance(self.default, Computed)

    @functools.cached_property
    def is_absent(self) -> bool:
        """Whether its release lacks the flag, for which settings models have a field nevertheless."""
        return not self.flag.exists_in(self.release)

    @functools.cached_property
    def is_judged(self) -> bool:
        """Whether there is more to say about a value than that the flag accepts it."""
        return bool(self.rules or self.inert or self.is_absent)

    def default_value(self) -> Any:
        """Return the default, as a fresh object that the caller may change."""
        if type(self.default) in _CONSTANT:  # the common case
            return self.default
        if isinstance(self.default, Computed) or self.type.names_objects:  # which may be there by now
            return default_value(self.type, self.default)
        return copy_containers(self._default)

    def variable_behind(self, value: object, default: object) -> tuple[Variable, str] | None:
        """Return the variable, and its text, from which torch may have read *value* instead of *default*."""
        for variable in self.variables:
            raw = os.environ.get(variable.name)
            # An empty variable counts as unset, unless torch reads it as something.
            if raw is None or (not raw.strip() and is_same_value(value, default)):
                continue
            with contextlib.suppress(*IMPORT_ERRORS):
                if is_same_value(variable.torch_value(raw, default), value):
                    return variable, raw
        return None

    @functools.cached_property
    def _default(self) -> Any:
        return default_value(self.type, self.default)

    def text(self, value: Any) -> str:
        """Return a value in a few words, for people: objects go by their names, sets are sorted."""
        data = self.type.show_data(value)
        if isinstance(value, (set, frozenset)) and isinstance(data, list):
            items = sorted(item if isinstance(item, str) else short_repr(item) for item in data)
            return f"{{{', '.join(items)}}}" if items else "set()"
        return data if isinstance(data, str) and not isinstance(value, str) else short_repr(value)

    def check(self, value: object, origin: Origin | None = None) -> Any:
        """Return *value* as the flag stores it; raise `InvalidValueError` if the flag does not accept it."""
        try:
            return self.type.check(value)
        except Mismatch as problem:
            raise self.invalid(value, problem, origin) from None

    def invalid(self, value: object, problem: Mismatch, origin: Origin | None = None) -> InvalidValueError:
        """Return the error for *value*, which names the flag, the source, the expectation and the problem."""
        raw = None if origin is None or origin.kind == "file" else origin.raw
        given = short_repr(value if raw is None else raw)
        place = "" if origin is None else f" (from {origin})"
        return InvalidValueError(
            f"{self.newest}: {given}{place} is not valid: expected {self.type.expected_instead(problem)}",
            flag=self.newest,
            place=None if origin is None else origin.place,
        )


@dataclass(frozen=True, slots=True, eq=False)
class ReleaseRule:
    """A rule as it applies in one release; `Rule.is_broken` takes the values of *settings* in their order."""

    rule: Rule
    settings: tuple[Setting, ...]
    level: Level

    def problem(
        self, values: Iterable[Any], origin_of: Callable[[Setting], Origin]
    ) -> ConflictError | ConflictWarning:
        """Return the error or warning for values that break it, with the origin of each."""
        pairs = zip(self.settings, values, strict=True)
        parts = [f"{setting.newest}={short_repr(value)} ({origin_of(setting)})" for setting, value in pairs]
        message = f"{self.rule.code}: {' with '.join(parts)}: {self.rule.why}"
        if self.level == "error":
            return ConflictError(message)
        names = " ".join(setting.newest for setting in self.settings)
        return ConflictWarning(message, topic=f"{self.rule.code} {names}")


class View:
    """The part of a catalogue that is true in one release, computed once.

    Attributes:
        settings: The settings, which hold a value of their own, by newest name in this module.
        aliases: The names that the release itself forwards, to the names that it forwards them to; with the
            module in front if it is another one.
        names: Every name in the release, aliases included, sorted.
        followers: The variables that the release itself reads, to the settings that each sets, and how.
        uniform_variables: dynconf's own variables, for every name that a public setting has had.
    """

    def __init__(self, catalogue: "Catalogue", release: Release) -> None:
        self.catalogue = catalogue
        self.release = release
        at = release.minor
        present = {name: flag for name, flag in catalogue.flags.items() if flag.exists_in(at)}
        self.aliases: Mapping[str, str] = {
            name: flag.renamed_to for name, flag in present.items() if flag.is_alias_in(at)
        }
        self.names = tuple(sorted(present))
        # These have no value of their own, because the release forwards them to another module.
        elsewhere = {name for name, target in self.aliases.items() if target not in catalogue.flags}
        self.settings: dict[str, Setting] = {}
        self._by_name: dict[str, Setting] = {}
        for newest, names in catalogue.families.items():
            name = next((each for each in names if each in present and each not in elsewhere), None)
            if name is not None:
                setting = Setting(present[name], newest, release, catalogue.flags[newest])
                self.settings[newest] = setting
                self._by_name.update(dict.fromkeys(names, setting))
        self.rules: list[ReleaseRule] = []
        for rule in catalogue.rules:
            about = tuple(self.settings[flag] for flag in rule.flags if flag in self.settings)
            if within(at, rule.since, rule.until) and len(about) == len(rule.flags):
                self.rules.append(ReleaseRule(rule, about, fact_in(rule.level, at)))
                for setting in about:
                    setting.rules = (*setting.rules, self.rules[-1])
        self.followers: dict[str, list[tuple[Setting, Variable]]] = {}
        for setting in self.settings.values():
            for variable in setting.variables:
                self.followers.setdefault(variable.name, []).append((setting, variable))
        self.uniform_variables = {
            variable: self._by_name[name]
            for variable, name in catalogue.uniform_variables.items()
            if name in self._by_name
        }

    def get(self, name: str) -> Setting | None:
        """Return the setting that *name*, old or new, means in the release, or None."""
        return self._by_name.get(name)

    def is_group(self, name: str) -> bool:
        """Tell whether *name* is that of a group of flags, such as ``triton``, and not of one flag."""
        return name in self.catalogue.groups and name not in self._by_name

    @property
    def groups(self) -> list[str]:
        """The groups of flags that users may set, sorted."""
        public = {name.partition(".")[0] for name, flag in self.catalogue.flags.items() if flag.public}
        return sorted(filter(self.is_group, public))

    def why_absent(self, name: str) -> str:
        """Say why the release has no flag *name*: it is too new, or was removed; "" if no release had it."""
        catalogue, version = self.catalogue, self.release.version
        full = repr(qualified(catalogue.name, name))
        if name in self.aliases:
            return f"{full} is {self.aliases[name]!r} in torch {version}"
        if name in catalogue.flags:
            flag = catalogue.flags[catalogue.canonical(name)]
            # A newer name may be younger than the setting.
            first = min(
                (catalogue.flags[each] for each in catalogue.names_of(name)), key=lambda f: minor(f.since)
            )
            if minor(first.since) > self.release.minor:
                as_name = "" if first.name == name else f" as {first.qualified!r}"
                return f"{full} is not in torch {version} yet: it was added in torch {first.since}{as_name}"
            last = f": torch {flag.until} was the last release to have it" if flag.until else ""
            return f"{full} is no longer in torch {version}{last}; {advice(flag.replacement)}"
        if name in catalogue.removed:
            removed = catalogue.removed[name]
            last = f"torch {removed.until} was the last release to have it"
            return (
                f"{full} is gone: {last if removed.until else 'removed before torch 2.0'}; {removed.advice}"
            )
        return ""


@dataclass(eq=False, repr=False)
class Catalogue:
    """Everything that is known about one config module, over all releases.

    Attributes:
        name: The short name of the module, such as ``dynamo``.
        module: The module, such as ``torch._dynamo.config``.
        topics: Its flags by topic, in the order in which a reader would want them.
        flags: Every flag by torch's own name, old names included.
        removed: The flags that were removed before torch 2.4, by name.
        rules: The rules over several of its flags.
        foreign: Variables that look like those of its flags but belong to other parts of torch.
        phantoms: Variables that scripts set and that no torch reads, with advice.
        families: Every name that a setting has had, newest first, by the newest.
        groups: The parts before the dot in names such as ``triton.cudagraphs``.
        uniform_variables: dynconf's own variables, and the name of a public flag, old or new, of each.
    """

    name: str
    module: str
    topics: Mapping[str, Iterable[Flag]]
    _: KW_ONLY
    removed: Mapping[str, Removed] = field(default_factory=dict)
    rules: Sequence[Rule] = ()
    foreign: Sequence[ForeignVariable] = ()
    phantoms: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        records: dict[str, Flag] = {}
        for topic, flags in self.topics.items():
            for flag in flags:
                # In the records themselves: copying hundreds of them would double the time of loading.
                object.__setattr__(flag, "topic", topic)
                object.__setattr__(flag, "module", self.name)
                records[flag.name] = flag
        self.flags: Mapping[str, Flag] = MappingProxyType(records)
        families: dict[str, list[str]] = {}
        for name in sorted(self.flags, key=lambda name: self.canonical(name) != name):
            families.setdefault(self.canonical(name), []).append(name)
        self.families = {newest: tuple(names) for newest, names in families.items()}
        self.groups = frozenset(flag.partition(".")[0] for flag in self.flags if "." in flag)
        self.uniform_variables = {
            self.flags[name].uniform_variable: name
            for newest, names in self.families.items()
            if self.flags[newest].public
            for name in names
        }
        self._views: dict[str, View] = {}

    def __repr__(self) -> str:
        return f"Catalogue({self.name!r})"

    def at(self, release: Release) -> View:
        """Return the view of a release; the same one each time."""
        view = self._views.get(release.version)
        # Settings are equal only if identical, even if several threads ask for the first time at once.
        return view or self._views.setdefault(release.version, View(self, release))

    @property
    def noun(self) -> str:
        """The word for its flags in messages."""
        return "flag" if self.name == BARE_MODULE else f"{self.name} flag"

    def canonical(self, name: str) -> str:
        """Return the newest name, in this module, of the flag *name*; an unknown name stays as it is."""
        while name in self.flags and self.flags[name].renamed_to in self.flags:
            name = self.flags[name].renamed_to
        return name

    def names_of(self, name: str) -> tuple[str, ...]:
        """Return every name that the setting has had, newest first."""
        newest = self.canonical(name)
        return self.families.get(newest, (newest,))

    def nearest(self, name: str, *, alike: float = 0.6) -> str | None:
        """Return the public flag that is spelled most like *name*, if any is as close as *alike*, 0 to 1."""
        return nearest(name, (flag.name for flag in self.flags.values() if flag.public), cutoff=alike)


def advice(instead: str) -> str:
    """Return the advice for users of a flag, from the `instead` of its record."""
    if not instead:
        return "nothing replaces it"
    return f"use {instead!r} instead" if instead.isidentifier() else instead
