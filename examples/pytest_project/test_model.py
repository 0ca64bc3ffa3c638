"""The pytest plugin: flags for a test, for each of several values, and for a part of a test.

Run: pytest examples/pytest_project
The plugin comes with dynconf. Its setting in ``pytest.ini`` makes a test fail that leaves flags changed.
"""

from collections.abc import Callable

import pytest
import torch

import dynconf


def model(x: torch.Tensor) -> torch.Tensor:
    """Return a computation with a number that depends on data."""
    return x * x.sum().item()


@pytest.mark.dynconf(capture_scalar_outputs=True)
def test_one_graph() -> None:
    """With the flag of the marker, a number read from a tensor does not break the graph."""
    assert torch._dynamo.explain(model)(torch.ones(3)).graph_break_count == 0


@pytest.mark.parametrize(
    "breaks",
    [
        pytest.param(0, marks=pytest.mark.dynconf(capture_scalar_outputs=True)),
        pytest.param(1, marks=pytest.mark.dynconf(capture_scalar_outputs=False)),
    ],
)
def test_both(breaks: int) -> None:
    """Each parameter has its own flags."""
    assert torch._dynamo.explain(model)(torch.ones(3)).graph_break_count == breaks


def test_from_here_on(dynconf_patch: Callable[..., object]) -> None:
    """The fixture sets flags until the test ends."""
    before = dynconf.snapshot()["recompile_limit"]
    dynconf_patch(recompile_limit=before + 1)
    assert dynconf.snapshot()["recompile_limit"] == before + 1
