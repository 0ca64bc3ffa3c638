"""The differences between two states: those that can be put in force, the likely culprits first."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import TypeVar

from dynconf.catalogue.catalogue import Setting
from dynconf.catalogue.flags.types import Mismatch, is_same_value
from dynconf.catalogue.modules import KEYED
from dynconf.catalogue.names import records_of
from dynconf.errors import ConflictError, InertFlagWarning, InvalidValueError
from dynconf.provenance import Origin
from dynconf.release import RELEASES, minor
from dynconf.sources.calls import for_release
from dynconf.sources.reading import Reading
from dynconf.state import SettingValue, State
from dynconf.store.diff import Change, Kind
from dynconf.store.snapshot import default_state
from dynconf.tools.bisect.trials import Run

Begun = TypeVar("Begun")

_KERNELS, _GUARDS, _REST = 8, 3, 1
"""How likely a flag is to matter, by its effect."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A setting with another value in each of two states."""

    setting: Setting
    good: SettingValue
    bad: SettingValue

    @property
    def name(self) -> str:
        """The newest name of the flag."""
        return self.setting.newest

    @property
    def weight(self) -> int:
        """How likely it is to matter: most if it changes kernels, less if it changes guards."""
        if self.setting.effect != "code":
            return _REST
        return _KERNELS if self.setting.module in KEYED else _GUARDS

    @property
    def change(self) -> Change:
        """The difference for people, from good to bad."""
        kinds = {self.good.origin.kind, self.bad.origin.kind}
        kind: Kind = "default-changed" if kinds <= {"default", "release"} else "changed"
        return Change(kind, self.name, self.good.value, self.bad.value)

    @property
    def since(self) -> str:
        """The release since which the bad value is the default; that of the flag if it is none."""
        flag, since = self.setting.flag, ""
        for release in reversed(RELEASES):
            if minor(release) > self.setting.release.minor:
                continue
            if not flag.exists_in(release) or not is_same_value(flag.default_in(release), self.bad.value):
                break
            since = release.rpartition(".")[0]
        return since or min((each.since for each in records_of(flag)), key=minor)


class Space:
    """The differences between two states for the same release, and the states in between.

    Flags that neither state sets have their defaults, and flags that both set alike stay as they are. Flags
    that do nothing are left out, and with *as_data* also those with a value that no other process can be
    given: see `left_out`.
    """

    def __init__(self, good: State, bad: State, *, as_data: bool = False) -> None:
        self.good, self.bad = good, bad
        self.left_out: dict[Setting, str] = {}
        found = []
        for setting in dict.fromkeys((*good, *bad)):
            each = Difference(setting, *(_entry(state, setting) for state in (good, bad)))
            if is_same_value(each.good.value, each.bad.value) or setting.inert or not setting.public:
                continue
            try:
                for value in (each.good.value, each.bad.value) if as_data else ():
                    setting.type.to_data(value)
            except Mismatch as problem:
                self.left_out[setting] = str(problem)
            else:
                found.append(each)
        found.sort(key=lambda each: (-each.weight, each.name))
        self.differences = {each.name: each for each in found}

    @property
    def weights(self) -> dict[str, float]:
        """How likely each of them is to matter, the likely ones first."""
        return {name: each.weight for name, each in self.differences.items()}

    def state(self, bad: Collection[str]) -> State:
        """Return the good state with the values of the bad one for these flags."""
        entries = {
            each.setting: each.bad if name in bad else each.good for name, each in self.differences.items()
        }
        common = self.good.select(lambda setting: setting in self.bad and setting not in self.left_out)
        return common.with_entries(entries)

    def run(self, run: Callable[[State], Begun], bad: Collection[str]) -> Begun | Run:
        """Run that state, or begin to, unless torch refuses it."""
        state = self.state(bad)
        if errors := [each for each in state.judged() if isinstance(each, ConflictError)]:
            return Run("neither", note=f"torch refuses this state: {'; '.join(map(str, errors))}")
        return run(state)


def _entry(state: State, setting: Setting) -> SettingValue:
    origin = state.origin(setting)
    if origin.kind == "default":  # a trial sets it all the same, or a variable would decide it
        origin = Origin("release", f"torch {setting.release.version}")
    return SettingValue(state.value(setting), origin)


def with_defaults_of(torch: str, base: State) -> Reading:
    """Return *base* over those defaults of another release that this one can put back.

    The warnings name the others, but for flags that do nothing. Defaults that torch derives from the machine
    are left out: they are the same on the same machine.
    """
    old = for_release(default_state(torch).state, base.release)
    constant = old.state.select(lambda setting: not setting.is_computed)
    lost = tuple(each for each in old.warnings if not isinstance(each, InertFlagWarning))
    return replace(old, state=constant.with_entries(base), warnings=lost)


def need_differences(space: Space) -> None:
    """Raise `InvalidValueError` if there are none."""
    if not space.differences:
        raise InvalidValueError("the two states do not differ in any flag that could be put in force")
