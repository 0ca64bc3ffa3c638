"""Waiting that ends: for an answer that may never come, and for a collective call.

Who has come to a call is noted in the store of the group by each rank, and read by whoever waited in vain.
The key ``dynconf/3`` has the number of calls to which rank 3 has come, the present one included. All ranks of
a group count the same calls, because none goes on after one that failed. So in the seventh call, 7 means
that the rank came and 6, or no key in the first call, that it did not; of anything less nothing is known.

A rank that refuses the seventh call changes its 7 to -7. Usually the others hear of that by its message, but
not if the process ends with the error before they have come.
"""

import threading
import time
from collections.abc import Callable, Sequence
from concurrent import futures
from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING, Any, TypeVar

from dynconf.catalogue.flags.types import short_repr
from dynconf.errors import InvalidValueError

if TYPE_CHECKING:
    from torch.distributed import Work

Result = TypeVar("Result")

TIMEOUT = timedelta(minutes=5)
"""The default timeout: ranks may come minutes apart while they load data or a model."""

LONGEST = timedelta(days=10_000)
"""Longer timeouts are taken for this one: Python's locks and C++ have different limits."""

_ANNOUNCING = 1.0
"""How many seconds a rank may need to say that it has come."""

_ASKING = 2.0
"""How many seconds it may take to find out who has come."""


def checked_seconds(timeout: float | timedelta) -> float:
    """Return the timeout in seconds; raise `InvalidValueError` if it is not a time to wait."""
    try:
        checked = timeout if isinstance(timeout, timedelta) else timedelta(seconds=timeout)
    except (TypeError, ValueError, OverflowError):
        checked = timedelta()
    if checked <= timedelta():
        raise InvalidValueError(
            f"timeout: {short_repr(timeout)} is not a time to wait: expected a positive number of seconds"
            " or a timedelta"
        )
    return min(checked, LONGEST).total_seconds()


def within(seconds: float, action: Callable[[], Result]) -> Result:
    """Return the result of *action*, which may block for ever: then raise `TimeoutError` after that time."""
    answer: futures.Future[Result] = futures.Future()

    def act() -> None:
        try:
            answer.set_result(action())
        except BaseException as error:  # noqa: BLE001  the caller raises it
            answer.set_exception(error)

    # Not an executor: Python waits for its threads at the end of the process.
    threading.Thread(target=act, name="dynconf-peers", daemon=True).start()
    try:
        return answer.result(seconds)
    except futures.TimeoutError:
        raise TimeoutError("no answer") from None


def finish(work: "Work", seconds: float) -> None:
    """Wait for the end of a collective call, whose backend may not know how long."""
    end = time.monotonic() + seconds
    pause = 0.0001
    # work.wait(timeout) is not the same on all backends: with NCCL it returns at once.
    while not work.is_completed():
        if time.monotonic() > end:
            raise TimeoutError("no answer")
        time.sleep(pause)
        pause = min(1.2 * pause, 0.05)
    work.wait()


def announce(store: Any, rank: int, number: int) -> None:
    """Say that this rank has come to so many calls, or, by their negative, that it refuses the last."""
    # Without it only a message would say less: no reason not to try the call itself.
    with suppress(Exception):
        within(_ANNOUNCING, lambda: store.set(_key(rank), str(number)))


def absent(store: Any, ranks: Sequence[int], number: int, end: float) -> dict[str, list[int]]:
    """Return those of the ranks that are not in a call, by a text that says so, with ``{}`` for them.

    A call fails at once if a rank has died; the others may still come as long as the call may last: to *end*,
    by the monotonic clock. Raises an error, of any kind, if the store does not answer, or cannot.
    """

    def ask() -> dict[str, list[int]]:
        pause, last = 0.05, min(end, time.monotonic() + _ASKING / 2)
        while (found := _absent(store, ranks, number)) and time.monotonic() <= last:
            time.sleep(pause)
            pause = min(2 * pause, 0.5)  # one process answers for all ranks
        return found

    return within(_ASKING, ask)


def _absent(store: Any, ranks: Sequence[int], number: int) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    without = set(_without_key(store, ranks))
    known = [rank for rank in ranks if rank not in without]
    numbers = store.multi_get(list(map(_key, known))) if known else []
    for rank, calls in (*((rank, 0) for rank in without), *zip(known, map(int, numbers))):
        if calls == -number:
            found.setdefault("{} refused the call", []).append(rank)
        elif abs(calls) == number - 1:
            found.setdefault("{} did not come", []).append(rank)
        elif calls < number:
            found.setdefault("unknown whether {} came", []).append(rank)
    return found


def _without_key(store: Any, ranks: Sequence[int]) -> Sequence[int]:
    """Return the ranks that have no key in the store, by halves: one question can be about many keys."""
    if not ranks or store.check(list(map(_key, ranks))):
        return ()
    if len(ranks) == 1:
        return ranks
    half = len(ranks) // 2
    return (*_without_key(store, ranks[:half]), *_without_key(store, ranks[half:]))


def _key(rank: int) -> str:
    return f"dynconf/{rank}"
