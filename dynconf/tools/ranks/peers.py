"""The ranks of a process group, with collective calls that end: in time, or with the reason why not.

A collective call of ``torch.distributed`` waits until every rank has joined it. If one of them has crashed,
is frozen or has taken another path, the others wait for the group's timeout, by default ten or thirty
minutes, and the error may then name nobody. Where ranks join different calls, gloo ends the process. And
whoever asks the group's key-value store waits without any limit if the rank that hosts the store is frozen.

- **One way of waiting** (`waiting`). Everything that may block happens in a daemon thread, for which the
  caller waits no longer than it has time. The backend gets the timeout too, but not every backend heeds it.
- **One form of message.** All messages are 32-bit integers, reduced with MAX. The first of each call always
  has 1 KiB: 128 numbers, of which four say which format, call and dynconf this is and whether the rank
  refuses the call, and their negatives. The largest number and the largest negative are the same but for the
  sign exactly if all ranks agree, and whatever they do not agree on is an error on all of them::

      rank 0:   8, -8     rank 1:   8, -8     MAX:   8, -8     the ranks agree
      rank 0:   8, -8     rank 1:  99, -99    MAX:  99, -8     they do not

- **Each rank says that it has come before it waits** (`announce`). That is only read when a call failed::

      MissingRankError: waited 300 s on rank 0: rank 3 of ranks 0-7 did not come; torch says: ...
"""

import contextlib
import json
import time
from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from dynconf import version
from dynconf.errors import ConflictError, InvalidValueError, MissingRankError, describe_error
from dynconf.tools.ranks.members import (
    MOST_GROUPS,
    device_of_backend,
    format_ranks,
    format_values,
    process_group,
    ranks_by_value,
)
from dynconf.tools.ranks.waiting import TIMEOUT, absent, announce, checked_seconds, finish, within

if TYPE_CHECKING:
    from torch.distributed import ProcessGroup

    from dynconf.tools.ranks.members import Group

FORMAT = 1
"""The format of the messages. Whatever a later one changes, the first message stays 256 numbers reduced with
MAX, of which the first is the format and the 129th its negative."""

_HEADER = 4
"""How many numbers of the first message say which call it is, and whether this rank refuses it."""

CAPACITY = 128 - _HEADER
"""How many numbers of a call's own fit into the first message."""

AFTER_MEETING = 3.0
"""How many seconds the messages after the first may take beyond the timeout: all ranks are there by then."""


@dataclass
class _Calls:
    """The calls of dynconf in one group."""

    number: int = 0
    failure: str | None = None


# By the group itself: its name returns when a program destroys its groups and makes new ones.
_calls_in: "WeakKeyDictionary[ProcessGroup, _Calls]" = WeakKeyDictionary()


@contextmanager
def meeting(group: "Group | None", call: str, timeout: float | timedelta) -> "Iterator[Peers | None]":
    """Come to a collective call of dynconf, and give the ranks that take part; None if this one does not.

    A rank on which anything goes wrong before it meets the others, be it a wrong argument or Ctrl-C, refuses
    the call: it sends the first message all the same, for which the others are waiting, and which its own
    next call would otherwise replace. If the group itself is wrong, it refuses in the group of all ranks,
    which nearly all calls use.

    Raises:
        InvalidValueError: There are no ranks at all, or an argument is wrong.
        MissingRankError: An earlier call in this group has failed.
    """
    from torch import distributed

    if not distributed.is_initialized():
        raise InvalidValueError(
            "there are no ranks: call torch.distributed.init_process_group before this call"
        )
    problem: Exception | None = None
    members: ProcessGroup | None = distributed.group.WORLD
    seconds = TIMEOUT.total_seconds()
    try:
        members = process_group(group)
        seconds = checked_seconds(timeout)
    except Exception as error:  # noqa: BLE001  whatever it is, the others are most likely in a call by now
        problem = error
    if members is None:
        if problem is not None:
            raise problem
        yield None
        return
    peers = Peers(members, call, seconds)
    try:
        peers.announce()
        if problem is not None:
            raise problem
        yield peers
    except BaseException as error:
        peers.leave(error)
        raise


class Peers:
    """The ranks of a group in one collective call of dynconf; `meeting` makes it."""

    def __init__(self, group: "ProcessGroup", call: str, seconds: float) -> None:
        from torch import distributed
        from torch.distributed import distributed_c10d

        self._c10d: Any = distributed_c10d
        self._group: Any = group
        self._call = call
        self._limit = seconds
        self.rank = distributed.get_rank()  # of this process, in the group of all, as are the others
        self.ranks: list[int] = distributed.get_process_group_ranks(group)
        self._device = device_of_backend(group)
        self._calls = _calls_in.setdefault(group, _Calls())
        if self._calls.failure:
            # Messages of the failed call may still be on their way, and be taken for those of this one.
            raise MissingRankError(
                f"this group cannot be used any more, because a call in it failed: {self._calls.failure}"
            )
        self._number = self._calls.number + 1
        self._has_sent = self._has_met = False
        _, self._store = distributed_c10d._world.pg_map[group]

    def announce(self) -> None:
        """Say in the store of the group that this rank has come."""
        announce(self._store, self.rank, self._number)

    def meet(self, numbers: Sequence[int], *, any_version: bool = False) -> tuple[list[int], list[int]]:
        """Exchange the first message; the time of the call begins now.

        Args:
            numbers: The call's own numbers, at most `CAPACITY`.
            any_version: Whether the ranks may have different versions of dynconf.

        Returns:
            The highest and the lowest of each number over all ranks.

        Raises:
            ConflictError: The ranks are not in the same call of the same dynconf, or another refuses it.
            MissingRankError: A rank did not come in time.
        """
        highest, lowest = self._exchange_first(numbers)
        self._has_met = True
        self._end += AFTER_MEETING
        if highest[0] != lowest[0]:
            raise ConflictError(
                "the versions of dynconf on the ranks are not compatible: the format of messages is"
                f" {FORMAT} in dynconf {version.__version__} on rank {self.rank}, and"
                f" {lowest[0]} to {highest[0]} on all ranks; install the same dynconf on all"
            )
        if refusing := highest[3]:
            raise ConflictError(
                f"{self._call} is not done on any rank, because rank {refusing - 1} refuses it; the error"
                " there says why"
            )
        if highest[1] != lowest[1] or (highest[2] != lowest[2] and not any_version):
            found = self.gather({"call": self._call, "dynconf": version.__version__})
            for name in ("call", "dynconf"):
                groups = ranks_by_value({rank: each[name] for rank, each in found.items()})
                if len(groups) > 1:
                    raise ConflictError(f"not the same {name} on all ranks: {format_values(groups)}")
        return highest[_HEADER:], lowest[_HEADER:]

    def leave(self, error: BaseException) -> None:
        """Refuse the call, because of an error, if this rank has not sent the first message yet.

        An error after that is one of all ranks, but an interruption is not: the others go on, and wait.
        """
        if not self._has_sent:
            announce(self._store, self.rank, -self._number)
            with contextlib.suppress(MissingRankError):  # the error says more
                self._exchange_first((), refuses=True)
        elif not isinstance(error, Exception):
            self._calls.failure = self._calls.failure or f"{type(error).__name__} on rank {self.rank}"

    def _exchange_first(
        self, numbers: Sequence[int], *, refuses: bool = False
    ) -> tuple[list[int], list[int]]:
        """Return the highest and the lowest of each number in the first message, its header included."""
        header = [FORMAT, hash_of(self._call), hash_of(version.__version__), self.rank + 1 if refuses else 0]
        message = [*header, *numbers]
        message += [0] * (_HEADER + CAPACITY - len(message))
        self._calls.number = self._number
        self._has_sent = True
        self._began = time.monotonic()
        self._end = self._began + self._limit
        largest = self.all_reduce_max([*message, *(-number for number in message)], waits=not refuses)
        return largest[: len(message)], [-number for number in largest[len(message) :]]

    def settle(self, problem: BaseException | None, outcome: str) -> None:
        """Raise on every rank if one of them has a problem: there the problem itself, elsewhere its text.

        That begins with the *outcome*, in which ``{}`` stands for the ranks. A rank that was interrupted, as
        by Ctrl-C, says so and waits for nobody.
        """
        is_interrupted = problem is not None and not isinstance(problem, Exception)
        answer = [int(problem is not None), (self.rank + 1) * is_interrupted]
        is_refused, interrupted = self.all_reduce_max(answer, waits=not is_interrupted)
        if not is_refused:
            return
        text = describe_error(problem) if isinstance(problem, Exception) else ""
        answers = {interrupted - 1: "interrupted"} if interrupted else self.gather(text)
        if problem is not None:
            raise problem
        failed = {rank: answer for rank, answer in answers.items() if answer}
        reasons = "; ".join(f"rank {rank}: {reason}" for rank, reason in list(failed.items())[:MOST_GROUPS])
        raise ConflictError(f"{outcome.format(format_ranks(list(failed)))}: {reasons}")

    def gather(self, data: Any) -> dict[int, Any]:
        """Return the JSON data of each rank."""
        text = json.dumps(data).encode()
        (longest,) = self.all_reduce_max([len(text)])
        texts = self._exchange(text, self.ranks.index(self.rank), len(self.ranks), longest)
        return {rank: json.loads(each) for rank, each in zip(self.ranks, texts)}

    def send(self, text: bytes | None, length: int) -> Any:
        """Return the JSON data of the only rank that has a text, whose length all of them know."""
        return json.loads(*self._exchange(text, 0, 1, length))

    def _exchange(self, text: bytes | None, row: int, rows: int, length: int) -> list[bytes]:
        """Return the texts of all rows, of which this rank has one, or none; they are ASCII."""
        width = -(-length // 4)
        table = array("i", bytes(4 * width * rows))
        if text is not None:
            # Four characters below 128 are never a negative number, so that MAX with the zeros keeps them.
            table[row * width : (row + 1) * width] = array("i", text.ljust(4 * width))
        largest = self.all_reduce_max(table)
        return [array("i", largest[each * width : (each + 1) * width]).tobytes() for each in range(rows)]

    def all_reduce_max(self, numbers: Sequence[int], *, waits: bool = True) -> list[int]:
        """Return the largest of each of the numbers over all ranks; past the time, raise `MissingRankError`.

        Without waiting, the others get these numbers all the same, and the result has no meaning.
        """
        import torch

        options = self._c10d.AllreduceOptions()
        options.reduceOp = self._c10d.ReduceOp.MAX
        seconds = max(self._end - time.monotonic(), 0.001)
        options.timeout = timedelta(seconds=seconds)
        seconds += 1  # the backend's own error says more than "no answer"
        sent = array("i", numbers)

        def act() -> list[int]:
            # In this thread, because in that of the caller a mode may be on, such as `FakeTensorMode`.
            # The copies may block as well: on a GPU they come after everything that was started before,
            # such as a collective call that waits for a frozen rank.
            # Cloned, because a thread of gloo's may be the last to drop it, when Python has ended.
            largest = torch.frombuffer(sent, dtype=torch.int32).clone().to(self._device)
            work = self._group.allreduce([largest], options)
            if not waits:
                return [*numbers]
            finish(work, seconds)
            return [*largest.cpu().tolist()]

        try:
            return within(seconds, act)
        except BaseException as error:
            self._calls.failure = f"{type(error).__name__} on rank {self.rank}"
            if not isinstance(error, (RuntimeError, TimeoutError)):
                raise
            self._calls.failure = self._explain(str(error))
            raise MissingRankError(self._calls.failure) from error

    def _explain(self, message: str) -> str:
        waited = time.monotonic() - self._began
        is_timeout = waited > 0.9 * self._limit
        duration = f"waited {self._limit:g} s" if is_timeout else f"failed after {waited:.1f} s"
        everyone = format_ranks(self.ranks)
        reason = f"all of {everyone} came" + f", but not within the same {self._limit:g} s" * is_timeout
        if self._has_met:
            reason = f"all of {everyone} came, but not all of them continued"
        else:
            try:
                others = [rank for rank in self.ranks if rank != self.rank]
                missing = absent(self._store, others, self._number, self._end)
            except Exception:  # noqa: BLE001  whatever store this is, it cannot make matters worse
                reason = f"unknown which of {everyone} came, because the store of the group does not answer"
            else:
                parts = (
                    text.format(f"{format_ranks(those)} of {everyone}") for text, those in missing.items()
                )
                reason = "; ".join(parts) or reason
        return f"{duration} on rank {self.rank}: {reason}; torch says: {message}"


def hash_of(text: str) -> int:
    """Return a hash that fits into 32 bits with either sign."""
    return int.from_bytes(sha256(text.encode()).digest()[:4], "big") >> 1
