"""The modes of ``optimize_ddp``: what each does, and which one a value means."""

from enum import Enum

from dynconf.catalogue import FLAGS
from dynconf.errors import ConflictError
from dynconf.provenance import Origin
from dynconf.values import checked
from dynconf.versions import Minor

FLAG = FLAGS["optimize_ddp"]


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
        """Tell whether DDP built under the mode turns its C++ reducer off, in that release."""
        if self is DdpMode.python_reducer_without_compiled_forward:
            return release < (2, 7)
        return self is DdpMode.python_reducer


FORBIDS_COMPILED_AUTOGRAD = (
    "without splitting, gradients are synced by DDP's C++ reducer, which cannot be used with compiled"
    " autograd; take optimize_ddp='python_reducer', or turn compiled_autograd off"
)
NEEDS_COMPILED_AUTOGRAD = (
    "the Python reducers are made for compiled autograd: without it no communication overlaps with the"
    " backward; set compiled_autograd=True, or take another mode"
)


def mode_of(value: object, origin: Origin | None = None) -> DdpMode:
    """Return the mode that a value of ``optimize_ddp`` means.

    Raises:
        InvalidValueError: It means none; the message gives *origin*, the modes and the nearest one.
    """
    value = checked(FLAG, value, origin)
    if isinstance(value, bool):
        return DdpMode.ddp_optimizer if value else DdpMode.no_optimization
    return DdpMode(value)


def resolve_optimize_ddp(value: object, *, compiled_autograd: bool | None = None) -> DdpMode:
    """Return the mode that a value of ``optimize_ddp`` means, as torch reads it.

    Args:
        value: True, False, or the name of a mode.
        compiled_autograd: Whether compiled autograd will be on, where the caller knows; None leaves the two
            unchecked.

    Raises:
        InvalidValueError: The value means no mode.
        ConflictError: The mode cannot be used with compiled autograd, or is of no use without it.

    Example:
        >>> resolve_optimize_ddp(True)
        <DdpMode.ddp_optimizer: 'ddp_optimizer'>
    """
    mode = mode_of(value)
    if compiled_autograd is None:
        return mode
    compiled_autograd = checked(FLAGS["compiled_autograd"], compiled_autograd)
    reason = ""
    if mode is DdpMode.no_optimization and compiled_autograd:
        reason = FORBIDS_COMPILED_AUTOGRAD
    elif mode.value.startswith("python_reducer") and not compiled_autograd:
        reason = NEEDS_COMPILED_AUTOGRAD
    if reason:
        raise ConflictError(
            f"optimize_ddp={mode.value!r} with compiled_autograd={compiled_autograd}: {reason}"
        )
    return mode
