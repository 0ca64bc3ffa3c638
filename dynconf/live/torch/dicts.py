"""How torch 2.4 and 2.5 keep flags: a dict of values and one of defaults, which do not say what was set."""

import copy
import functools
import sys
from collections import UserDict
from collections.abc import Iterable
from types import ModuleType, SimpleNamespace
from typing import Any

from dynconf.catalogue.flags.types import is_same_value
from dynconf.live.torch.door import Write, let_through
from dynconf.live.torch.internals import KnownStorage
from dynconf.live.torch.lock import locked
from dynconf.live.torch.override import Override
from dynconf.live.torch.storage import ABSENT, IMMUTABLE, FlagAccess, StoredFlag


class DictStorage(KnownStorage):
    """The storage of such a module. Once a flag has a stand-in, torch has `SharedValues` for its dict.

    The dict itself has the values in force, written whenever they change: functions of torch's that were made
    earlier, such as those that ``torch.compile(dynamic=True)`` keeps, read and write it past the stand-in.
    """

    layers_need_stand_ins = True

    def __init__(self, module: ModuleType) -> None:
        super().__init__(module)
        # Both dicts have the same containers, so a program that changes one in place changes torch's default.
        self.records = copy.deepcopy(self.records)
        self.values = self._contents["_config"]
        self.stand_ins: dict[str, Override] = {}
        # What the flags with a stand-in would have without any installation, and what counts whatever is set.
        self._stored: dict[str, Any] = {}
        self._forced: dict[str, Any] = {}

    @classmethod
    def fits(cls, module: ModuleType) -> bool:
        return vars(module).keys() >= {"_default", "_config"}

    def access(self, name: str, /) -> FlagAccess:
        values, stored = self.values, self._stored

        # Why not by one function for both? At the recursion limit, leaving a patch would need more calls than
        # entering did.
        def read() -> Any:
            return (stored if name in stored else values).get(name, ABSENT)

        def write(value: Any) -> None:
            (stored if name in stored else values)[name] = value

        default = self.records[name]
        return FlagAccess(
            SimpleNamespace(hide=False),
            read,
            write,
            functools.partial(copy.deepcopy, default),
            isinstance(default, IMMUTABLE),
        )

    def replace_override(self, name: str, override: Override, /) -> None:
        if not self.stand_ins:
            self._contents["_config"] = SharedValues(self)
        self._stored[name] = self.access(name).read()
        self.stand_ins[name] = override

    def replace_outer_layers(self, name: str, forced: Any, environment_default: Any, /) -> None:
        # torch has its default in the place of the override, so that very object counts as no override.
        stand_in, default = self.stand_ins[name], self.records[name]
        if is_same_value(self._stored[name], default):
            default = self._stored[name]
        stand_in.none = ABSENT if environment_default is ABSENT else default
        stand_in.lowest.value = environment_default
        self._forced[name] = forced
        self.show(name)

    def mark_changed(self, flags: Iterable[StoredFlag], /) -> None:
        for flag in flags if self.stand_ins else ():
            self.show(flag.name)
        super().mark_changed(flags)

    def deleted(self) -> list[str]:
        return [name for name in self.records if name not in self.values]

    def undelete(self, name: str) -> None:
        self.values.setdefault(name, copy.deepcopy(self.records[name]))

    @locked
    def show(self, name: str) -> None:
        """Show the value in force; one thread at a time, so that the last one shows the last state."""
        stand_in = self.stand_ins.get(name)
        if stand_in is None:
            return
        value = self._forced.get(name, ABSENT)
        if value is ABSENT:
            value = stand_in.get()
        if value is ABSENT:
            self.values.pop(name, None)
        else:
            self.values[name] = value


class SharedValues(UserDict[str, Any]):
    """Stands in for the dict of values."""

    def __init__(self, storage: DictStorage) -> None:
        self.data = storage.values  # UserDict would copy it
        self._storage = storage

    def __setitem__(self, name: str, value: Any) -> None:
        if name in self._storage.stand_ins:
            self._storage.stand_ins[name].set(value, name)
            self._storage.show(name)
        else:
            self.data[name] = value

    def __delitem__(self, name: str) -> None:
        del self.data[name]
        if name in self._storage.stand_ins:
            self._storage.stand_ins[name].set(ABSENT, name)  # which tells who deletes

    def __reduce_ex__(self, _protocol: Any) -> tuple[Any, ...]:
        return dict, (dict(self.data),)  # where torch pickles its values, dynconf may not be installed

    def update(self, *args: Any, **values: Any) -> None:
        # By torch's patches and `load_config`; an assignment comes through the door of the module.
        for name, value in dict(*args, **values).items():
            write = Write(self._storage.module, name, value, sys._getframe(1))
            let_through(write, functools.partial(self.__setitem__, name))
