"""The modes of ``optimize_ddp``."""

from enum import Enum

from dynconf.release import Minor


class DdpMode(str, Enum):
    """How a compiled ``DistributedDataParallel`` model is split into graphs, and its gradients are synced.

    DDP reads the mode when it is built, to choose its reducer; Dynamo reads it when it compiles a frame.

    ===========================================  ==============  ==========  ==============================
    mode                                         forward graph   reducer     communication
    ===========================================  ==============  ==========  ==============================
    `ddp_optimizer` (True)                       one per bucket  C++         overlaps with the backward of
                                                                             the next bucket
    `python_reducer`                             one             Python      in the backward's graph, where
                                                                             the compiler overlaps it
    `python_reducer_without_compiled_forward`    one             as below    as below
    `no_optimization` (False)                    one             C++         after the backward, no overlap
    ===========================================  ==============  ==========  ==============================
    """

    ddp_optimizer = "ddp_optimizer"
    """Splits the forward at DDP's gradient buckets (``bucket_cap_mb``), so that each has its own backward.

    The C++ reducer sends a bucket as soon as its backward is done. Needs nothing else, but cannot be used
    with compiled autograd: the reducer raises in such a backward.
    """

    python_reducer = "python_reducer"
    """Does not split the forward, and turns the C++ reducer off; Python hooks sync each gradient.

    Compiled autograd captures the hooks with the backward in one graph, where the compiler overlaps and
    fuses communication. Needs compiled autograd, with the backward called in compiled code, and must be set
    before DDP is built. Without compiled autograd the gradients are still right, but each is sent on its own
    (up to torch 2.6, DDP falls back to the C++ reducer). Experimental.
    """

    python_reducer_without_compiled_forward = "python_reducer_without_compiled_forward"
    """Up to torch 2.6, `python_reducer` for a DDP module that is not compiled itself, with the same needs.

    From torch 2.7 on, torch accepts it but treats it as `no_optimization`: the C++ reducer, no splitting.
    """

    no_optimization = "no_optimization"
    """Does not split the forward; the C++ reducer syncs gradients.

    All gradients become ready only at the end of the graph's backward, so no communication overlaps with it.
    Compiled autograd must be off.
    """

    def __str__(self) -> str:
        """Return the name, as torch expects it."""
        return self.value

    def has_python_reducer(self, release: Minor) -> bool:
        """Tell whether, in that release, DDP built in this mode turns off its C++ reducer."""
        if self is DdpMode.python_reducer_without_compiled_forward:
            return release < (2, 7)
        return self is DdpMode.python_reducer
