"""A snapshot: the values of flags at one moment, each with its origin."""

import os
import sys
from collections.abc import ItemsView, Iterable, Iterator, KeysView, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from dynconf.catalogue import Setting
from dynconf.entry import UNSET_KINDS, Entry, ReadOnly
from dynconf.flags.flag import qualified
from dynconf.flags.types import AtLeast, shown
from dynconf.modules import MODULES, catalogue, home, set_by
from dynconf.names import find, split, views, why_unknown
from dynconf.names import setting as setting_of
from dynconf.origin import Caller, Origin, caller
from dynconf.release import Minor, Release
from dynconf.sources.calls import read_keywords, read_values
from dynconf.sources.gather import check_conflicts
from dynconf.sources.reading import merge
from dynconf.state import State
from dynconf.tables import html_table

if TYPE_CHECKING:
    from dynconf.live.install import Installation, Scope
    from dynconf.live.patch import Patch


class HasState(Protocol):
    """Settings: what they set, with origins."""

    def as_snapshot(self) -> "Snapshot":
        """Return what they set."""
        ...


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Snapshot:
    """Values of flags, by the names that the release itself uses.

    Flags of `module` go by their bare names, those of other modules by full names such as
    ``functorch.donated_buffer``. It reads like a mapping of flags to values, and cannot be changed.

    Args:
        torch: The release; or a state of which to make one: a mapping of flags to values, settings, or a
            snapshot.
        values: See the attributes.
        origins: See the attributes; None for the calling line.
        module: See the attributes.

    Attributes:
        torch: The release, such as ``2.13.0``.
        values: Flag to value; an old name that the release forwards has the value of the newer one. Flags
            that are absent have the release's default.
        origins: The same flags to where their values came from.
        module: The config module of bare names.
    """

    torch: str
    values: Mapping[str, Any]
    origins: Mapping[str, Origin]
    module: str

    def __init__(
        self,
        torch: "str | StateLike",
        values: Mapping[str, Any] | None = None,
        origins: Mapping[str, Origin] | None = None,
        module: str = "dynamo",
    ) -> None:
        if not isinstance(torch, str):
            made = as_snapshot(torch, caller())
            torch, values, origins, module = made.torch, made.values, made.origins, made.module
        values = values or {}
        if origins is None:
            origins = dict.fromkeys(values, caller().origin("keyword"))
        for name, value in (
            ("torch", torch),
            ("values", ReadOnly(values)),
            ("origins", ReadOnly(origins)),
            ("module", module),
        ):
            object.__setattr__(self, name, value)

    def __getitem__(self, name: str) -> Any:
        if name in self.values:
            return self.values[name]
        if not isinstance(name, str):
            raise KeyError(name)
        home, bare = split(name, self.module)
        setting = find(name, self.release, self.module)
        if setting is None:
            raise KeyError(why_unknown(bare, self.release, home))
        known = setting.name if home == self.module else qualified(home, setting.name)
        if known not in self.values:
            raise KeyError(f"{name} is not in the snapshot")
        return self.values[known]

    def __contains__(self, name: object) -> bool:
        try:
            self[name]  # type: ignore[index]
        except KeyError:
            return False
        return True

    def __iter__(self) -> Iterator[str]:
        return iter(self.values)

    def __len__(self) -> int:
        return len(self.values)

    def keys(self) -> KeysView[str]:
        """Return the names of the flags, as a mapping does."""
        return self.values.keys()

    def items(self) -> ItemsView[str, Any]:
        """Return names with values, as a mapping does."""
        return self.values.items()

    def get(self, name: str, default: Any = None) -> Any:
        """Return the value of a flag, or *default* if it is not in the snapshot."""
        try:
            return self[name]
        except KeyError:
            return default

    def __repr__(self) -> str:
        names = self.names_set()
        listed = [f"{name}={shown(self.values[name])}" for name in names]
        contents = ", ".join(filter(None, [*listed, self._rest()])) or "nothing is set"
        return f"<dynconf.Snapshot of torch {self.torch}: {contents}>"

    def _repr_html_(self) -> str:
        rows = [(name, shown(self.values[name]), str(self.origins[name])) for name in self.names_set()]
        return html_table(f"torch {self.torch}", rows, self._rest())

    def _rest(self) -> str:
        rest = len(self.values) - len(self.names_set())
        return f"{rest} default{'s' if rest != 1 else ''}" if rest else ""

    def _ipython_key_completions_(self) -> list[str]:
        return list(self.values)

    @property
    def release(self) -> Release:
        """The release whose facts apply."""
        return Release(self.torch, "named")

    @property
    def minor(self) -> Minor:
        """The minor version whose facts apply."""
        return self.release.minor

    def names_set(self) -> list[str]:
        """Return the flags that something sets, sorted: not those with their default, nor old names."""
        return sorted(name for name in self.values if self.origins[name].kind not in UNSET_KINDS)

    def entries(self, names: Iterable[str] | None = None) -> Iterator[Entry]:
        """Yield the flags of these names, or all, with what the catalogue knows of them."""
        release = self.release
        for name in self.values if names is None else names:
            full = qualified(*split(name, self.module))
            yield Entry(full, find(full, release), self.values[name], self.origins[name])

    def patch(self) -> "Patch":
        """Return a patch of what is set in the snapshot; flags with their default there are left alone.

        Raises:
            UnknownFlagError: The live torch lacks a flag.
            InvalidValueError: A flag does not accept its value.
            ConflictError: A rule over several flags forbids the values.

        Example:
            >>> import dynconf
            >>> with dynconf.patch(recompile_limit=64):
            ...     state = dynconf.snapshot()
            >>> with state.patch():
            ...     dynconf.snapshot().values["recompile_limit"]
            64
        """
        from dynconf.live.patch import patch_of

        return patch_of({entry.name: entry.meaning for entry in self.entries(self.names_set())}, caller())

    def install(self, scope: "Scope" = "process") -> "Installation":
        """Install what is set in the snapshot; flags with their default there are left alone.

        Args:
            scope: ``"process"``, or ``"context"`` for the running thread or task only (torch 2.12 and newer).

        Returns:
            The installation, in force.

        Raises:
            UnknownFlagError: The live torch lacks a flag.
            InvalidValueError: A flag does not accept its value, or this torch does not support that scope.
            ConflictError: A rule over several flags forbids the values.
        """
        from dynconf.live.install import install_state

        here, release = caller(), Release.at_hand()
        values = {entry.name: (entry.meaning, entry.origin) for entry in self.entries(self.names_set())}
        reading = check_conflicts(read_values(values, release, newer=newer_flags(release)))
        state = reading.resolved()
        for warning in reading.warnings:
            here.warn(warning)
        return install_state(state, here, scope)


def snapshot() -> Snapshot:
    """Return the effective values in the running thread or task, each with its origin.

    It has every flag of dynamo, and of the other config modules whatever is set there. One that nobody has
    imported yet is imported if a variable of the environment sets a flag of it.

    Example:
        >>> import dynconf
        >>> with dynconf.patch(recompile_limit=64):
        ...     state = dynconf.snapshot()
        >>> state.values["recompile_limit"], state.origins["recompile_limit"].kind
        (64, 'patch')
    """
    return snapshot_in("dynamo")


def snapshot_in(module: str) -> Snapshot:
    """Return the effective values of a config module, whose names are the bare ones, each with its origin."""
    from dynconf.live.binding import bind
    from dynconf.live.origin import snapshot_values

    release = bind(module).release
    if module == "dynamo":
        for other in set_by(frozenset(os.environ)):
            if home(other) not in sys.modules and catalogue(other).at(release).settings:
                bind(other)
    return Snapshot(release.version, *snapshot_values(module), module)


StateLike = Mapping[str, Any] | HasState | Snapshot
"""A state in any form: a mapping of flags to values, settings, or a snapshot."""


def as_snapshot(state: StateLike, here: Caller) -> Snapshot:
    """Return any state as a snapshot.

    Args:
        state: A snapshot; settings, of which what is set is taken; or a mapping of flags to values, which is
            checked for the release at hand.
        here: The line that gives it.

    Raises:
        DynconfError: There is a mistake in a mapping; the error lists all of them.
        TypeError: It is none of these.
    """
    if isinstance(state, Snapshot):
        return state
    if isinstance(state, Mapping):
        release = Release.at_hand()
        given = read_keywords(state, release, here.origin("keyword"))
        made = check_conflicts(merge([given])).resolved()
        return snapshot_of(made, release, made)
    if hasattr(type(state), "as_snapshot"):
        return state.as_snapshot()
    raise TypeError(f"expected a mapping of flags, settings or a snapshot, not {shown(state)}")


def newer_flags(release: Release) -> dict[str, Setting]:
    """Return the settings of the live modules that are newer than the catalogue, by full name."""
    if not release.is_beyond_catalogue:
        return {}
    from dynconf.live.binding import bind, loaded

    slots = (binding.slot(name) for binding in (bind(), *loaded()) for name in binding.uncatalogued())
    return {slot.setting.qualified: slot.setting for slot in slots}


def snapshot_of(state: State, release: Release, settings: Iterable[Setting]) -> Snapshot:
    """Return a snapshot of nothing but these settings, which the state has."""
    named = sorted((setting.qualified, setting) for setting in settings)
    values = {name: state[setting].value for name, setting in named}
    # A limit that may only be raised is a number in a state.
    return Snapshot(
        release.version,
        {name: int(value) if type(value) is AtLeast else value for name, value in values.items()},
        {name: state[setting].origin for name, setting in named},
    )


def effective(release: Release, state: State | None, modules: Sequence[str] = MODULES) -> Snapshot:
    """Return what every flag of these modules is when *state* is put over the release's defaults.

    The bare names in the snapshot are those of the first module.
    """
    state = state or State(release)
    values: dict[str, Any] = {}
    origins: dict[str, Origin] = {}
    for view in views(release, modules):
        for name in view.names:
            module = view.catalogue.name
            setting = setting_of(name, release, module)
            known = name if module == modules[0] else qualified(module, name)
            values[known] = state.value(setting)
            if name in view.aliases:
                origins[known] = Origin("alias", qualified(*split(view.aliases[name], module)))
            else:
                origins[known] = state.origin(setting)
    return Snapshot(release.version, values, origins, modules[0])
