"""A snapshot: the values of flags at one moment, each with its origin.

`Snapshot` is the public face of a `State`: the same entries, read by name. The names are looked up when
somebody asks for one, and not when a snapshot is taken.
"""

import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from dynconf.catalogue.catalogue import Setting
from dynconf.catalogue.flags.flag import BARE_MODULE
from dynconf.catalogue.flags.types import short_repr
from dynconf.catalogue.modules import MODULES, catalogue, module_path, modules_set_by
from dynconf.catalogue.names import find, in_order, module_views, name_in, split, why_unknown
from dynconf.errors import InvalidValueError
from dynconf.provenance import DEFAULT, Origin, caller
from dynconf.release import Release
from dynconf.sources.calls import as_state, for_release
from dynconf.sources.gather import judge_rules
from dynconf.sources.reading import Reading
from dynconf.state import SettingValue, State, StateLike
from dynconf.text import html_table

if TYPE_CHECKING:
    from dynconf.live.install import Installation, Scope
    from dynconf.live.patch import Patch


class Origins(Mapping[str, Origin]):
    """Where the values of a snapshot or of settings came from, by the same names."""

    __slots__ = ("_find", "_names")

    def __init__(self, names: Collection[str], find: Callable[[str], Origin]) -> None:
        self._names = names
        self._find = find

    def __getitem__(self, name: str) -> Origin:
        return self._find(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return f"Origins({dict(self)!r})"

    def _ipython_key_completions_(self) -> list[str]:
        return list(self)


class Snapshot(Mapping[str, Any]):
    """Values of flags by name, with their origins; it cannot be changed.

    The names are the newest ones, in every release; any older name finds the same flag. Flags of `module` go
    by bare names, those of other modules by full names such as ``functorch.donated_buffer``. Sets and the
    like are copied on reading.

    Args:
        state: A mapping of flags to values, settings, or another snapshot.
        module: The config module of bare names.

    Raises:
        DynconfError: There is a mistake in a mapping, or no such module; the error lists all of them.
        TypeError: *state* is none of these.

    Example:
        >>> from dynconf.store.snapshot import Snapshot
        >>> state = Snapshot({"cache_size_limit": 64})
        >>> dict(state), state["cache_size_limit"], state.origins["recompile_limit"].kind
        ({'recompile_limit': 64}, 64, 'keyword')
    """

    __slots__ = ("_module", "_settings", "_state")

    def __init__(self, state: StateLike, module: str = BARE_MODULE) -> None:
        if module not in MODULES:
            raise InvalidValueError(f"module: {module!r} is not valid: expected one of {', '.join(MODULES)}")
        self._state = as_state(state, caller(), module)
        self._module = module
        self._settings: dict[str, Setting] | None = None

    def _by_name(self) -> dict[str, Setting]:
        if self._settings is None:
            module = self._module
            self._settings = {name_in(module, each): each for each in in_order(self._state, module)}
        return self._settings

    def _entry(self, name: str) -> SettingValue:
        if not isinstance(name, str):
            raise KeyError(name)
        module, bare = split(name, self._module)
        # By its own name first: that of a flag newer than the catalogue is found nowhere else.
        setting = self._by_name().get(bare if module == self._module else name)
        setting = setting or find(bare, self._state.release, module)
        if setting is None:
            raise KeyError(why_unknown(bare, self._state.release, module))
        if setting not in self._state:
            advice = f"dynconf.{setting.module}.snapshot() has every flag of {setting.module}"
            raise KeyError(f"{name} is not in the snapshot, because nothing sets it there; {advice}")
        return self._state[setting]

    def __getitem__(self, name: str) -> Any:
        return self._entry(name).value

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name())

    def __len__(self) -> int:
        return len(self._state)

    def _ipython_key_completions_(self) -> list[str]:
        return list(self)

    @property
    def state(self) -> State:
        """The values with their origins, by `Setting`."""
        return self._state

    def as_state(self) -> State:
        """Return `state`; settings have the same method."""
        return self._state

    @property
    def module(self) -> str:
        """The config module of bare names."""
        return self._module

    @property
    def origins(self) -> Mapping[str, Origin]:
        """Where each value came from."""
        return Origins(self, self._origin_of)

    def _origin_of(self, name: str) -> Origin:  # a lambda could not be pickled
        return self._entry(name).origin

    @property
    def release(self) -> Release:
        """The release that the values are for."""
        return self._state.release

    @property
    def torch(self) -> str:
        """Its version, such as ``2.13.0``."""
        return self._state.release.version

    def only_set(self) -> "Snapshot":
        """Return a snapshot of the flags that are set, without those that have torch's default."""
        return Snapshot(self._state.only_set(), self._module)

    def __repr__(self) -> str:
        rows, defaults = self.rows()
        listed = ", ".join([*(f"{name}={value}" for name, value, _ in rows), *filter(None, [defaults])])
        return f"<Snapshot of torch {self.torch}: {listed or 'nothing is set'}>"

    def _repr_html_(self) -> str:
        return html_table(f"torch {self.torch}", *self.rows())

    def rows(self) -> tuple[list[tuple[str, str, str]], str]:
        """Return name, value and origin of each flag that is set, and the number of the others, in words."""
        rows = [
            (name, short_repr(each.value), str(each.origin))
            for name, setting in self._by_name().items()
            if (each := self._state[setting]).is_set
        ]
        rest = len(self) - len(rows)
        return rows, f"{rest} default{'s' if rest != 1 else ''}" if rest else ""

    def patch(self) -> "Patch":
        """Return a patch of the flags that are set in the snapshot; those with their default are left alone.

        Raises:
            DynconfError: The live torch does not accept the values; the error lists all mistakes.

        Example:
            >>> import dynconf
            >>> with dynconf.patch(recompile_limit=64):
            ...     state = dynconf.snapshot()
            >>> with state.patch():
            ...     dynconf.snapshot()["recompile_limit"]
            64
        """
        from dynconf.live.patch import patch_state

        call_site = caller()
        # The patch warns by itself of flags that do nothing.
        return patch_state(self._for_live().used_by(call_site, inert=False), call_site)

    def install(self, scope: "Scope" = "process") -> "Installation":
        """Install the flags that are set in the snapshot, as `dynconf.install` does; defaults are left alone.

        Raises:
            DynconfError: The live torch does not accept the values, or does not support that scope.
        """
        from dynconf.live.install import install_state

        call_site = caller()
        return install_state(judge_rules(self._for_live()).used_by(call_site), call_site, scope)

    def _for_live(self) -> Reading:
        """Return the flags that are set for the release at hand, which may be another one by now."""
        from dynconf.live.binding import newer_flags

        release = Release.at_hand()
        return for_release(self._state.only_set(), release, newer_flags(release)).without_idle()


def snapshot(*, pins: bool = False) -> Snapshot:
    """Return the effective values in the running thread or task, each with its origin.

    It has every flag of dynamo, and of the other config modules whatever is set there. One that nobody has
    imported yet is imported if a variable of the environment sets a flag of it.

    Args:
        pins: Whether a value that equals torch's default also counts as set if dynconf did not see the
            program assign it. It sees assignments under ``dynconf run`` and `audit`, and from the first
            installation on; any other may be a leftover of torch's own patch. Containers and, before torch
            2.6, all other flags are pinned only where it did.

    Example:
        >>> import dynconf
        >>> with dynconf.patch(recompile_limit=64):
        ...     state = dynconf.snapshot()
        >>> state["recompile_limit"], state.origins["recompile_limit"].kind
        (64, 'patch')
    """
    return Snapshot(live_state(pins=pins))


def live_state(modules: Iterable[str] = (), *, pins: bool = False, only_set: bool = False) -> State:
    """Return the state in force: every flag of dynamo and *modules*, and whatever is set in the others.

    With *only_set* it has nothing but what is set.

    Modules are imported if they are named, or if a variable of the environment sets a flag of them. For
    *pins*, see `snapshot`.
    """
    from dynconf.live.binding import bind
    from dynconf.live.in_force import state_in_force

    release = bind(BARE_MODULE).release
    for other in modules_set_by(frozenset(os.environ)):
        if module_path(other) not in sys.modules and catalogue(other).at(release).settings:
            bind(other)
    whole = () if only_set else tuple(dict.fromkeys((BARE_MODULE, *modules)))
    return state_in_force(whole, pins=pins)


def with_defaults(state: State, modules: Sequence[str] = MODULES, origin: Origin = DEFAULT) -> State:
    """Return the state with the other flags of these modules: torch's defaults, and what flags imply."""
    views = module_views(state.release, modules)
    return with_settings(state, (setting for view in views for setting in view.settings.values()), origin)


def with_settings(state: State, settings: Iterable[Setting], origin: Origin = DEFAULT) -> State:
    """Return the state with the defaults of those of the settings that it does not have, as it is in force.

    Flags that others of its flags imply have those values, as in the live state, and nothing else does.
    """
    missing = (setting for setting in settings if setting not in state)
    defaults = {each: SettingValue(each.default_value(), origin) for each in missing}
    return State(state.release, defaults).with_entries(state).with_entries(state.implied())


def default_state(torch: str) -> Snapshot:
    """Return every default of a torch release, in all config modules, as values that are set.

    Patching it makes another release behave like that one, as far as it has the flags; saving it writes all
    of them.

    Raises:
        InvalidValueError: The catalogue does not cover the release.

    Example:
        >>> import dynconf
        >>> dynconf.default_state("2.6")["recompile_limit"]
        8
    """
    release = Release.named(torch)
    return Snapshot(with_defaults(State(release), origin=Origin("release", f"torch {release.version}")))
