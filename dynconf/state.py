"""The state of a configuration: which settings have which values, and where each value came from.

Every value travels in a `State`: a source makes one, merging makes one of several, and settings, snapshots,
saved files, patches and installations take and return it. It is keyed by `Setting`, not by name: a setting
knows its module, its release and its type, so a name is looked up once, where it enters the program.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from dynconf.catalogue import Setting
from dynconf.origin import DEFAULT, Origin
from dynconf.release import Release


class SettingValue(NamedTuple):
    """The value of a setting, with its origin."""

    value: Any
    origin: Origin

    @property
    def is_set(self) -> bool:
        """Whether something other than torch's default decides the value."""
        return self.origin.kind != "default"


class State(Mapping[Setting, SettingValue]):
    """An immutable mapping of settings to values with origins.

    A setting that is absent has the default of its release.

    Args:
        release: The release that the settings belong to.
        entries: The settings, each with its value and origin.

    Attributes:
        release: As above.
    """

    __slots__ = ("_entries", "release")

    def __init__(self, release: Release, entries: Mapping[Setting, SettingValue] | None = None) -> None:
        self.release = release
        self._entries = dict(entries or {})

    def __getitem__(self, setting: Setting) -> SettingValue:
        return self._entries[setting]

    def __iter__(self) -> Iterator[Setting]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __repr__(self) -> str:
        listed = ", ".join(f"{setting.qualified}={each.value!r}" for setting, each in self.items())
        return f"State(torch {self.release.version}: {listed})"

    def value(self, setting: Setting) -> Any:
        """Return the value of a setting: the default of its release if the state does not have it."""
        found = self._entries.get(setting)
        return setting.default_value() if found is None else found.value

    def origin(self, setting: Setting) -> Origin:
        """Return the origin of that value."""
        found = self._entries.get(setting)
        return DEFAULT if found is None else found.origin

    def bare_values(self) -> dict[Setting, Any]:
        """Return the values without their origins."""
        return {setting: each.value for setting, each in self.items()}

    def only_set(self) -> "State":
        """Return the state without the settings that merely have torch's default."""
        return self.select(lambda setting: self._entries[setting].is_set)

    def select(self, wanted: Callable[[Setting], bool]) -> "State":
        """Return the state of those of its settings for which *wanted* is true."""
        return State(self.release, {key: each for key, each in self._entries.items() if wanted(key)})

    def without(self, settings: Iterable[Setting]) -> "State":
        """Return the state without these settings."""
        left_out = frozenset(settings)
        return self.select(lambda setting: setting not in left_out)

    def with_entries(self, entries: Mapping[Setting, SettingValue]) -> "State":
        """Return the state with *entries* in place of what it has for the same settings."""
        return State(self.release, {**self._entries, **entries})
