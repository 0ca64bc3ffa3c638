"""Several ranks: overlapping communication with computation, and merging collectives."""

from dynconf.flags.described import Described
from dynconf.flags.types import Choice, ChoiceOr, Float, Int, Items, OrNone, PathText, Reference

_FUNCTION = OrNone(Reference("callable"))
_BUCKET = (
    "By default torch decides how large a bucket becomes. The function takes its number, and returns MB."
)

FLAGS = (
    Described(
        name="aten_distributed_optimizations.custom_runtime_estimation",
        summary="Function that estimates how long a node of the graph takes; None uses torch's estimates.",
        reach=("runs a program",),
    ),
    Described(
        name="aten_distributed_optimizations.enable_overlap_scheduling",
        summary="Reorders the graph so that collectives run beside computation.",
    ),
    Described(
        name="aten_distributed_optimizations.profile_guided_estimations_profile_path",
        type=OrNone(PathText()),
        summary="Chrome trace from which the time of operations is taken.",
        host=True,
        reach=("reads a path",),
    ),
    Described(
        name="bucket_all_gathers_fx",
        summary="Which all_gathers are merged: none, all, or only those of FSDP.",
    ),
    Described(
        name="bucket_all_gathers_fx_bucket_size_determinator",
        summary="Function that says how large a bucket of bucket_all_gathers_fx becomes.",
        details=_BUCKET,
        reach=("runs a program",),
    ),
    Described(
        name="bucket_all_reduces_fx",
        summary="Which all_reduces are merged: none or all.",
    ),
    Described(
        name="bucket_all_reduces_fx_bucket_size_determinator",
        summary="Function that says how large a bucket of bucket_all_reduces_fx becomes.",
        details=_BUCKET,
        reach=("runs a program",),
    ),
    Described(
        name="bucket_reduce_scatters_fx",
        type=Choice(("none", "all", "fsdp", "only_fsdp")),
        summary="Which reduce_scatters are merged: none or all.",
    ),
    Described(
        name="bucket_reduce_scatters_fx_bucket_size_determinator",
        summary="Function that says how large a bucket of bucket_reduce_scatters_fx becomes.",
        details=_BUCKET,
        reach=("runs a program",),
    ),
    Described(
        name="estimate_op_runtime",
        type=ChoiceOr(Reference("callable"), ("default",)),
        summary="Function that estimates how long an operation takes; default is torch's own.",
        reach=("runs a program",),
    ),
    Described(
        name="inter_node_bw",
        type=OrNone(Int(1)),
        summary="Bandwidth between machines in GB/s, for estimates; None asks the GPU.",
    ),
    Described(
        name="intra_node_bw",
        type=OrNone(Int(1)),
        summary="Bandwidth between GPUs of a machine in GB/s, for estimates; None asks the GPU.",
    ),
    Described(
        name="reorder_for_compute_comm_overlap",
        summary="Moves collectives so that they run beside computation.",
        details="reorder_for_compute_comm_overlap_passes says how.",
    ),
    Described(
        name="reorder_for_compute_comm_overlap_passes",
        type=Items(
            ChoiceOr(
                Reference("callable"),
                (
                    "reorder_compute_for_overlap",
                    "sink_waits",
                    "raise_comms",
                    "reorder_communication_preserving_peak_memory",
                    "sink_waits_iterative",
                ),
            )
        ),
        summary="Passes that reorder_for_compute_comm_overlap runs, in that order: names, or functions.",
        details="A function takes the schedule, and returns it in another order.",
        reach=("runs a program",),
    ),
    Described(
        name="reorder_iterative_debug_limit_to_reorder",
        summary="Moves at most this many collectives, for debugging.",
        renamed="comms.reorder_iterative_debug_limit_to_reorder",
    ),
    Described(
        name="reorder_iterative_debug_memory_recompute",
        summary="Computes peak memory from scratch after each move, for debugging.",
        renamed="comms.reorder_iterative_debug_memory_recompute",
    ),
    Described(
        name="reorder_prefetch_limit",
        type=OrNone(Int(0)),
        summary="By how many positions a collective may move; None sets no limit.",
    ),
    Described(
        name="runtime_estimations_mms_benchmark",
        summary="Measures matmuls for estimates instead of computing them from their sizes.",
    ),
    Described(
        name="sink_waits_iterative_debug_limit_to_sink",
        summary="Moves at most this many waits, for debugging.",
        renamed="comms.sink_waits_iterative_debug_limit_to_sink",
    ),
    Described(
        name="env_str",
        summary="What torch last read from a variable while it was imported.",
        status="internal",
        renamed="comms.env_str",
    ),
    Described(
        name="cpu_gpu_bw",
        type=Float(0),
        summary="Bandwidth between CPU and GPU in GB/s, for estimates.",
    ),
    Described(
        name="_fuse_ddp_bucket_size",
        summary="Size of a bucket of gradients in MB; set by DistributedDataParallel.",
    ),
    Described(
        name="_fuse_ddp_communication",
        summary="Merges the all_reduces of gradients; set by DistributedDataParallel.",
    ),
    Described(
        name="_fuse_ddp_communication_passes",
        summary="Passes that merge the all_reduces of gradients, in order.",
        reach=("runs a program",),
    ),
    Described(
        name="_micro_pipeline_tp",
        summary="Overlaps the collectives of tensor parallelism with the matmuls beside them.",
        details="Needs symmetric memory (torch.distributed._symmetric_memory).",
    ),
)
