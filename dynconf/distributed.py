"""One configuration on all ranks: checking that it is so, and sending one rank's to the others.

On ``torch.distributed``, with any backend. Whatever goes wrong on a single rank is reported on every rank: no
rank leaves the others waiting.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from dynconf.entry import Entry
from dynconf.errors import (
    ConflictError,
    DynconfError,
    ForcedFlagWarning,
    InvalidValueError,
    combined,
)
from dynconf.fingerprint import fingerprint
from dynconf.flags.types import Mismatch, plain, same, shown
from dynconf.ignore import HOST, newest
from dynconf.live.binding import bind
from dynconf.live.install import Installation, install_state
from dynconf.live.origin import origin_of
from dynconf.modules import MODULES
from dynconf.names import setting
from dynconf.origin import Caller, caller
from dynconf.peers import Peers, ranks_in_words
from dynconf.release import Release
from dynconf.selection import live
from dynconf.snapshot import newer_flags
from dynconf.sources.gather import check_conflicts
from dynconf.sources.reading import ReadingBuilder
from dynconf.state import State

if TYPE_CHECKING:
    from torch.distributed import ProcessGroup

TIMEOUT = timedelta(minutes=5)
"""How long to wait for the others: ranks may come minutes apart while they load data or a model."""

_BUCKETS = 112
"""How many groups the flags are put in: where two ranks differ, the reduction tells the groups."""

_GROUPS_SHOWN = 8
"""How many different values of a flag a message lists."""

Values = Mapping[str, tuple[str, str]]
"""By flag: a text that is equal exactly if the value is, empty for the default; and the value for people."""


def check_consistency(
    group: "ProcessGroup | None" = None,
    *,
    flags: Iterable[str] | None = None,
    timeout: float | timedelta = TIMEOUT,
) -> None:
    """Check that every rank has the same torch release and the same flags, in all config modules.

    Each rank of the group must call it. What is compared is what is in force in the calling thread or task,
    wherever it came from, except for flags tied to one machine, such as paths. As long as the ranks agree,
    that takes one reduction of 1 KiB, whatever the number of ranks and flags.

    Args:
        group: The ranks to compare; by default, all. In a rank that is not among them nothing happens.
        flags: The flags to compare; by default, all.
        timeout: How long to wait for the other ranks, in seconds if it is a number.

    Raises:
        ConflictError: The ranks differ. Raised in every rank, with flags, values and global ranks.
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
        values = _values(flags)
    except Exception as error:  # noqa: BLE001  whatever it is, the other ranks must not wait for this one
        problem, values = error, {"": (_told(error), _told(error))}
    summary = _summary(values)
    largest = peers.largest([*summary, *(-number for number in summary)])
    differs = [high != -low for high, low in zip(largest, largest[len(summary) :])]
    if not any(differs):
        if problem is not None:
            raise problem
        return
    names = [name for name in values if differs[_bucket(name)]]
    gathered = peers.gather({name: values[name] for name in names})
    raise combined(_conflicts(dict(zip(peers.ranks, gathered, strict=True))))


def broadcast(
    src: int = 0, group: "ProcessGroup | None" = None, *, timeout: float | timedelta = TIMEOUT
) -> Installation:
    """Install one rank's flags on all ranks, for the process; then all agree.

    Each rank of the group must call it. What the source rank has set, in any config module and by whatever
    means, is installed on all of them; what only another rank has set is installed there with its default.
    Flags tied to one machine, such as paths, are left alone. If a rank cannot install the values, nothing is
    installed anywhere.

    Args:
        src: The global rank whose flags to install.
        group: The ranks that take part; by default, all. In a rank that is not among them nothing happens.
        timeout: How long to wait for the other ranks, in seconds if it is a number.

    Returns:
        The installation of this rank, in force. A patch that is in force here ranks above it, which a
        `ForcedFlagWarning` says.

    Raises:
        InvalidValueError: A value cannot be sent, such as a lambda; *src* is not in the group, or not the
            same on all ranks.
        ConflictError: Another rank could not install the values; the message tells ranks and reasons.
        Exception: This rank could not install them; whatever stopped it, such as a warning that is an error.
        MissingRankError: A rank did not come in time: see `check_consistency`.

    Example:
        >>> import dynconf
        >>> from torch import distributed
        >>> distributed.init_process_group("gloo", store=distributed.HashStore(), rank=0, world_size=1)
        >>> with dynconf.patch(recompile_limit=64):
        ...     installation = dynconf.distributed.broadcast()
        >>> dynconf.snapshot().values["recompile_limit"]
        64
        >>> installation.uninstall()
        >>> distributed.destroy_process_group()
    """
    here = caller()
    peers = Peers(group, timeout)
    if not peers.is_member:
        return install_state(State(Release.at_hand()), here)
    sent = peers.send(_outgoing() if peers.rank == src else None, src)
    if "error" in sent:
        raise InvalidValueError(f"rank {src} cannot send its flags: {sent['error']}")
    installation: Installation | None = None
    problem: Exception | None = None
    try:
        state = _incoming(sent["flags"], here)
        installation = install_state(state, here)
        _warn_of_patches(state, here)
    except Exception as error:  # noqa: BLE001  the other ranks must not wait, nor keep what one refuses
        problem = error
    if any(peers.largest([int(problem is not None)])):
        if installation is not None:
            installation.uninstall()
        reasons = peers.gather({"": _told(problem) if problem else ""})
        if problem is not None:
            raise problem
        failed = {rank: reason[""] for rank, reason in zip(peers.ranks, reasons, strict=True) if reason[""]}
        told = "; ".join(f"rank {rank}: {reason}" for rank, reason in list(failed.items())[:_GROUPS_SHOWN])
        raise ConflictError(
            f"nothing is installed, because {ranks_in_words(list(failed))} cannot install it: {told}"
        )
    assert installation is not None
    return installation


def _told(problem: Exception) -> str:
    return str(problem) if isinstance(problem, DynconfError) else f"{type(problem).__name__}: {problem}"


def _values(flags: Iterable[str] | None) -> Values:
    state = live(MODULES)
    wanted = None
    if flags is not None:
        newer, names = newer_flags(state.release), [flags] if isinstance(flags, str) else flags
        wanted = {each if each in newer else newest(setting(each, state.release).qualified) for each in names}
    values = {"torch": (state.torch, state.torch)}
    for entry in state.entries():
        is_wanted = entry.key not in HOST if wanted is None else entry.key in wanted
        if is_wanted and entry.origin.kind != "alias":
            values[entry.key] = _identity(entry), shown(entry.meaning)
    if wanted is None:
        try:
            digest = fingerprint(state)
        except InvalidValueError:  # which flag has no stable form is in the values
            digest = "none"
        values["fingerprint"] = digest, digest[:12]
    return values


def _identity(entry: Entry) -> str:
    """Return a short text that is equal in two processes if the value is; empty for the release's default."""
    if entry.setting is not None and same(entry.meaning, entry.setting.default_value()):
        return ""
    try:
        text = json.dumps(_data(entry), sort_keys=True)
    except (Mismatch, TypeError, ValueError):
        # Objects of a program, such as a custom pass: the same on all ranks if they are called the same.
        text = _called(entry.meaning)
    return hashlib.sha256(text.encode()).hexdigest()


def _data(entry: Entry) -> Any:
    """Return the value as JSON data; if it has no such form, raise `Mismatch`."""
    if entry.setting is None:
        return plain(entry.value)
    return entry.setting.type.to_data(entry.setting.type.check(entry.meaning))


def _called(value: Any) -> str:
    """Return a text with the names of the objects in a value, without anything that a process has chosen."""
    if isinstance(value, (set, frozenset)):
        return repr(sorted(map(_called, value)))
    if isinstance(value, (list, tuple)):
        return repr(list(map(_called, value)))
    if isinstance(value, dict):
        return repr(sorted((_called(key), _called(each)) for key, each in value.items()))
    if isinstance(value, (str, int, float, type(None))):
        return repr(value)
    named = value if hasattr(value, "__qualname__") else type(value)
    return f"{getattr(named, '__module__', '')}:{named.__qualname__}"


def _summary(values: Values) -> list[int]:
    """Return numbers that are equal if the values are: one of 31 bits for each bucket, a digest of all."""
    buckets: list[list[tuple[str, str]]] = [[] for _ in range(_BUCKETS)]
    for name, (identity, _) in sorted(values.items()):
        if identity:
            buckets[_bucket(name)].append((name, identity))
    whole = hashlib.sha256(repr(buckets).encode()).digest()
    halves = [int.from_bytes(whole[at : at + 2], "big") for at in range(0, len(whole), 2)]
    return [_number(repr(bucket)) >> 1 for bucket in buckets] + halves


def _bucket(name: str) -> int:
    return _number(name) % _BUCKETS


def _number(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big")


def _conflicts(by_rank: Mapping[int, Values]) -> list[ConflictError]:
    names = sorted({name for values in by_rank.values() for name in values})
    nothing = "", "no such flag"
    found = {}
    for name in names:
        values = {rank: tuple(each.get(name, nothing)) for rank, each in by_rank.items()}
        if len({identity for identity, _ in values.values()}) > 1:
            found[name] = values
    if "" in found:  # a rank that could not even read its flags
        failed = {rank: error for rank, (error, _) in found[""].items() if error}
        told = "; ".join(f"rank {rank}: {error}" for rank, error in failed.items())
        return [ConflictError(f"flags cannot be compared: {told}")]
    if len(found) > 1:
        found.pop("fingerprint", None)
    return [ConflictError(f"{name}: {_grouped(values)}", flag=name) for name, values in found.items()]


def _grouped(values: Mapping[int, tuple[str, ...]]) -> str:
    """Return ``8 on ranks 0-2,4-7; 99 on rank 3``."""
    groups: dict[tuple[str, ...], list[int]] = {}
    for rank, value in values.items():
        groups.setdefault(value, []).append(rank)
    if len({text for _, text in groups}) < len(groups):  # they differ beyond what is shown of them
        groups = {(identity, f"{text} [{identity[:8]}]"): ranks for (identity, text), ranks in groups.items()}
    told = [f"{text} on {ranks_in_words(ranks)}" for (_, text), ranks in list(groups.items())[:_GROUPS_SHOWN]]
    more = len(groups) - len(told)
    return "; ".join([*told, *([f"{more} more values on the other ranks"] if more else [])])


def _outgoing() -> dict[str, Any]:
    """Return what the source rank has set, as JSON data, or why it cannot be sent."""
    state = live(MODULES)
    flags = {}
    for entry in state.entries(state.names_set()):
        if entry.key not in HOST:
            try:
                flags[entry.name] = _data(entry)
            except Mismatch as problem:
                return {"error": f"{entry.name}: {problem}"}
    return {"flags": flags}


def _incoming(flags: Mapping[str, Any], here: Caller) -> State:
    """Return what to install: the flags of the source, and defaults for what is set only here."""
    release = Release.at_hand()
    builder = ReadingBuilder(release, newer=newer_flags(release))
    origin = here.origin("keyword")
    for name, data in flags.items():
        builder.add(name, origin, data, lambda setting, data: setting.type.from_data(data))
    state = live(MODULES)
    for entry in state.entries(state.names_set()):
        if entry.setting is not None and entry.setting not in builder and entry.key not in HOST:
            builder.put(entry.setting, entry.name, origin, entry.setting.default_value(), _as_is)
    return check_conflicts(builder.done()).resolved()


def _as_is(_setting: object, value: object) -> Any:
    return value


def _warn_of_patches(state: State, here: Caller) -> None:
    for each, (value, _) in state.items():
        slot = bind(each.module).slot(each.name)
        origin = origin_of(slot)
        if origin.kind in ("patch", "assignment") and not same(slot.read(), value):
            here.warn(
                ForcedFlagWarning(
                    f"{each.qualified}: {shown(value)} has no effect here as long as {shown(slot.read())} is"
                    f" in force ({origin})",
                    flag=each.qualified,
                )
            )
