"""Waiting that ends: for an answer that may never come, and for a collective call."""

import threading
import time
from collections.abc import Callable
from concurrent import futures
from datetime import timedelta
from typing import TYPE_CHECKING, TypeVar

from dynconf.catalogue.flags.types import short_repr
from dynconf.errors import InvalidValueError

if TYPE_CHECKING:
    from torch.distributed import Work

Result = TypeVar("Result")

TIMEOUT = timedelta(minutes=5)
"""The default timeout: ranks may come minutes apart while they load data or a model."""

LONGEST = timedelta(days=10_000)
"""Longer timeouts are taken for this one: Python's locks and C++ have different limits."""


def checked_seconds(timeout: float | timedelta) -> float:
    """Return the timeout in seconds.

    Raises:
        InvalidValueError: It is not a time to wait.
    """
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
