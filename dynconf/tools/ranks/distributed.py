"""One configuration on all ranks: checking that it is so, and sending one rank's flags to the others.

Ranks that compile with different flags wait for each other in collective calls that the others never start.
`check_consistency` finds that out with a single message as long as all agree (see `comparison`), `broadcast`
prevents it, and `collect` shows everything else that tells the ranks apart.

A mistake on one rank must not leave the others waiting in a call that it never joins, nor join it with its
next call. So a rank on which something fails joins all the same: it refuses the call. That, and how a rank
that does not come is found out, is in `peers`.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from dynconf import version
from dynconf.catalogue.flags.types import is_same_value, short_repr
from dynconf.catalogue.modules import MODULES
from dynconf.errors import ConflictWarning, ForcedFlagWarning, InvalidValueError, combined
from dynconf.live.binding import bind, newer_flags
from dynconf.live.install import Installation, install_state
from dynconf.live.origin import origin_of
from dynconf.provenance import Caller, Origin, caller
from dynconf.release import Release
from dynconf.sources.gather import judge_rules
from dynconf.sources.reading import Reading, ReadingBuilder, merge
from dynconf.state import SettingValue, State
from dynconf.store.fingerprint import fingerprint
from dynconf.store.ignore import HOST
from dynconf.store.snapshot import live_state
from dynconf.tools.doctor.toolchain import cpp_compiler
from dynconf.tools.ranks.comparison import (
    comparable_data,
    comparable_values,
    conflicts,
    hashes,
    in_differing_buckets,
)
from dynconf.tools.ranks.members import format_ranks
from dynconf.tools.ranks.peers import meeting
from dynconf.tools.ranks.waiting import TIMEOUT
from dynconf.tools.report.machine import answer, device, numerics, triton

if TYPE_CHECKING:
    from dynconf.tools.ranks.members import Group

__all__ = ["RankReport", "broadcast", "check_consistency", "collect"]


def check_consistency(
    group: "Group | None" = None,
    *,
    flags: str | Iterable[str] | None = None,
    ignore: str | Iterable[str] = (),
    timeout: float | timedelta = TIMEOUT,
    on_difference: Literal["raise", "warn"] = "raise",
) -> None:
    """Check that every rank has the same torch release and the same flags, in all config modules.

    Each rank of the group must call it. It compares the values in force in the calling thread or task,
    whatever set them, except for flags tied to one machine, such as paths. As long as the ranks agree, that
    takes one reduction of 1 KiB, whatever the number of ranks and flags.

    Args:
        group: The ranks to compare: a process group, or a `DeviceMesh` of one dimension or of all ranks; by
            default, all. On a rank that is not among them nothing happens.
        flags: The flags to compare, under any of their names; by default, all.
        ignore: Flags to leave out; `dynconf.ignore` has sets to combine.
        timeout: The time to wait for the other ranks, in seconds if it is a number. Imports on this rank do
            not count, and the call ends at most ten seconds after the timeout.
        on_difference: Whether ranks that differ are an error or, for each flag, a `ConflictWarning`.

    Raises:
        ConflictError: The ranks differ. Raised on every rank, with flags, values and global ranks. Also if
            they do not compare the same flags, whatever *on_difference* says, are not in the same call of the
            same dynconf, or another rank refuses its arguments.
        MissingRankError: A rank did not come in time. The group cannot be used any more, as after any
            collective call of torch that timed out.
        UnknownFlagError: torch has no such flag.
        InvalidValueError: Another argument is wrong on this rank.

    Example:
        >>> import dynconf
        >>> from torch import distributed
        >>> distributed.init_process_group("gloo", store=distributed.HashStore(), rank=0, world_size=1)
        >>> dynconf.distributed.check_consistency()
        >>> distributed.destroy_process_group()
    """
    calling_line = caller()
    with meeting(group, "check_consistency", timeout) as peers:
        if peers is None:
            return
        if on_difference not in ("raise", "warn"):
            raise InvalidValueError(
                f"on_difference: expected 'raise' or 'warn', got {short_repr(on_difference)}"
            )
        values = comparable_values(flags, ignore)
        differing = in_differing_buckets(values, *peers.meet(hashes(values)))
        if differing is None:
            return
        by_rank = peers.gather(differing)
    found = conflicts(by_rank)
    if on_difference == "raise" or any(each.flag is None for each in found):
        raise combined(found)
    for each in found:
        calling_line.warn(ConflictWarning(str(each), flag=each.flag))


@dataclass(frozen=True, slots=True)
class RankReport:
    """What could make the compiled code or cache keys of a rank differ from another rank's.

    An answer that is not available is a text that begins with "unknown: ".

    Attributes:
        torch: The torch release.
        dynconf: The version of dynconf.
        fingerprint: `dynconf.fingerprint` of the rank: equal if its flags compile to the same code.
        flags: The flags that are set, by newest name, as JSON data; objects go by their names.
        origins: Where each of them came from.
        matmul_precision: The precision of float32 matmuls, such as "highest".
        tf32: Whether TF32 is allowed, by ``matmul`` and ``cudnn``.
        deterministic_algorithms: The debug mode: "default", "warn" or "error".
        triton: The version of Triton; None if it is not installed.
        compiler: The C++ compiler that Inductor chooses, with its version.
        device: The name of the current accelerator, or of the CPU with its vector instructions.
    """

    torch: str
    dynconf: str
    fingerprint: str
    flags: Mapping[str, Any]
    origins: Mapping[str, Origin]
    matmul_precision: str
    tf32: Mapping[str, Any]
    deterministic_algorithms: str
    triton: str | None
    compiler: str
    device: str

    @classmethod
    def of_this_rank(cls) -> "RankReport":
        """Return the report of this process; no question ends in an error."""
        state, switches = live_state(MODULES), numerics()
        settings = state.only_set()
        return cls(
            torch=state.release.version,
            dynconf=version.__version__,
            fingerprint=answer(fingerprint),
            flags={
                each.newest: answer(partial(comparable_data, each, value))
                for each, (value, _) in settings.items()
            },
            origins={each.newest: origin for each, (_, origin) in settings.items()},
            matmul_precision=switches["float32_matmul_precision"],
            tf32={part: switches[f"{part}.allow_tf32"] for part in ("matmul", "cudnn")},
            deterministic_algorithms=switches["deterministic_algorithms"],
            triton=answer(triton),
            compiler=answer(partial(cpp_compiler, needed=True)),
            device=answer(device),
        )

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> "RankReport":
        """Return the report of a rank that sent `asdict` of it, perhaps from another version of dynconf."""
        values: dict[str, Any] = {each.name: data.get(each.name) for each in fields(cls)}
        sent = data["origins"].items()
        values["origins"] = {
            name: Origin(**{each.name: origin[each.name] for each in fields(Origin)}) for name, origin in sent
        }
        return cls(**values)


def collect(group: "Group | None" = None, *, timeout: float | timedelta = TIMEOUT) -> dict[int, RankReport]:
    """Return, for each rank, what could make its compiled code or cache keys differ from another rank's.

    Each rank of the group must call it. Differences between ranks are never an error.

    Args:
        group: The ranks that take part: see `check_consistency`. On another rank the result is empty.
        timeout: The time to wait for the other ranks.

    Raises:
        ConflictError: Another rank is in another call, or refuses its arguments.
        MissingRankError: A rank did not come in time: see `check_consistency`.

    Example:
        >>> import dynconf
        >>> from torch import distributed
        >>> distributed.init_process_group("gloo", store=distributed.HashStore(), rank=0, world_size=1)
        >>> with dynconf.patch(recompile_limit=64):
        ...     reports = dynconf.distributed.collect()
        >>> reports[0].flags, reports[0].origins["recompile_limit"].kind, reports[0].matmul_precision
        ({'recompile_limit': 64}, 'patch', 'highest')
        >>> distributed.destroy_process_group()
    """
    with meeting(group, "collect", timeout) as peers:
        if peers is None:
            return {}
        report = json.dumps(asdict(RankReport.of_this_rank()))  # now, because it may fail
        peers.meet([], any_version=True)
        reports = peers.gather(report)
    return {rank: RankReport.from_data(json.loads(each)) for rank, each in reports.items()}


def broadcast(
    src: int = 0, group: "Group | None" = None, *, timeout: float | timedelta = TIMEOUT
) -> Installation:
    """Install one rank's flags on all ranks, for the process, so that all agree.

    Each rank of the group must call it. All flags that are set on the source rank, in any config module and
    by any means, are installed on every rank; a flag that only another rank has set gets its default there.
    Flags tied to one machine, such as paths, are left alone. If one rank cannot install the values, no rank
    does.

    Args:
        src: The global rank whose flags to install.
        group: The ranks that take part: see `check_consistency`.
        timeout: The time to wait for the other ranks.

    Returns:
        The installation of this rank, in force. If a patch ranks above it, a `ForcedFlagWarning` says so.

    Raises:
        InvalidValueError: A value cannot be sent, such as a lambda; *src* is not in the group, or not the
            same on all ranks.
        ConflictError: Another rank could not install the values; the message has ranks and reasons. Or it is
            in another call, or has another dynconf.
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
    with meeting(group, "broadcast", timeout) as peers:
        if peers is None:
            return install_state(State(Release.at_hand()), calling_line)
        # On each rank, so that all have imported what they need before one waits for another.
        text = json.dumps(_flags_to_send()).encode()
        root = peers.ranks.index(src) if src in peers.ranks else -1
        is_source = root >= 0 and peers.rank == src
        (highest, length, *_), (lowest, *_) = peers.meet([root, len(text) if is_source else 0])
        if highest != lowest:
            raise InvalidValueError(
                f"src: not the same on all ranks; on rank {peers.rank} it is {short_repr(src)}"
            )
        if root < 0:
            raise InvalidValueError(
                f"src: rank {short_repr(src)} is not in the group, which has {format_ranks(peers.ranks)}"
            )
        sent = peers.send(text if is_source else None, length)
    if "error" in sent:
        raise InvalidValueError(f"rank {src} cannot send its flags: {sent['error']}")
    installation: Installation | None = None
    problem: BaseException | None = None
    try:
        try:
            state = _received_state(sent["flags"], calling_line)
            installation = install_state(state, calling_line)
            _warn_of_patches(state, calling_line)
        except BaseException as error:  # noqa: BLE001  even after Ctrl-C, no rank may wait or keep the values
            problem = error
        peers.settle(problem, "nothing is installed, because {} cannot install it")
    except BaseException:
        if installation is not None:
            installation.uninstall()
        raise
    assert installation is not None
    return installation


def _flags_to_send() -> dict[str, Any]:
    """Return the flags that are set here as JSON data, or the reason why they cannot be sent."""
    flags = {}
    for each, (value, _) in live_state(MODULES).only_set().items():
        if each.newest not in HOST:
            try:
                flags[each.newest] = each.type.to_data(each.type.check(value))
            except Exception as problem:  # noqa: BLE001  whatever it is, the others wait for an answer
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
    return judge_rules(merge((Reading(State(release, defaults)), builder.done()))).resolved()


def _warn_of_patches(state: State, calling_line: Caller) -> None:
    for each, (value, _) in state.items():
        slot = bind(each.module).slot(each.name)
        origin = origin_of(slot)
        if origin.kind in ("patch", "assignment") and not is_same_value(slot.read(), value):
            sent, current = short_repr(value), short_repr(slot.read())
            message = f"{each.newest}: {sent} has no effect here as long as {current} is in force ({origin})"
            calling_line.warn(ForcedFlagWarning(message, flag=each.newest))
