"""Overrides of flags that have been installed for the process: which of them count, and what torch puts back.

An installation for the process is seen by every thread and task, whatever was patched or assigned there
before; what is set afterwards ranks above it. A stand-in for the place where torch keeps the override of a
flag therefore marks what is set with the number of the latest installation. What has an older mark is hidden,
and shows again once the newer installations are gone.

torch's own patch and ``unittest.mock`` restore by assigning the value that they found, which would turn an
installed value into one that somebody set. While they enter, the stand-in gives them a `Kept` to restore
instead, with which the override is put back as it was.
"""

import math
import sys
from collections.abc import Callable, Mapping, MutableMapping
from dataclasses import dataclass
from types import FrameType
from typing import TYPE_CHECKING, Any

from dynconf.flags.types import same
from dynconf.live.lock import locked

if TYPE_CHECKING:
    from dynconf.live.chain import Owner
    from dynconf.live.slot import Slot

ALWAYS = math.inf
"""The mark of what ranks above every installation for the process: a patch."""

_MECHANICS = "torch.utils._config_module"
_WATCHING = "dynconf.live.watch"
_PASSED_ON = frozenset({"__setattr__", "_set_alias_val"})
_RESTORING = {
    _MECHANICS: frozenset({"__exit__", "revert", "__getattr__"}),
    "unittest.mock": frozenset({"__exit__"}),
    "mock.mock": frozenset({"__exit__"}),
    "_pytest.monkeypatch": frozenset({"undo"}),
}
"""Functions that assign what they found earlier, by module. Reading is one of them: torch then stores a copy
of a default that can be changed in place."""


@dataclass(slots=True, eq=False)
class Stamped:
    """An override that was set while its flag was installed."""

    value: Any
    stamp: float  # the number of the installation that was the latest then
    under: Any  # the older override that this one replaced while it was hidden, or torch's sentinel


@dataclass(slots=True, eq=False)
class Kept:
    """What a patch that is not dynconf's found; assigning it puts the override back as it was."""

    home: "Override"
    raw: Any


@dataclass(slots=True, eq=False)
class Installed:
    """A value that is installed for the process."""

    stamp: int
    owner: "Owner | None"
    value: Any


class Override:
    """Stands in for the place of a flag's override.

    `read` returns what is kept there for the running thread or task, or for the process; `write` replaces it.
    """

    __slots__ = ("read", "reset", "slot", "unset", "write")

    def __init__(self, slot: "Slot", unset: Any, reset: Callable[[Any], None] | None = None) -> None:
        self.slot = slot
        self.read = slot.get
        self.write = slot.set
        self.reset = reset
        self.unset = unset

    def get(self) -> Any:
        """Return what torch sees: the override if it counts, else what is installed, else `unset`."""
        raw = self.read()
        top = self.slot.layers[-1]
        if raw is self.unset or (top.stamp and self._is_hidden(raw, top.stamp)):
            return top.value
        return raw.value if type(raw) is Stamped else raw

    def own(self) -> Any:
        """Return the override that counts, or `unset`."""
        raw = self.read()
        return self.unset if self._is_hidden(raw, self.slot.layers[-1].stamp) else plain(raw)

    def set(self, value: Any) -> Any:
        """Set the override, the way torch calls it."""
        return self.assign(value, sys._getframe(1))

    def assign(self, value: Any, frame: FrameType | None, key: str | None = None) -> Any:
        """Set the override to a value, `unset` or a `Kept`; *frame* sets it, by the name *key* if known."""
        if type(value) is Kept:
            return self.write(value.raw)
        frame, key = _setter(frame, key)
        module = "" if frame is None else str(frame.f_globals.get("__name__"))
        raw = self.read()
        if frame is not None and frame.f_code.co_name in _RESTORING.get(module, ()):
            # It entered before there was a stand-in, so its value is older than every installation.
            is_stamped = type(raw) is Stamped and frame.f_code.co_name == "undo"
            return self.write(raw.under if is_stamped else value)
        found = _found(frame, key)
        if found is not None:
            notes, name = found
            mine = (each for each in notes.values() if type(each) is Kept and each.home is self)
            notes[name] = next(mine, None) or Kept(self, raw)
        return self.write(self._marked(raw, value, by_patch=found is not None))

    def _marked(self, raw: Any, value: Any, *, by_patch: bool) -> Any:
        """Return what to keep for *value* in place of *raw*; *by_patch* says that a patch is entering."""
        top = self.slot.layers[-1]
        if not top.stamp:
            return value
        is_hidden = self._is_hidden(raw, top.stamp)
        under = raw if is_hidden else raw.under if type(raw) is Stamped else self.unset
        if type(under) is Stamped:
            under = Stamped(under.value, under.stamp, self.unset)  # one is enough; a chain would only grow
        # Code that restores by hand assigns what is in force anyway; marked, it would stay for good.
        is_restored = not by_patch and same(value, top.value) and self._frame_stamp() is None
        if value is self.unset or is_restored:
            return under
        return Stamped(value, top.stamp, under)

    def _is_hidden(self, raw: Any, stamp: float) -> bool:
        """Tell whether the override is older than the installation of that number."""
        if not stamp or (type(raw) is Stamped and raw.stamp >= stamp):
            return False
        found = self._frame_stamp()
        return found is None or found < stamp

    def _frame_stamp(self) -> float | None:
        """Return the mark of the highest frame that sets the flag here, or None."""
        frame = self.slot.binding.chain.highest(self.slot)
        return None if frame is None else frame.owner.stamp


class OverrideWithImplications(Override):
    """The stand-in in a module in which flags imply values of others (torch 2.15).

    torch's own patch of such a module keeps what it reads here, to put it back.
    """

    __slots__ = ()

    def get(self) -> Any:
        if sys._getframe(1).f_code.co_name == "_set_raw_values":
            return Kept(self, self.read())
        return super().get()


def plain(raw: Any) -> Any:
    """Return the value of an override, without its mark."""
    return raw.value if type(raw) is Stamped else raw


def _setter(frame: FrameType | None, key: str | None) -> tuple[FrameType | None, str | None]:
    """Return who sets a flag, skipping functions of torch that only pass it on, and by which name."""
    while frame is not None:
        module = frame.f_globals.get("__name__")
        if module == _MECHANICS and frame.f_code.co_name in _PASSED_ON:
            key = frame.f_locals.get("name", key)
        elif module != _WATCHING:
            break
        frame = frame.f_back
    if key is None and frame is not None and frame.f_code.co_name == "change":
        key = frame.f_locals.get("k")
    return frame, key


def _found(frame: FrameType | None, key: str | None) -> tuple[MutableMapping[str, Any], str] | None:
    """Return where the entering patch keeps what it found, and by what name; None if none is entering."""
    if frame is None or frame.f_code.co_name not in ("__enter__", "change"):
        return None
    module = frame.f_globals.get("__name__")
    if module in ("unittest.mock", "mock.mock"):
        return vars(frame.f_locals["self"]), "temp_original"
    prior = frame.f_locals.get("prior") if module == _MECHANICS else None
    return (prior, key) if key is not None and isinstance(prior, dict) and key in prior else None


class WatchedValues(dict[str, Any]):
    """Stands in for the dict of a config module's values (torch 2.4 and 2.5).

    It contains what is in force, because torch copies it in C. Writing goes through the stand-ins of the
    flags that have one, in `overrides`; `raw` is what is kept for these flags.
    """

    def __init__(self, values: Mapping[str, Any]) -> None:
        super().__init__(values)
        self.overrides: dict[str, Override] = {}
        self.raw: dict[str, Any] = {}

    def __setitem__(self, name: str, value: Any) -> None:
        self._assign(name, value, sys._getframe(1))

    def __delitem__(self, name: str) -> None:
        super().__delitem__(name)
        if name in self.overrides:
            self.raw[name] = self.overrides[name].unset

    def __reduce_ex__(self, _protocol: Any) -> tuple[Any, ...]:
        return dict, (dict(self),)

    def update(self, *args: Any, **values: Any) -> None:
        frame = sys._getframe(1)
        for name, value in dict(*args, **values).items():
            self._assign(name, value, frame)

    def _assign(self, name: str, value: Any, frame: FrameType) -> None:
        override = self.overrides.get(name)
        if override is None:
            super().__setitem__(name, value)
        else:
            override.assign(value, frame, name)
            self.refresh(name)

    @locked
    def refresh(self, name: str) -> None:
        """Show what is in force; one thread at a time, so that the last one shows the last state."""
        override = self.overrides.get(name)
        if override is None:
            return
        value = override.get()
        if value is override.unset:
            self.pop(name, None)
        else:
            super().__setitem__(name, value)
