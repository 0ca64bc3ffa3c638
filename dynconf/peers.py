"""The ranks of a process group, with collective calls that end: in time, or with the reason why not."""

import json
import time
from collections.abc import Callable, Mapping
from datetime import timedelta
from itertools import groupby
from typing import TYPE_CHECKING, Any, cast

from dynconf.errors import InvalidValueError, MissingRankError
from dynconf.flags.types import shown

if TYPE_CHECKING:
    from torch.distributed import ProcessGroup, Work

_calls: dict[str, int] = {}
"""How many calls each group has taken part in: ranks that are in the same call find each other by it."""


def ranks_in_words(ranks: list[int]) -> str:
    """Return ``rank 3`` or ``ranks 0-2,4-7``."""
    runs = [
        [rank for _, rank in run]
        for _, run in groupby(enumerate(sorted(ranks)), key=lambda pair: pair[1] - pair[0])
    ]
    told = ",".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)
    return f"rank {told}" if len(ranks) == 1 else f"ranks {told}"


def _positive(timeout: float | timedelta) -> timedelta:
    try:
        found = timeout if isinstance(timeout, timedelta) else timedelta(seconds=timeout)
    except (TypeError, ValueError, OverflowError):
        found = timedelta()
    if found <= timedelta():
        raise InvalidValueError(
            f"timeout: {shown(timeout)} is not a time to wait: expected a positive number of seconds"
            " or a timedelta"
        )
    return found


class Peers:
    """The global ranks of a group, with the few collective calls that are needed, each with a timeout."""

    def __init__(self, group: "ProcessGroup | None", timeout: float | timedelta) -> None:
        from torch import distributed
        from torch.distributed import distributed_c10d

        self._timeout = _positive(timeout)
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
        """Return the device that tensors have to be on: the CPU if the backend takes that."""
        import torch

        pairs = str(self._c10d.get_backend_config(self._group)).split(",")
        kinds = [pair.partition(":")[0] for pair in pairs]
        if "cpu" in kinds:
            return torch.device("cpu")
        return torch.device(kinds[0], getattr(torch, kinds[0]).current_device())

    def largest(self, numbers: list[int]) -> list[int]:
        """Return the largest of each of the numbers over all ranks; one reduction of constant size."""
        import torch

        tensor = torch.tensor(numbers, dtype=torch.int32, device=self._device)
        options = self._c10d.AllreduceOptions()
        options.reduceOp = self._c10d.ReduceOp.MAX
        self._run(lambda: self._group.allreduce([tensor], options), options)
        found: list[int] = tensor.tolist()
        return found

    def gather(self, data: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Return what each rank gave, in the order of `ranks`."""
        import torch

        text = json.dumps(data).encode()
        (longest,) = self.largest([len(text)])
        tensor = self._tensor(text.ljust(longest))
        everyone = [torch.empty_like(tensor) for _ in self.ranks]
        options = self._c10d.AllgatherOptions()
        self._run(lambda: self._group.allgather([everyone], [tensor], options), options)
        return [_data(each) for each in everyone]

    def send(self, data: Mapping[str, Any] | None, src: int) -> dict[str, Any]:
        """Return what the rank *src* gave.

        Raises:
            InvalidValueError: It is not in the group, or the ranks mean different ones. Raised in every rank.
        """
        text = b"" if data is None else json.dumps(data).encode()
        root = self.ranks.index(src) if src in self.ranks else -1
        length, highest, lowest = self.largest([len(text), root, -root])
        if highest != -lowest:
            raise InvalidValueError(f"src: not the same on all ranks; on rank {self.rank} it is {shown(src)}")
        if root < 0:
            raise InvalidValueError(
                f"src: rank {shown(src)} is not in the group, which has {ranks_in_words(self.ranks)}"
            )
        options = self._c10d.BroadcastOptions()
        options.rootRank, options.rootTensor = root, 0
        tensor = self._tensor(text.ljust(length))
        self._run(lambda: self._group.broadcast([tensor], options), options)
        return _data(tensor)

    def _tensor(self, text: bytes) -> Any:
        import torch

        return torch.frombuffer(bytearray(text), dtype=torch.uint8).to(self._device)

    def _run(self, start: "Callable[[], Work]", options: Any) -> None:
        """Start a collective call and wait for its end; past the timeout, raise `MissingRankError`."""
        options.timeout = self._timeout
        began = time.monotonic()
        # The backend's own timeout comes first where it has one for each call, as gloo does.
        end = began + self._timeout.total_seconds() + 1
        pause = 0.0001
        try:
            work = start()
            while not work.is_completed():
                if time.monotonic() > end:
                    raise MissingRankError(self._reason(time.monotonic() - began, "no answer"))
                time.sleep(pause)
                pause = min(2 * pause, 0.05)
            work.wait()
        except RuntimeError as error:
            raise MissingRankError(self._reason(time.monotonic() - began, str(error))) from error

    def _reason(self, waited: float, said: str) -> str:
        limit = self._timeout.total_seconds()
        is_late = waited > 0.9 * limit
        took = f"waited {limit:g} s" if is_late else f"failed after {waited:.1f} s"
        absent = self._absent(min(limit, 5.0))
        everyone = ranks_in_words(self.ranks)
        if absent is None:
            who = f"not all of {everyone}" if is_late else f"with {everyone}"
        elif absent:
            who = f"{ranks_in_words(absent)} of {everyone} did not come"
        else:
            who = f"all of {everyone} came" + (f", but not within the same {limit:g} s" if is_late else "")
        return f"{took} on rank {self.rank}: {who}; torch says: {said}"

    def _absent(self, seconds: float) -> list[int] | None:
        """Return the ranks that do not report themselves to the store within that time; None without one.

        Whoever waited in vain does so. The store is asked only now, and seldom: it is one process for all
        ranks.
        """
        try:
            _, store = self._c10d._world.pg_map[self._group]
            key = f"dynconf/{self._call}/{{}}"
            store.set(key.format(self.rank), "")
            absent, pause, end = self.ranks, 0.05, time.monotonic() + seconds
            while absent and time.monotonic() < end:
                time.sleep(pause)
                pause = min(2 * pause, 1)
                absent = _missing(store, key, absent)
        except (AttributeError, KeyError, RuntimeError):  # no store, or the process that keeps it has ended
            return None
        return absent


def _missing(store: Any, key: str, ranks: list[int]) -> list[int]:
    """Return the ranks without a key in the store, by halves: one question tells whether many have theirs."""
    if store.check([key.format(rank) for rank in ranks]):
        return []
    if len(ranks) == 1:
        return ranks
    half = len(ranks) // 2
    return _missing(store, key, ranks[:half]) + _missing(store, key, ranks[half:])


def _data(tensor: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(bytes(tensor.tolist()))
    return found
