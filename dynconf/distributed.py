"""One configuration on all ranks: checking that it is so, and sending one rank's flags to the others.

Ranks that compile with different flags wait for each other in collective calls that the others never start.
To find that out must not cost much itself: there may be 100,000 ranks with 1,000 flags each, which nearly
always agree. So `check_consistency` first compares hashes, by one reduction of 1 KiB:

- Each flag belongs to one of 112 buckets, by its name. A rank contributes a hash of each bucket, a digest of
  everything, and the negatives of both; the reduction is MAX. All ranks have the same number exactly if the
  largest number and the largest negative are the same but for the sign::

      rank 0:   8, -8     rank 1:   8, -8     MAX:   8, -8     the ranks agree
      rank 0:   8, -8     rank 1:  99, -99    MAX:  99, -8     they do not

- Only if they differ, the flags in the buckets that differ are gathered, with their values for the message.

A mistake on one rank must not leave the others waiting in a call that it never joins. So a rank on which
something fails joins all the same: it contributes its error in place of its values.
"""

import hashlib
import json
import struct
from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from dynconf.catalogue import Setting
from dynconf.errors import ConflictError, DynconfError, ForcedFlagWarning, InvalidValueError, combined
from dynconf.flags.types import Mismatch, is_same_value, short_repr
from dynconf.ignore import HOST
from dynconf.live.binding import bind
from dynconf.live.install import Installation, install_state
from dynconf.live.origin import origin_of
from dynconf.modules import MODULES
from dynconf.names import setting
from dynconf.origin import Caller, caller
from dynconf.peers import Peers, format_ranks
from dynconf.release import Release
from dynconf.snapshot import live_state, newer_flags
from dynconf.sources.gather import check_conflicts
from dynconf.sources.reading import Reading, ReadingBuilder, merge
from dynconf.state import SettingValue, State

if TYPE_CHECKING:
    from torch.distributed import ProcessGroup

TIMEOUT = timedelta(minutes=5)
"""The default timeout: ranks may come minutes apart while they load data or a model."""

_BUCKETS = 112  # with the 16 numbers of the digest, and all negatives, 256 numbers of 4 bytes
_MAX_GROUPS = 8  # of different values of a flag, in one message

ComparableValues = Mapping[str, tuple[str, str]]
"""By flag: a digest that is equal exactly if the value is, empty for the default; and the value as text."""


def check_consistency(
    group: "ProcessGroup | None" = None,
    *,
    flags: Iterable[str] | None = None,
    timeout: float | timedelta = TIMEOUT,
) -> None:
    """Check that every rank has the same torch release and the same flags, in all config modules.

    Each rank of the group must call it. It compares the values in force in the calling thread or task,
    whatever set them, except for flags tied to one machine, such as paths. As long as the ranks agree, that
    takes one reduction of 1 KiB, whatever the number of ranks and flags.

    Args:
        group: The ranks to compare; by default, all. On a rank that is not among them nothing happens.
        flags: The flags to compare; by default, all.
        timeout: The time to wait for the other ranks, in seconds if it is a number.

    Raises:
        ConflictError: The ranks differ. Raised on every rank, with flags, values and global ranks.
        MissingRankError: A rank did not come in time. The group cannot be used any more, as after any
            collective call of torch that timed out.
        UnknownFlagError: torch has no such flag.

    Example:
        >>> import dynconf
        >>> from torch import distributed
        >>> distributed.init_process_group("gloo", store=distributed.HashStore(), rank=0, world_size=1)
        >>> dynconf.distributed.check_consistency()
        >>> distributed.destroy_process_group()
    """
    peers = Peers(group, timeout)
    if not peers.is_member:
        return
    problem: Exception | None = None
    try:
        values = _comparable_values(flags)
    except Exception as error:  # noqa: BLE001  after any error, the other ranks must not wait for this one
        problem, values = error, {"": (_describe_error(error), _describe_error(error))}
    hashes = _hashes(values)
    largest = peers.all_reduce_max([*hashes, *(-number for number in hashes)])
    differs = [high != -low for high, low in zip(largest, largest[len(hashes) :])]
    if not any(differs):
        if problem is not None:
            raise problem
        return
    names = [name for name in values if differs[_bucket(name)]]
    raise combined(_conflicts(peers.all_gather({name: values[name] for name in names})))


def broadcast(
    src: int = 0, group: "ProcessGroup | None" = None, *, timeout: float | timedelta = TIMEOUT
) -> Installation:
    """Install one rank's flags on all ranks, for the process, so that all agree.

    Each rank of the group must call it. All flags that are set on the source rank, in any config module and
    by any means, are installed on every rank; a flag that only another rank has set gets its default there.
    Flags tied to one machine, such as paths, are left alone. If one rank cannot install the values, no rank
    does.

    Args:
        src: The global rank whose flags to install.
        group: The ranks that take part; by default, all. On a rank that is not among them nothing happens.
        timeout: The time to wait for the other ranks, in seconds if it is a number.

    Returns:
        The installation of this rank, in force. If a patch ranks above it, a `ForcedFlagWarning` says so.

    Raises:
        InvalidValueError: A value cannot be sent, such as a lambda; *src* is not in the group, or not the
            same on all ranks.
        ConflictError: Another rank could not install the values; the message has ranks and reasons.
        Exception: This rank could not install them; any error, such as a warning that was made one.
        MissingRankError: A rank did not come in time: see `check_consistency`.

    Example:
        >>> import dynconf
        >>> from torch import distributed
        >>> distributed.init_process_group("gloo", store=distributed.HashStore(), rank=0, world_size=1)
        >>> with dynconf.patch(recompile_limit=64):
        ...     installation = dynconf.distributed.broadcast()
        >>> dynconf.snapshot()["recompile_limit"]
        64
        >>> installation.uninstall()
        >>> distributed.destroy_process_group()
    """
    calling_line = caller()
    peers = Peers(group, timeout)
    if not peers.is_member:
        return install_state(State(Release.at_hand()), calling_line)
    sent = peers.broadcast(_flags_to_send() if peers.rank == src else None, src)
    if "error" in sent:
        raise InvalidValueError(f"rank {src} cannot send its flags: {sent['error']}")
    installation: Installation | None = None
    problem: Exception | None = None
    try:
        state = _received_state(sent["flags"], calling_line)
        installation = install_state(state, calling_line)
        _warn_of_patches(state, calling_line)
    except Exception as error:  # noqa: BLE001  after any error, no rank may wait or keep the values
        problem = error
    if any(peers.all_reduce_max([int(problem is not None)])):
        if installation is not None:
            installation.uninstall()
        answers = peers.all_gather({"": _describe_error(problem) if problem else ""})
        if problem is not None:
            raise problem
        failed = {rank: answer[""] for rank, answer in answers.items() if answer[""]}
        reasons = "; ".join(f"rank {rank}: {reason}" for rank, reason in list(failed.items())[:_MAX_GROUPS])
        raise ConflictError(
            f"nothing is installed, because {format_ranks(list(failed))} cannot install it: {reasons}"
        )
    assert installation is not None
    return installation


def _describe_error(problem: Exception) -> str:
    return str(problem) if isinstance(problem, DynconfError) else f"{type(problem).__name__}: {problem}"


def _comparable_values(flags: Iterable[str] | None) -> ComparableValues:
    state = live_state(MODULES)
    wanted = None
    if flags is not None:
        newer, names = newer_flags(state.release), [flags] if isinstance(flags, str) else flags
        wanted = {each if each in newer else setting(each, state.release).newest for each in names}
    values = {"torch": (state.release.version, state.release.version)}
    for each, (value, _) in state.items():
        if each.newest not in HOST if wanted is None else each.newest in wanted:
            meaning = each.type.truth(value)
            values[each.newest] = _digest(each, meaning), short_repr(meaning)
    return values


def _digest(setting: Setting, value: Any) -> str:
    # Empty for the default: one that torch derives from the machine may differ between ranks.
    if setting.is_catalogued and is_same_value(value, setting.default_value()):
        return ""
    try:
        text = json.dumps(_json_data(setting, value), sort_keys=True)
    except (Mismatch, TypeError, ValueError):
        # Custom passes and the like cannot be compared across processes, but their names can.
        text = _object_names(value)
    return hashlib.sha256(text.encode()).hexdigest()


def _json_data(setting: Setting, value: Any) -> Any:
    return setting.type.to_data(setting.type.check(setting.type.truth(value)))


def _object_names(value: Any) -> str:
    """Return a text that has the names of the objects in a value, and so is equal in all processes."""
    if isinstance(value, (set, frozenset)):
        return repr(sorted(map(_object_names, value)))
    if isinstance(value, (list, tuple)):
        return repr(list(map(_object_names, value)))
    if isinstance(value, dict):
        return repr(sorted((_object_names(key), _object_names(each)) for key, each in value.items()))
    if isinstance(value, (str, int, float, type(None))):
        return repr(value)
    named = value if hasattr(value, "__qualname__") else type(value)
    return f"{getattr(named, '__module__', '')}:{named.__qualname__}"


def _hashes(values: ComparableValues) -> list[int]:
    """Return a number for each bucket, and those of a digest of all: a hash of 31 bits may collide."""
    buckets: list[list[tuple[str, str]]] = [[] for _ in range(_BUCKETS)]
    for name, (identity, _) in sorted(values.items()):
        if identity:
            buckets[_bucket(name)].append((name, identity))
    digest = hashlib.sha256(repr(buckets).encode()).digest()
    # Half a hash and 16 bits of the digest each fit into an int32, negated too.
    return [*(_hash(repr(bucket)) >> 1 for bucket in buckets), *struct.unpack(">16H", digest)]


def _bucket(name: str) -> int:
    return _hash(name) % _BUCKETS


def _hash(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big")


def _conflicts(by_rank: Mapping[int, ComparableValues]) -> list[ConflictError]:
    names = sorted({name for values in by_rank.values() for name in values})
    absent = "", "no such flag"
    found = {}
    for name in names:
        values = {rank: tuple(each.get(name, absent)) for rank, each in by_rank.items()}
        if len({digest for digest, _ in values.values()}) > 1:
            found[name] = values
    if "" in found:  # a rank that could not even read its flags
        errors = [f"rank {rank}: {error}" for rank, (error, _) in found[""].items() if error]
        return [ConflictError(f"flags cannot be compared: {'; '.join(errors)}")]
    return [ConflictError(f"{name}: {_values_by_ranks(values)}", flag=name) for name, values in found.items()]


def _values_by_ranks(values: Mapping[int, tuple[str, ...]]) -> str:
    """Return ``8 on ranks 0-2,4-7; 99 on rank 3``."""
    groups: dict[tuple[str, ...], list[int]] = {}
    for rank, value in values.items():
        groups.setdefault(value, []).append(rank)
    if len({text for _, text in groups}) < len(groups):  # long values that differ only at the end
        groups = {(digest, f"{text} [{digest[:8]}]"): ranks for (digest, text), ranks in groups.items()}
    parts = [f"{text} on {format_ranks(ranks)}" for (_, text), ranks in list(groups.items())[:_MAX_GROUPS]]
    if more := len(groups) - len(parts):
        parts.append(f"{more} more values on the other ranks")
    return "; ".join(parts)


def _flags_to_send() -> dict[str, Any]:
    """Return the flags that are set here as JSON data, or the reason why they cannot be sent."""
    flags = {}
    for each, (value, _) in live_state(MODULES).only_set().items():
        if each.newest not in HOST:
            try:
                flags[each.newest] = _json_data(each, value)
            except Mismatch as problem:
                return {"error": f"{each.newest}: {problem}"}
    return {"flags": flags}


def _received_state(flags: Mapping[str, Any], calling_line: Caller) -> State:
    """Return the flags of the source, and the defaults of flags that are set only on this rank."""
    release = Release.at_hand()
    origin = calling_line.origin("keyword")
    set_here = [each for each in live_state(MODULES).only_set() if each.newest not in HOST]
    defaults = {each: SettingValue(each.default_value(), origin) for each in set_here if each.is_catalogued}
    builder = ReadingBuilder(release, newer=newer_flags(release))
    for name, data in flags.items():
        builder.add(name, origin, data, lambda setting, data: setting.type.from_data(data))
    return check_conflicts(merge((Reading(State(release, defaults)), builder.done()))).resolved()


def _warn_of_patches(state: State, calling_line: Caller) -> None:
    for each, (value, _) in state.items():
        slot = bind(each.module).slot(each.name)
        origin = origin_of(slot)
        if origin.kind in ("patch", "assignment") and not is_same_value(slot.read(), value):
            sent, current = short_repr(value), short_repr(slot.read())
            message = (
                f"{each.qualified}: {sent} has no effect here as long as {current} is in force ({origin})"
            )
            calling_line.warn(ForcedFlagWarning(message, flag=each.qualified))
