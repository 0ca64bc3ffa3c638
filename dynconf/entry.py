"""The entries of a state: a flag with its value and origin, and what the catalogue knows of it."""

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, TypeVar

from dynconf.catalogue import Setting
from dynconf.flags.flag import qualified
from dynconf.flags.types import Mismatch, plain, shown, spelled
from dynconf.names import FLAGS
from dynconf.origin import Origin

Item = TypeVar("Item")

UNSET_KINDS = frozenset({"default", "alias", "implication"})
"""The kinds of origin of a value that nobody set: it is in force by itself, or because of another flag."""


def show_data(name: str, value: object) -> Any:
    """Return *value* of the flag of that full name as JSON data for display.

    An object that cannot be found again by name is shown as text.
    """
    flag = FLAGS.get(name)
    if flag is not None:
        return flag.type.show_data(value)
    try:
        return plain(value)
    except Mismatch:
        return sorted(map(shown, value)) if isinstance(value, (set, frozenset)) else shown(value)


@dataclass(frozen=True, slots=True)
class Entry:
    """One flag of a snapshot, with what the catalogue knows of it."""

    name: str  # its full name in the release of the snapshot
    setting: Setting | None  # None if it is newer than the catalogue
    value: Any
    origin: Origin

    @property
    def key(self) -> str:
        """Its full newest name."""
        return self.name if self.setting is None else qualified(self.setting.module, self.setting.key)

    @property
    def is_set(self) -> bool:
        """Whether something sets it: it does not merely have its default, nor is it an old name."""
        return self.origin.kind not in UNSET_KINDS

    @property
    def meaning(self) -> Any:
        """What the value means: where torch left text in place of a bool, whether it is true."""
        return self.value if self.setting is None else self.setting.type.truth(self.value)

    @property
    def text(self) -> str:
        """The value in a few words, for people: objects go by their names, sets are sorted."""
        return spelled(show_data(self.name, self.value), self.value)


class ReadOnly(Mapping[str, Item]):
    """A mapping that cannot be changed, nor can what is in it: sets and the like are copied on reading."""

    __slots__ = ("_items",)

    def __init__(self, items: Mapping[str, Item]) -> None:
        self._items = {name: _copy(item) if type(item) in _COPIED else item for name, item in items.items()}

    def __getitem__(self, name: str) -> Item:
        item: Item = _copy(self._items[name])
        return item

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        return repr(self._items)

    def _ipython_key_completions_(self) -> list[str]:
        return list(self._items)


_COPIED = (dict, list, set)


def _copy(item: Any) -> Any:
    return deepcopy(item) if type(item) in (dict, list) else set(item) if type(item) is set else item
