"""The ranks of a process group, with collective calls that end: in time, or with the reason why not.

A collective call of ``torch.distributed`` waits until every rank has joined it. If one rank has crashed or
taken another path, the others wait for the group's timeout, by default ten or thirty minutes, and the error
may then name nobody. So each call of this module

- has a timeout of its own, which the backend gets but not every backend heeds, so that it is watched, too;
- finds out after a failure who is missing: the ranks for which the call failed report themselves in the
  group's key-value store, and a rank without an entry there did not come.

::

    MissingRankError: waited 300 s on rank 0: rank 3 of ranks 0-7 did not come; torch says: ...
"""

import json
import time
from collections.abc import Callable, Mapping
from datetime import timedelta
from itertools import groupby
from typing import TYPE_CHECKING, Any, cast

from dynconf.errors import InvalidValueError, MissingRankError
from dynconf.flags.types import short_repr

if TYPE_CHECKING:
    from torch.distributed import ProcessGroup, Work

_calls: dict[str, int] = {}
"""The number of calls of each group so far. It is the same on all ranks, and so can be part of a key."""


def format_ranks(ranks: list[int]) -> str:
    """Return ``rank 3`` or ``ranks 0-2,4-7``."""
    runs = [
        [rank for _, rank in run]
        for _, run in groupby(enumerate(sorted(ranks)), key=lambda pair: pair[1] - pair[0])
    ]
    text = ",".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)
    return f"rank {text}" if len(ranks) == 1 else f"ranks {text}"


def _check_timeout(timeout: float | timedelta) -> timedelta:
    try:
        checked = timeout if isinstance(timeout, timedelta) else timedelta(seconds=timeout)
    except (TypeError, ValueError, OverflowError):
        checked = timedelta()
    if checked <= timedelta():
        raise InvalidValueError(
            f"timeout: {short_repr(timeout)} is not a time to wait: expected a positive number of seconds"
            " or a timedelta"
        )
    return checked


class Peers:
    """The global ranks of a group, with the few collective calls that `dynconf.distributed` needs."""

    def __init__(self, group: "ProcessGroup | None", timeout: float | timedelta) -> None:
        from torch import distributed
        from torch.distributed import distributed_c10d

        self._timeout = _check_timeout(timeout)
        self._c10d: Any = distributed_c10d
        self.rank = distributed.get_rank()
        self.is_member = distributed.get_rank(group) >= 0
        if self.is_member:
            self._group = cast("Any", distributed.group.WORLD if group is None else group)
            self.ranks: list[int] = distributed.get_process_group_ranks(self._group)
            self._device = self._device_of_backend()
            name = self._group.group_name
            self._call = _calls[name] = _calls.get(name, 0) + 1

    def _device_of_backend(self) -> Any:
        """Return a device whose tensors the backend takes, preferably the CPU."""
        import torch

        pairs = str(self._c10d.get_backend_config(self._group)).split(",")  # such as cpu:gloo,cuda:nccl
        kinds = [pair.partition(":")[0] for pair in pairs]
        if "cpu" in kinds:
            return torch.device("cpu")
        return torch.device(kinds[0], getattr(torch, kinds[0]).current_device())

    def all_reduce_max(self, numbers: list[int]) -> list[int]:
        """Return the largest of each of the numbers over all ranks; one reduction of constant size."""
        import torch

        tensor = torch.tensor(numbers, dtype=torch.int32, device=self._device)
        options = self._c10d.AllreduceOptions()
        options.reduceOp = self._c10d.ReduceOp.MAX
        self._run(lambda: self._group.allreduce([tensor], options), options)
        largest: list[int] = tensor.tolist()
        return largest

    def all_gather(self, data: Mapping[str, Any]) -> dict[int, dict[str, Any]]:
        """Return the data of each rank."""
        import torch

        text = json.dumps(data).encode()
        (longest,) = self.all_reduce_max([len(text)])
        tensor = self._as_tensor(text.ljust(longest))
        tensors = [torch.empty_like(tensor) for _ in self.ranks]
        options = self._c10d.AllgatherOptions()
        self._run(lambda: self._group.allgather([tensors], [tensor], options), options)
        return {rank: _from_tensor(each) for rank, each in zip(self.ranks, tensors)}

    def broadcast(self, data: Mapping[str, Any] | None, src: int) -> dict[str, Any]:
        """Return the data of the rank *src*; the others give None. A wrong *src* is an error on all ranks."""
        text = b"" if data is None else json.dumps(data).encode()
        root = self.ranks.index(src) if src in self.ranks else -1
        length, highest, lowest = self.all_reduce_max([len(text), root, -root])
        if highest != -lowest:
            raise InvalidValueError(
                f"src: not the same on all ranks; on rank {self.rank} it is {short_repr(src)}"
            )
        if root < 0:
            raise InvalidValueError(
                f"src: rank {short_repr(src)} is not in the group, which has {format_ranks(self.ranks)}"
            )
        options = self._c10d.BroadcastOptions()
        options.rootRank, options.rootTensor = root, 0
        tensor = self._as_tensor(text.ljust(length))
        self._run(lambda: self._group.broadcast([tensor], options), options)
        return _from_tensor(tensor)

    def _as_tensor(self, text: bytes) -> Any:
        import torch

        return torch.frombuffer(bytearray(text), dtype=torch.uint8).to(self._device)

    def _run(self, start: "Callable[[], Work]", options: Any) -> None:
        """Start a collective call and wait for its end; past the timeout, raise `MissingRankError`."""
        options.timeout = self._timeout
        began = time.monotonic()
        # A second later than the backend's own timeout, whose error says more.
        end = began + self._timeout.total_seconds() + 1
        pause = 0.0001
        try:
            work = start()
            # work.wait(timeout) is not the same on all backends: with NCCL it returns at once.
            while not work.is_completed():
                if time.monotonic() > end:
                    raise MissingRankError(self._explain(time.monotonic() - began, "no answer"))
                time.sleep(pause)
                pause = min(2 * pause, 0.05)
            work.wait()
        except RuntimeError as error:
            raise MissingRankError(self._explain(time.monotonic() - began, str(error))) from error

    def _explain(self, waited: float, message: str) -> str:
        limit = self._timeout.total_seconds()
        is_timeout = waited > 0.9 * limit
        duration = f"waited {limit:g} s" if is_timeout else f"failed after {waited:.1f} s"
        missing = self._missing_ranks(min(limit, 5.0))
        everyone = format_ranks(self.ranks)
        if missing is None:
            reason = f"not all of {everyone}" if is_timeout else f"with {everyone}"
        elif missing:
            reason = f"{format_ranks(missing)} of {everyone} did not come"
        else:
            reason = f"all of {everyone} came" + (
                f", but not within the same {limit:g} s" if is_timeout else ""
            )
        return f"{duration} on rank {self.rank}: {reason}; torch says: {message}"

    def _missing_ranks(self, seconds: float) -> list[int] | None:
        """Return the ranks that do not report themselves within that time; None if there is no store.

        Ranks report themselves only after a failure, and ask seldom: one process keeps the store for all.
        """
        try:
            _, store = self._c10d._world.pg_map[self._group]
            key = f"dynconf/{self._call}/{{}}"
            store.set(key.format(self.rank), "")
            missing, pause, end = self.ranks, 0.05, time.monotonic() + seconds
            while missing and time.monotonic() < end:
                time.sleep(pause)
                pause = min(2 * pause, 1)
                missing = _without_key(store, key, missing)
        except (AttributeError, KeyError, RuntimeError):  # the process that keeps the store may have ended
            return None
        return missing


def _without_key(store: Any, key: str, ranks: list[int]) -> list[int]:
    """Return the ranks that have no key in the store, by halves: one question can be about many keys."""
    if store.check([key.format(rank) for rank in ranks]):
        return []
    if len(ranks) == 1:
        return ranks
    half = len(ranks) // 2
    return _without_key(store, key, ranks[:half]) + _without_key(store, key, ranks[half:])


def _from_tensor(tensor: Any) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(bytes(tensor.tolist()))
    return data
