"""The state of a configuration: which settings have which values and origins, and its forms in a call.

Every value travels in a `State`: a source makes one, merging makes one of several, and settings, snapshots,
saved files, patches and installations take and return it. It is keyed by `Setting`, not by name: a setting
knows its module, its release and its type, so a name is looked up once, where it enters the program::

    limit = names.setting("cache_size_limit", release)                     # the edge
    state = State(release, {limit: SettingValue(64, Origin("keyword"))})
    state.value(limit), state.only_set(), limit.newest                     # 64, the same, "recompile_limit"
"""

from collections.abc import Callable, ItemsView, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, get_args

from dynconf.catalogue.catalogue import ReleaseRule, Setting
from dynconf.catalogue.flags.flag import implied
from dynconf.catalogue.flags.types import Choice, copy_containers, short_repr
from dynconf.catalogue.modules import catalogue
from dynconf.errors import ConflictError, ConflictWarning, InvalidValueError
from dynconf.provenance import DEFAULT, Origin
from dynconf.release import Release

if TYPE_CHECKING:
    from typing_extensions import TypeIs


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

    def items(self) -> ItemsView[Setting, SettingValue]:
        """Return the settings with their values; at once, where `Mapping` would look each of them up."""
        found = self._entries.items()
        return {
            key: each if type(each.value) not in _CONTAINERS else _copied(each) for key, each in found
        }.items()

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

    def implied(self) -> dict[Setting, SettingValue]:
        """Return the values that flags of the state imply for others, and which these have in force."""
        found: dict[Setting, SettingValue] = {}
        for module in {setting.module for setting in self}:
            settings = catalogue(module).at(self.release).settings

            def value_of(name: str, settings: Mapping[str, Setting] = settings) -> Any:
                setting = settings[name]
                value, origin = implied(setting.implied_by, value_of, setting.module)
                if origin is None:
                    return self.value(setting)
                found[setting] = SettingValue(value, origin)
                return value

            for name, setting in settings.items():
                if setting.implied_by:
                    value_of(name)
        return found

    def judged(self, rules: Iterable[ReleaseRule] | None = None) -> list[ConflictError | ConflictWarning]:
        """Return an error or warning for each broken rule about its settings, or of the given *rules*."""
        if rules is None:
            rules = dict.fromkeys(rule for setting in self for rule in setting.rules)
        values = ((here, [self.value(setting) for setting in here.settings]) for here in rules)
        return [here.problem(found, self.origin) for here, found in values if here.rule.is_broken(*found)]

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


class HasState(Protocol):
    """Settings or a snapshot."""

    def as_state(self) -> State:
        """Return the values, with their origins."""
        ...

    def patch(self) -> Any:
        """Return a patch of the flags that are set."""

    def install(self, scope: Any = "process") -> Any:
        """Install the flags that are set."""


StateLike = HasState | State | Mapping[str, Any]
"""A state in any form: settings, a snapshot, a state, or a mapping of flags to values."""


def has_state(value: object) -> "TypeIs[HasState]":
    """Tell whether it is settings or a snapshot; a mock that has every attribute is not."""
    return hasattr(type(value), "as_state")


def changes_of(
    arguments: Sequence[Any], flags: Mapping[str, Any], function: str
) -> Mapping[str, Any] | HasState:
    """Return the values by flag that a call of *function* passes, in whichever of its four forms.

    These are keywords, one mapping, a name and a value, or something that has a state: settings or a
    snapshot. Those are returned as they are, and only the flags that are set in them are meant.

    Raises:
        TypeError: The call has none of the forms.
    """
    forms = "keywords, or a mapping, settings or a snapshot alone, or a name and a value"
    match [*arguments]:
        case []:
            return flags
        case [None] | [None, None] if flags:  # torch's own code calls patch(None, None, **flags)
            return flags
        case [str(name), value] if not flags:
            return {name: value}
        case [changes] if not flags:
            if has_state(changes):
                return changes
            mapping = as_mapping(changes)
            if mapping is not None:
                return mapping
            problem = f"expected {forms}, not {short_repr(changes)}"
        case [name, _] if not flags:
            problem = f"the name of a flag is a str, not {short_repr(name)}"
        case _:
            problem = f"expected {forms}; not several of these"
    raise TypeError(f"{function}: {problem}")


def flags_within(module: str, value: Any) -> Mapping[str, Any] | None:
    """Return the flags that a call gives under the name of a module; None if it gives something else.

    Of settings or a snapshot, these are the flags that are set in it; those of other modules are refused like
    any name that the module does not have.
    """
    if not has_state(value):
        return as_mapping(value)
    state = value.as_state().only_set()
    return {setting.newest.removeprefix(f"{module}."): each.value for setting, each in state.items()}


def as_mapping(value: Any) -> Mapping[str, Any] | None:
    """Return *value* as a mapping if it can be read like one, whatever its class."""
    if isinstance(value, Mapping):
        return value
    return dict(value) if hasattr(value, "keys") and hasattr(value, "__getitem__") else None


def not_a_mapping(name: str, value: object, place: str = "", noun: str = "mapping") -> InvalidValueError:
    """Return the error for a module or a group of flags that has a single value."""
    example = f", such as {name}={{'flag': value}}" if noun == "mapping" else ""
    message = (
        f"{name}: {short_repr(value)}{place} is not valid: expected a {noun} with flags of {name}{example}"
    )
    return InvalidValueError(message, flag=name)


Missing = Literal["error", "warn", "skip"]
"""How to treat a flag that the release does not have."""


def check_missing(missing: object, name: str) -> Missing:
    """Return *missing* if it is one of the words of `Missing`; *name* is that of the argument or entry."""
    checked: Missing = Choice(get_args(Missing)).check_argument(name, missing)
    return checked
