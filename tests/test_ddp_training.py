"""The effect of each DDP mode on real training, with gloo on the CPU, on one process and on two."""

import pytest

from dynconf.catalogue.modules import catalogue
from dynconf.release import Release

pytestmark = pytest.mark.real_torch


@pytest.fixture(scope="module", params=[1, 2], ids=["one_process", "two_processes"])
def found(request, ranks):
    """Train on one or two processes, without a warning; return the result of each, by rank."""
    return ranks.run(request.param, "import ddp_worker\nresult = ddp_worker.train(rank)")


def test_gradients_are_synced(found):
    """With different data on two processes, DDP's gradients are not those of a single process."""
    assert [each["synced"] for each in found] == [len(found) > 1] * len(found)


def test_ddp_optimizer_splits_at_buckets(found):
    """ddp_optimizer compiles a graph per bucket, all without communication, with the gradients of eager."""
    for each in found:
        assert each["ddp_optimizer"] == {"all_reduces": [0, 0, 0], "as_eager": True}


def test_no_optimization_compiles_one_graph(found):
    """no_optimization compiles the whole forward as one graph, with the gradients of eager."""
    for each in found:
        assert each["no_optimization"] == {"all_reduces": [0], "as_eager": True}


def test_python_reducer_captures_communication(found):
    """python_reducer compiles one forward, and a backward with the sync of each parameter, as eager does."""
    for each in found:
        forward, backward = each["python_reducer"]["all_reduces"]
        assert (forward, backward > 0) == (0, True)
        assert each["python_reducer"]["as_eager"]


MODES = {
    "no_optimization": "DC002",
    "ddp_optimizer": "DC004",
    "python_reducer_without_compiled_forward": "DC015",
    "python_reducer": None,
}
"""The modes, each with the rule that is about it under compiled autograd."""


@pytest.fixture(scope="module")
def under_compiled_autograd(ranks):
    """Train on two processes under each mode; return what each process found, by mode."""
    work = "{mode: ddp_worker.under_compiled_autograd(mode, rank) for mode in %r}" % [*MODES]
    return ranks.run(2, f"import ddp_worker\nresult = {work}")


@pytest.mark.parametrize("mode", MODES)
def test_under_compiled_autograd_only_a_python_reducer_syncs(mode, under_compiled_autograd):
    """As the rules DC002, DC004 and DC015 say, in the releases in which they do.

    A backward under compiled autograd does not run DDP's C++ reducer: each rank keeps its own gradients, in
    silence, up to torch 2.7; from torch 2.8 on, the reducer raises.
    """
    found = [each[mode] for each in under_compiled_autograd]
    release = Release.at_hand()
    rules = {each.rule.code for each in catalogue("dynamo").at(release).rules}
    if MODES[mode] not in rules:
        assert found == ["synced"] * 2
    elif release.minor < (2, 8):
        assert found == ["each its own"] * 2
    else:
        assert all("not compatible with C++ DDP Reducer" in each for each in found)
