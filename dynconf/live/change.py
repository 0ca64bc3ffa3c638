"""A change: values of flags that are put in force together, and undone together."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from dynconf.catalogue.flags.types import AtLeast
from dynconf.errors import ConflictError, ContextWarning, UnknownFlagError
from dynconf.live.torch.slot import Slot
from dynconf.live.torch.storage import ABSENT, ConfigStorage
from dynconf.provenance import Origin, caller
from dynconf.text import place_text


class Storages:
    """The storages of several config modules, as if they were one; see `ConfigStorage`."""

    dict_mark = ConfigStorage.dict_mark

    def __init__(self, storages: Collection[ConfigStorage]) -> None:
        self._storages = storages
        self.implications = any(each.implications for each in storages)

    @property
    def per_context(self) -> bool:
        """Whether their overrides belong to a thread or task: all or none, for they share a frame."""
        of_context = [each.module.__name__ for each in self._storages if each.per_context]
        if 0 < len(of_context) < len(self._storages):
            names = ", ".join(each.module.__name__ for each in self._storages)
            raise ConflictError(
                f"{names}: torch keeps what is set in {', '.join(of_context)} for the thread or task, and in"
                " the others for the process; patch each module by a patch of its own"
            )
        return bool(of_context)

    def mark_changed(self, slots: Collection[Slot]) -> None:
        for storage in self._storages:
            storage.mark_changed([slot for slot in slots if slot.storage is storage])

    def expire_caches(self, slots: Collection[Slot]) -> None:
        for storage in self._storages:
            storage.expire_caches([slot for slot in slots if slot.storage is storage])

    def check_implications(self) -> None:
        for storage in self._storages:
            storage.check_implications()


def storage_of(slots: Iterable[Slot]) -> ConfigStorage | Storages:
    """Return the storage of the slots."""
    found = dict.fromkeys(slot.storage for slot in slots)
    return next(iter(found)) if len(found) == 1 else Storages(found)


class Change(ABC):
    """A patch or an installation.

    The chain and the decorators know their changes as this. It is a base class, so that neither of them has
    to import `Patch`, which is made of both.

    Attributes:
        slot_values: The values by slot, as torch stores them.
        storage: The storage of their config module, or of all of them.
        is_for_context: Whether it is an installation for the running thread or task alone.
    """

    __slots__ = ("slot_values", "storage")

    slot_values: Mapping[Slot, Any]
    storage: ConfigStorage | Storages
    is_for_context = False

    @property
    def changes(self) -> dict[str, Any]:
        """The values by the newest names of their flags, as a copy."""
        return {
            slot.setting.newest: value if slot.copy_value is None else slot.copy_value(value)
            for slot, value in self.slot_values.items()
        }

    @abstractmethod
    def origin_of(self, slot: Slot, /) -> Origin:
        """Return the origin of the value of a flag."""

    @abstractmethod
    def __enter__(self) -> object: ...

    @abstractmethod
    def __exit__(self, _kind: Any, _error: Any, _trace: Any, /) -> None: ...  # noqa: PYI036  each has its own


def warn_of_context(change: Change) -> None:
    """Warn that a change is left in a thread or task that did not enter it; call it once that is done."""
    lines = dict.fromkeys(f"{change.origin_of(slot)}" for slot in change.slot_values)
    leaving = caller()
    leaving.warn(
        ContextWarning(
            f"{', '.join(change.changes)} ({'; '.join(lines)}) is left at"
            f" {place_text(leaving.file, leaving.line)}, in a thread or task that did not enter it, and stays"
            " as it is where it was entered; leave it there (a `def` that a framework runs in a thread may"
            " have to be an `async def`), or set the values with dynconf.install(...), which any thread or"
            " task may uninstall"
        )
    )


def writable(values: Mapping[Slot, Any]) -> dict[Slot, Any]:
    """Return the values to write: copies of those that can be changed in place, and limits only raised."""
    written = dict(values)
    for slot, value in values.items():
        if slot.copy_value is not None:
            written[slot] = slot.copy_value(value)
        if type(value) is AtLeast:
            written[slot] = int(value.over(slot.read()))
    return written


def deleted(slot: Slot) -> UnknownFlagError:
    """Return the error for a flag that was deleted from its module."""
    name = slot.setting.newest
    return UnknownFlagError(
        f"{name} was deleted from {slot.storage.module.__name__}; dynconf.reset({name!r}) brings it back",
        flag=name,
    )


def refuse_deleted(slots: Iterable[Slot]) -> None:
    """Raise UnknownFlagError if one of the flags was deleted from its module."""
    for slot in slots:
        if slot.stored() is ABSENT or slot.record.hide:
            raise deleted(slot)
