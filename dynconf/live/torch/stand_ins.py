"""Objects that take the place of torch's own, so that an installation reaches every thread.

The problem: from torch 2.12 on each override, and from 2.13 on each cache, is a context variable. Nobody can
write a context variable for the other threads, so a value that is to hold for the process cannot simply be
assigned. The idea: replace the variable itself by an object with the same methods, which all threads share
and which can look further than the running thread. `override.Override` is that object for an override. This
module has the rest: the stand-in for the marks of stale caches, and that for the dict of values, where torch
has no object for each flag.
"""

from collections import UserDict
from collections.abc import Callable
from contextvars import ContextVar
from types import ModuleType
from typing import TYPE_CHECKING, Any

from dynconf.catalogue.flags.types import is_same_value
from dynconf.live.torch.lock import locked

if TYPE_CHECKING:
    from dynconf.live.torch.override import Override


class ExpiringVar:
    """Stands in for the variable that marks a cache of the running thread or task as stale.

    `expire` makes the caches of all threads stale. Why not set the mark of each thread? Nobody can reach it,
    and a thread may be computing its cache at this moment, from values that it read before. Its mark is only
    valid in the epoch in which the thread last asked, so that late answer is stale as well.
    """

    __slots__ = ("_epoch", "_stale", "_variable")
    __class__ = ContextVar  # type: ignore[assignment]  # for Dynamo, as that of `Override`

    def __init__(self, stale: object) -> None:
        self._stale = stale
        self._epoch = object()
        self._variable: ContextVar[tuple[object, Any]] = ContextVar("dynconf:cache", default=(None, stale))

    def expire(self) -> None:
        self._epoch = object()

    def get(self) -> Any:
        """Return the mark that this context set in the present epoch, else the mark for stale."""
        now = self._epoch
        epoch, mark = self._variable.get()
        if epoch is now:
            return mark
        self._variable.set((now, self._stale))
        return self._stale

    def set(self, mark: object) -> None:
        # The epoch stays that of the last `get`: torch asks, computes, and sets.
        self._variable.set((self._variable.get()[0], mark))


class SharedValues(UserDict[str, Any]):
    """Stands in for the dict of a config module's values (torch 2.4 and 2.5).

    torch's own dict has the values in force: functions of torch's that were made earlier, such as those that
    ``torch.compile(dynamic=True)`` keeps, read and write it past this one. `stand_ins` are those of the flags
    that have one, `stored` has the values that these flags would have without any installation, and `forced`
    those that count whatever is set.
    """

    before_set: Callable[[ModuleType, str, object], None] | None = None
    after_set: Callable[[ModuleType, str], None] | None = None
    """Called around setting a flag, with its module and its name, and before it the value."""

    def __init__(self, values: dict[str, Any], module: ModuleType) -> None:
        self.data = values  # UserDict would copy it
        self.module = module
        self.stand_ins: dict[str, Override] = {}
        self.stored: dict[str, Any] = {}
        self.forced: dict[str, Any] = {}

    def __setitem__(self, name: str, value: Any) -> None:
        if name in self.stand_ins:
            if self.before_set is not None:
                self.before_set(self.module, name, value)
            self.stand_ins[name].set(value, name)
            self.refresh(name)
            if self.after_set is not None:
                self.after_set(self.module, name)
        else:
            self.data[name] = value

    def __delitem__(self, name: str) -> None:
        del self.data[name]
        if name in self.stand_ins:
            self.stand_ins[name].set(self.stand_ins[name].unset, name)  # which tells who deletes

    def __reduce_ex__(self, _protocol: Any) -> tuple[Any, ...]:
        return dict, (dict(self.data),)  # where torch pickles its values, dynconf may not be installed

    def update(self, *args: Any, **values: Any) -> None:
        for name, value in dict(*args, **values).items():
            self[name] = value

    def replace_outer_layers(self, name: str, forced: Any, lowest: Any, default: Any) -> None:
        """Show *forced* whatever is set, and *lowest* in place of torch's *default*, where these are given.

        torch has its default in the place of the override, so that very object counts as no override.
        """
        stand_in = self.stand_ins[name]
        nothing = stand_in.unset
        if is_same_value(self.stored[name], default):
            default = self.stored[name]
        stand_in.none = nothing if lowest is nothing else default
        stand_in.installed[0].value = lowest
        self.forced.pop(name, None)
        if forced is not nothing:
            self.forced[name] = forced
        self.refresh(name)

    @locked
    def refresh(self, name: str) -> None:
        """Show the value in force; one thread at a time, so that the last one shows the last state."""
        stand_in = self.stand_ins.get(name)
        if stand_in is None:
            return
        value = self.forced[name] if name in self.forced else stand_in.get()
        if value is stand_in.unset:
            self.data.pop(name, None)
        else:
            self.data[name] = value
