"""The effect of each DDP mode on real training, with gloo on the CPU, on one process and on two."""

import pytest

import dynconf

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


@pytest.mark.filterwarnings("ignore:The .grad attribute:UserWarning")  # torch's own, while it traces
@pytest.mark.parametrize(
    "mode", ["no_optimization", "ddp_optimizer", "python_reducer_without_compiled_forward"]
)
def test_the_cpp_reducer_refuses_compiled_autograd(mode, tmp_path):
    """The rules DC002 and DC004 are true: DDP's C++ reducer raises in a backward under compiled autograd."""
    import ddp_worker
    import torch

    torch.distributed.init_process_group("gloo", init_method=f"file://{tmp_path}/store", rank=0, world_size=1)
    try:
        raw = torch._dynamo.config.patch(optimize_ddp=mode, compiled_autograd=True)
        with pytest.raises(RuntimeError, match="not compatible with C\\+\\+ DDP Reducer"):
            ddp_worker.step(raw, torch.ones(2, ddp_worker.WIDTH), compiled_backward=True)
    finally:
        torch.distributed.destroy_process_group()
        torch._dynamo.reset()
    assert dynconf.snapshot()["compiled_autograd"] is False
