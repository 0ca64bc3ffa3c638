"""The modes of ``optimize_ddp``, and what each does."""

from enum import Enum

from dynconf.release import Minor


class DdpMode(str, Enum):
    """How a compiled ``DistributedDataParallel`` model is cut into graphs, and what syncs its gradients.

    DDP reads the mode when it is built, to choose its reducer; Dynamo reads it when it compiles a frame.

    ===========================================  ==============  ==========  ==============================
    mode                                         forward graph   reducer     communication
    ===========================================  ==============  ==========  ==============================
    `ddp_optimizer` (True)                       one per bucket  C++         overlaps with the backward of
                                                                             the next bucket
    `python_reducer`                             one             Python      inside the backward's graph,
                                                                             overlapped by the compiler
    `python_reducer_without_compiled_forward`    one             as below    as below
    `no_optimization` (False)                    one             C++         after the backward, no overlap
    ===========================================  ==============  ==========  ==============================
    """

    ddp_optimizer = "ddp_optimizer"
    """Cuts the forward at DDP's gradient buckets (``bucket_cap_mb``), so that each has a backward of its own.

    The C++ reducer sends a bucket as soon as its backward is done. Needs nothing else; the reducer refuses a
    backward under compiled autograd.
    """

    python_reducer = "python_reducer"
    """Leaves the forward whole and turns the C++ reducer off; hooks in Python sync each gradient.

    Compiled autograd captures the hooks with the backward in one graph, where the compiler overlaps and
    fuses communication. Needs compiled autograd with the backward called in compiled code, and has to be
    set before DDP is built. Without compiled autograd the gradients are right but each is sent on its own
    (up to torch 2.6, DDP goes back to the C++ reducer). Experimental.
    """

    python_reducer_without_compiled_forward = "python_reducer_without_compiled_forward"
    """Up to torch 2.6, `python_reducer` for a DDP module that is not compiled itself; needs the same.

    From 2.7 on torch accepts it and does as under `no_optimization`: the C++ reducer, and no cuts.
    """

    no_optimization = "no_optimization"
    """Leaves the forward whole and syncs by the C++ reducer.

    All gradients are ready at the end of the graph's backward only, so that no communication overlaps with
    it. Needs compiled autograd to be off.
    """

    def __str__(self) -> str:
        """Return the name, as torch takes it."""
        return self.value

    def has_python_reducer(self, release: Minor) -> bool:
        """Tell whether, in that release, DDP built under this mode turns off its C++ reducer."""
        if self is DdpMode.python_reducer_without_compiled_forward:
            return release < (2, 7)
        return self is DdpMode.python_reducer
