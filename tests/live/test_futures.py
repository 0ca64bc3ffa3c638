"""In an imagined next release of torch nothing is hung, raw, stale, or wrong without a word.

So far this holds for those in `HOLDING`; ``python tests/live/futures.py`` prints the table of all.
"""

import pytest
from live import futures

HOLDING = ("version only", "default renamed")
"""The futures in which every scenario follows the rule; a future that joins them is not to leave again."""


@pytest.mark.real_torch
@pytest.mark.parametrize("future", HOLDING)
def test_what_users_do_is_exact_or_said(future: str) -> None:
    """Each scenario is exact, warned, as after torch's own patch, or refused."""
    found = futures.verdicts(future)
    assert len(found) > 20
    assert all(verdict in futures.GOOD for verdict in found.values()), futures.table({future: found})
