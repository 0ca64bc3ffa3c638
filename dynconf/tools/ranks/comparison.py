"""Comparing the flags of all ranks by one message of constant size.

There may be 100,000 ranks with 1,000 flags each, which nearly always agree, so hashes are compared first:

- Each flag belongs to one of 108 buckets, by its name. A rank contributes a hash of each bucket, and a digest
  of everything.
- Only if they differ, the flags in the buckets that differ are gathered, with their values for the message.
"""

import hashlib
import json
import struct
from collections.abc import Iterable, Mapping
from typing import Any

from dynconf.catalogue.catalogue import Setting
from dynconf.catalogue.flags.types import is_same_value, short_repr
from dynconf.catalogue.modules import MODULES
from dynconf.catalogue.names import setting
from dynconf.errors import ConflictError
from dynconf.live.binding import newer_flags
from dynconf.provenance import DEFAULT
from dynconf.store.ignore import HOST, ignored
from dynconf.store.saving import stored
from dynconf.store.snapshot import live_state
from dynconf.tools.ranks.members import format_values, ranks_by_value
from dynconf.tools.ranks.peers import CAPACITY, hash_of

ARGUMENT = "argument"
"""Before the name of an argument that is compared as flags are."""

_DIGEST = 16
_BUCKETS = CAPACITY - _DIGEST

ComparableValues = Mapping[str, tuple[str, str]]
"""By flag: a digest that is equal exactly if the value is, empty for the default; and value with origin."""


def comparable_values(flags: str | Iterable[str] | None, ignore: str | Iterable[str]) -> ComparableValues:
    """Return the values in force, of *flags* or of all but those tied to one machine.

    Flags in *ignore* are left out in either case.
    """
    state = live_state(MODULES)
    newer = newer_flags(state.release)
    left_out = ignored([ignore] if isinstance(ignore, str) else ignore, newer)
    wanted = None
    if flags is not None:
        names = [flags] if isinstance(flags, str) else flags
        wanted = {each if each in newer else setting(each, state.release).newest for each in names}
    values = {"torch": (state.release.version, state.release.version)}
    for argument, given in (("flags", wanted), ("ignore", left_out or None)):
        text = "" if given is None else repr(sorted(given))
        shown = "not given" if given is None else short_repr(sorted(given))
        values[f"{ARGUMENT} {argument}"] = text, shown
    for each, (value, origin) in state.items():
        is_wanted = each.newest not in HOST if wanted is None else each.newest in wanted
        if is_wanted and each.newest not in left_out:
            digest = ""
            # Empty for the default: one that torch derives from the machine may differ between ranks.
            if not each.is_catalogued or not is_same_value(value, each.default_value()):
                text = json.dumps(comparable_data(each, value), sort_keys=True)
                digest = hashlib.sha256(text.encode()).hexdigest()
            by = "" if origin is DEFAULT else f" ({origin})"
            values[each.newest] = digest, f"{short_repr(value)}{by}"
    return values


def comparable_data(setting: Setting, value: Any) -> Any:
    """Return the value as JSON data, in which objects, such as custom passes, go by their names."""
    try:
        return stored(setting, value)
    except (TypeError, ValueError):
        return object_names(value)


def object_names(value: Any) -> str:
    """Return a text that has the names of the objects in a value, and so is equal in all processes."""
    if isinstance(value, (set, frozenset)):
        return repr(sorted(map(object_names, value)))
    if isinstance(value, (list, tuple)):
        return repr(list(map(object_names, value)))
    if isinstance(value, dict):
        return repr(sorted((object_names(key), object_names(each)) for key, each in value.items()))
    if isinstance(value, (str, int, float, type(None))):
        return repr(value)
    named = value if hasattr(value, "__qualname__") else type(value)
    return f"{getattr(named, '__module__', '')}:{named.__qualname__}"


def hashes(values: ComparableValues) -> list[int]:
    """Return a number for each bucket, and those of a digest of all: a hash of 31 bits may collide."""
    buckets: list[list[tuple[str, str]]] = [[] for _ in range(_BUCKETS)]
    for name, (identity, _) in sorted(values.items()):
        if identity:
            buckets[_bucket(name)].append((name, identity))
    digest = hashlib.sha256(repr(buckets).encode()).digest()
    # A hash and 16 bits of the digest each fit into an int32, negated too.
    return [*(hash_of(repr(bucket)) for bucket in buckets), *struct.unpack(f">{_DIGEST}H", digest)]


def in_differing_buckets(
    values: ComparableValues, highest: list[int], lowest: list[int]
) -> ComparableValues | None:
    """Return the values of which some rank may have others, or None if all ranks have the same hashes."""
    if highest == lowest:
        return None
    differs = [high != low for high, low in zip(highest, lowest)]
    return {name: value for name, value in values.items() if differs[_bucket(name)]}


def _bucket(name: str) -> int:
    return hash_of(name) % _BUCKETS


def conflicts(by_rank: Mapping[int, ComparableValues]) -> list[ConflictError]:
    """Return an error for each flag that does not have the same value on all ranks."""
    names = sorted({name for values in by_rank.values() for name in values})
    found = []
    for name in names:
        values = {rank: tuple(each.get(name, ("", "no such flag"))) for rank, each in by_rank.items()}
        if len({digest for digest, _ in values.values()}) > 1:
            flag = None if name.startswith(f"{ARGUMENT} ") else name
            groups = ranks_by_value(values)
            if len({text for _, text in groups}) < len(groups):  # long values that differ only at the end
                groups = {(digest, f"{text} [{digest[:8]}]"): groups[digest, text] for digest, text in groups}
            shown = format_values({text: ranks for (_, text), ranks in groups.items()})
            found.append(ConflictError(f"{name}: {shown}", flag=flag))
    return found
