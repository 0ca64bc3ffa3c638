"""A slot: one setting of a live config module, as the rest of dynconf sees it."""

import copy
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from dynconf.catalogue import FLAGS
from dynconf.catalogue.record import Flag
from dynconf.catalogue.value_types import (
    Bool,
    Float,
    Int,
    ListOf,
    Mapping,
    Opaque,
    Optional,
    SetOf,
    Text,
    ValueType,
)
from dynconf.errors import DynconfWarning, InertFlagWarning, UncataloguedFlagWarning
from dynconf.provenance import Origin
from dynconf.sources.layer import inert_message
from dynconf.values import Check, checker
from dynconf.versions import clamped

if TYPE_CHECKING:
    from dynconf.rules import Rule

ABSENT: Any = object()
"""What stands for no override where the module has no such thing, and for a flag that was deleted."""


class Slot:
    """One setting of a live module.

    Attributes:
        name: The name by which the module knows it.
        flag: Its record.
        entry: torch's own record of the flag.
        get: Returns the override, or the binding's `unset`.
        seen: Returns the override as torch sees it: the same, unless `Binding.see_through_copies` said else.
        set: Writes it.
        default: Returns torch's default with what it read from the environment in it; a fresh object.
        check: Takes a value and returns it, or raises `dynconf.values.Mismatch`.
        fresh: Copies a value, where values can be changed in place; None where they cannot.
        forced: The value that a variable forces on the flag, read when torch was imported; else `unset`.
        notice: What to warn of when the flag is set.
        rules: The rules over several flags in which it takes part.
        resting: Where the value comes from while nothing is set; None until someone asked.
    """

    __slots__ = (
        "check",
        "default",
        "entry",
        "flag",
        "forced",
        "fresh",
        "get",
        "name",
        "notice",
        "resting",
        "rules",
        "seen",
        "set",
    )

    def __init__(
        self,
        flag: Flag,
        entry: Any,
        get: Callable[[], Any],
        set_: Callable[[Any], object],
        default: Callable[[], Any],
        forced: Any = ABSENT,
    ) -> None:
        self.name = flag.name
        self.flag = flag
        self.entry = entry
        self.get = get
        self.seen = get
        self.set = set_
        self.default = default
        self.check: Check = checker(flag.type)
        self.fresh = copier(flag.type)
        self.forced = forced
        self.rules: tuple[Rule, ...] = ()
        self.notice: DynconfWarning | None = None
        self.resting: Origin | None = None

    def __repr__(self) -> str:
        return f"Slot({self.name!r})"


class Row(NamedTuple):
    """A name of the module, with its slot and, where it is an alias, the origin that says so."""

    name: str
    slot: Slot
    alias: Origin | None


def copier(type_: ValueType) -> Callable[[Any], Any] | None:
    """Return what copies a value of the type, or None where values cannot be changed in place."""
    if isinstance(type_, SetOf):
        return set
    if isinstance(type_, ListOf):
        return list
    return copy.deepcopy if isinstance(type_, Mapping) else None


def flag_of(name: str, default: object) -> Flag:
    """Return the record of the flag; one that is newer than the catalogue is typed by its default."""
    if name in FLAGS:
        return FLAGS[name]
    types: dict[type, ValueType] = {
        bool: Bool(),
        int: Int(),
        float: Float(),
        str: Text(),
        type(None): Optional(Opaque()),
    }
    return Flag(name=name, type=types.get(type(default), Opaque()), default=default, summary="")


def notice_of(flag: Flag, version: str) -> DynconfWarning | None:
    """Return what to warn of when the flag is set in that release, if anything."""
    if flag.name not in FLAGS:
        return UncataloguedFlagWarning(
            f"{flag.name} is newer than dynconf's catalogue: values are only checked against its default"
        )
    if flag.status_in(clamped(version)) == "no-op":
        return InertFlagWarning(inert_message(flag, version))
    return None
