"""The state of a configuration: which settings have which values, and where each value came from.

Every value travels in a `State`: a source makes one, merging makes one of several, and settings, snapshots,
saved files, patches and installations take and return it. It is keyed by `Setting`, not by name: a setting
knows its module, its release and its type, so a name is looked up once, where it enters the program::

    limit = names.setting("cache_size_limit", release)                     # the edge
    state = State(release, {limit: SettingValue(64, Origin("keyword"))})
    state.value(limit), state.only_set(), limit.newest                     # 64, the same, "recompile_limit"
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from dynconf.catalogue.catalogue import Setting
from dynconf.catalogue.flags.types import copy_containers
from dynconf.provenance import DEFAULT, Origin
from dynconf.release import Release


class SettingValue(NamedTuple):
    """The value of a setting, with its origin."""

    value: Any
    origin: Origin

    @property
    def is_set(self) -> bool:
        """Whether something other than torch's default decides the value.

        A source that sets a flag to its default decides it, and so does a flag that implies another.
        """
        return self.origin.kind != "default"


class State(Mapping[Setting, SettingValue]):
    """An immutable mapping of settings to values with origins.

    A setting that is absent has the default of its release. Sets, dicts and lists are copied on the way in
    and on the way out: torch's own are often changed in place, and a state must not change with them.
    """

    __slots__ = ("_entries", "release")

    def __init__(self, release: Release, entries: Mapping[Setting, SettingValue] | None = None) -> None:
        self.release = release
        self._entries = {
            setting: each if type(each.value) not in _CONTAINERS else _copied(each)
            for setting, each in (entries or {}).items()
        }

    def __getitem__(self, setting: Setting) -> SettingValue:
        found = self._entries[setting]
        return found if type(found.value) not in _CONTAINERS else _copied(found)

    def __iter__(self) -> Iterator[Setting]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, setting: object) -> bool:
        return setting in self._entries

    def __repr__(self) -> str:
        listed = ", ".join(f"{setting.newest}={each.value!r}" for setting, each in self._entries.items())
        return f"State(torch {self.release.version}: {listed})"

    def value(self, setting: Setting) -> Any:
        """Return the value of a setting: the default of its release if the state does not have it."""
        return self[setting].value if setting in self._entries else setting.default_value()

    def origin(self, setting: Setting) -> Origin:
        """Return the origin of that value."""
        found = self._entries.get(setting)
        return DEFAULT if found is None else found.origin

    def bare_values(self) -> dict[Setting, Any]:
        """Return the values without their origins."""
        return {setting: each.value for setting, each in self.items()}

    def only_set(self) -> "State":
        """Return the state without the settings that merely have torch's default."""
        return State(self.release, {key: each for key, each in self._entries.items() if each.is_set})

    def select(self, wanted: Callable[[Setting], bool]) -> "State":
        """Return the state of those of its settings for which *wanted* is true."""
        return State(self.release, {key: each for key, each in self._entries.items() if wanted(key)})

    def without(self, settings: Iterable[Setting]) -> "State":
        """Return the state without these settings."""
        left_out = frozenset(settings)
        return self.select(lambda setting: setting not in left_out)

    def with_entries(self, entries: Mapping[Setting, SettingValue]) -> "State":
        """Return the state with *entries* in place of its own for the same settings."""
        return State(self.release, {**self._entries, **entries})


_CONTAINERS = frozenset((dict, list, set))


def _copied(entry: SettingValue) -> SettingValue:
    return SettingValue(copy_containers(entry.value), entry.origin)
