"""In an imagined next release of torch nothing is hung, raw, stale, or wrong without a word."""

import importlib.metadata
import re
from collections.abc import Iterator

import pytest
from live import futures

PINNED = re.findall(r"^torch==(\S+)$", (futures.ROOT / "constraints.txt").read_text("utf-8"), re.MULTILINE)
"""The torch whose texts the futures replace; other releases have others."""


@pytest.fixture(scope="module")
def imagined() -> Iterator[futures.Futures]:
    """Return a process that has imported dynconf once for all futures."""
    made = futures.Futures()
    yield made
    made.close()


@pytest.mark.real_torch
@pytest.mark.known_shape
@pytest.mark.skipif(
    importlib.metadata.version("torch").split("+")[:1] != PINNED, reason="they are made of the pinned torch"
)
@pytest.mark.parametrize("future", futures.FUTURES)
def test_what_users_do_is_exact_or_said(future: str, imagined: futures.Futures) -> None:
    """Each scenario is exact, warned, as after torch's own patch, or refused."""
    found = imagined.verdicts(future)
    assert len(found) > 20
    assert all(verdict in futures.GOOD for verdict in found.values()), futures.table({future: found})
    if future == "version only":
        assert {*found.values()} <= {"exact", "as torch", "refused"}  # where torch's own patch was left
    if future == "sentinel renamed":  # of a way that is unknown everybody is told but a quiet library
        assert (found["read"], found["defaults_in_a_framework"]) == ("warned", "exact")
