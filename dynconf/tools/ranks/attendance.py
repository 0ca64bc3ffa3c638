"""Who has come to a call: noted in the store of the group by each rank, and read by whoever waited in vain.

The key ``dynconf/3`` has the number of calls to which rank 3 has come, the present one included. All ranks of
a group count the same calls, because none goes on after one that failed. So in the seventh call, 7 means
that the rank came and 6, or no key in the first call, that it did not; of anything less nothing is known.

A rank that refuses the seventh call changes its 7 to -7. Usually the others hear of that by its message, but
not if the process ends with the error before they have come.
"""

import contextlib
import time
from collections.abc import Sequence
from typing import Any

from dynconf.tools.ranks.waiting import within

ANNOUNCING = 1.0
"""How many seconds a rank may need to say that it has come."""

ASKING = 2.0
"""How many seconds it may take to find out who has come."""


class Attendance:
    """The calls to which the ranks of a group have come."""

    def __init__(self, store: Any, rank: int, ranks: Sequence[int]) -> None:
        self._store = store
        self._rank = rank
        self._others = [each for each in ranks if each != rank]

    def announce(self, number: int) -> None:
        """Say that this rank has come to so many calls, or, by their negative, that it refuses the last."""
        # Without it only a message would say less: no reason not to try the call itself.
        with contextlib.suppress(Exception):
            within(ANNOUNCING, lambda: self._store.set(_key(self._rank), str(number)))

    def absent(self, number: int, end: float) -> dict[str, list[int]]:
        """Return the other ranks that are not in a call, by a text that says so, with ``{}`` for the ranks.

        A call fails at once if a rank has died; the others may still come as long as the call may last.

        Args:
            number: The number of the call.
            end: When that is, by the monotonic clock.

        Raises:
            Exception: The store does not answer, or cannot; all kinds of them are in use.
        """
        return within(ASKING, lambda: self._absent(number, min(end, time.monotonic() + ASKING / 2)))

    def _absent(self, number: int, end: float) -> dict[str, list[int]]:
        pause = 0.05
        while True:
            absent: dict[str, list[int]] = {}
            without = self._without_key(self._others)
            known = [rank for rank in self._others if rank not in set(without)]
            numbers = self._store.multi_get(list(map(_key, known))) if known else []
            for rank, calls in (*((rank, 0) for rank in without), *zip(known, map(int, numbers))):
                if calls == -number:
                    absent.setdefault("{} refused the call", []).append(rank)
                elif abs(calls) == number - 1:
                    absent.setdefault("{} did not come", []).append(rank)
                elif calls < number:
                    absent.setdefault("unknown whether {} came", []).append(rank)
            if not absent or time.monotonic() > end:
                return absent
            time.sleep(pause)
            pause = min(2 * pause, 0.5)  # one process answers for all ranks

    def _without_key(self, ranks: list[int]) -> list[int]:
        """Return the ranks that have no key in the store, by halves: one question can be about many keys."""
        if not ranks or self._store.check(list(map(_key, ranks))):
            return []
        if len(ranks) == 1:
            return ranks
        half = len(ranks) // 2
        return self._without_key(ranks[:half]) + self._without_key(ranks[half:])


def _key(rank: int) -> str:
    return f"dynconf/{rank}"
