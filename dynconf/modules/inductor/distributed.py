"""Several ranks: overlapping communication with computation, and merging collectives."""

from dynconf.flags.described import Facts
from dynconf.flags.risk import Risk, above, only
from dynconf.flags.types import Choice, ChoiceOr, Float, Int, Items, OrNone, PathText, Reference

_BUCKET = (
    "By default torch decides how large a bucket becomes. The function takes its number, and returns MB."
)

DESCRIPTIONS = f"""
aten_distributed_optimizations.custom_runtime_estimation:
    Function that estimates how long a node of the graph takes; None uses torch's estimates.
aten_distributed_optimizations.enable_overlap_scheduling:
    Reorders the graph so that collectives run beside computation.
aten_distributed_optimizations.profile_guided_estimations_profile_path:
    Chrome trace from which the time of operations is taken.
aten_distributed_optimizations.spmd_check: Checks that all ranks have the same graph before it is reordered.
    Ranks with different graphs would wait for each other forever.
bucket_all_gathers_fx: Which all_gathers are merged: none, all, or only those of FSDP.
bucket_all_gathers_fx_bucket_size_determinator:
    Function that says how large a bucket of bucket_all_gathers_fx becomes.
    {_BUCKET}
bucket_all_reduces_fx: Which all_reduces are merged: none or all.
bucket_all_reduces_fx_bucket_size_determinator:
    Function that says how large a bucket of bucket_all_reduces_fx becomes.
    {_BUCKET}
bucket_reduce_scatters_fx: Which reduce_scatters are merged: none or all.
bucket_reduce_scatters_fx_bucket_size_determinator:
    Function that says how large a bucket of bucket_reduce_scatters_fx becomes.
    {_BUCKET}
collective_benchmark_nruns: How often a collective runs when its time is measured.
estimate_op_runtime: Function that estimates how long an operation takes; default is torch's own.
inter_node_bw: Bandwidth between machines in GB/s, for estimates; None asks the GPU.
intra_node_bw: Bandwidth between GPUs of a machine in GB/s, for estimates; None asks the GPU.
reorder_for_compute_comm_overlap: Moves collectives so that they run beside computation.
    reorder_for_compute_comm_overlap_passes says how.
reorder_for_compute_comm_overlap_passes:
    Passes that reorder_for_compute_comm_overlap runs, in that order: names, or functions.
    A function takes the schedule, and returns it in another order.
reorder_prefetch_limit: Most positions by which a collective may move; None sets no limit.
runtime_estimations_mms_benchmark: Measures matmuls for estimates instead of computing them from their sizes.
test_configs.assume_bucketing_reduces_latency:
    Plans overlap as if a collective were merged with a matching one in flight; for tests.
cpu_gpu_bw: Bandwidth between CPU and GPU in GB/s, for estimates.
_fuse_ddp_bucket_size: Size of a bucket of gradients in MB; set by DistributedDataParallel.
_fuse_ddp_communication: Merges the all_reduces of gradients; set by DistributedDataParallel.
_fuse_ddp_communication_passes: Passes that merge the all_reduces of gradients, in order.
_micro_pipeline_tp: Overlaps the collectives of tensor parallelism with the matmuls beside them.
    Needs symmetric memory (torch.distributed._symmetric_memory).
"""

FACTS = {
    "aten_distributed_optimizations.profile_guided_estimations_profile_path": Facts(
        type=OrNone(PathText()), machine_dependent=True, risks=(Risk("read a path"),)
    ),
    "bucket_reduce_scatters_fx": Facts(type=Choice(("none", "all", "fsdp", "only_fsdp"))),
    "estimate_op_runtime": Facts(type=ChoiceOr(Reference("callable"), ("default",))),
    "inter_node_bw": Facts(type=OrNone(Int(1))),
    "intra_node_bw": Facts(type=OrNone(Int(1))),
    "reorder_for_compute_comm_overlap_passes": Facts(
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
    ),
    "reorder_iterative_debug_limit_to_reorder": Facts(
        renamed_to="comms.reorder_iterative_debug_limit_to_reorder"
    ),
    "reorder_iterative_debug_memory_recompute": Facts(
        renamed_to="comms.reorder_iterative_debug_memory_recompute"
    ),
    "reorder_prefetch_limit": Facts(type=OrNone(Int(0))),
    "sink_waits_iterative_debug_limit_to_sink": Facts(
        renamed_to="comms.sink_waits_iterative_debug_limit_to_sink"
    ),
    "env_str": Facts(status="internal", renamed_to="comms.env_str"),
    "cpu_gpu_bw": Facts(type=Float(0)),
    "_fuse_ddp_communication_passes": Facts(
        type=Items(
            ChoiceOr(
                Reference("callable"),
                ("fuse_ddp_with_concat_op", "fuse_ddp_with_coalesced_op", "schedule_comm_wait"),
            )
        ),
    ),
    "aten_distributed_optimizations.spmd_check": Facts(
        risks=(Risk("switch off a safety check", only(False)),)
    ),
    "collective_benchmark_nruns": Facts(risks=(Risk("take time or memory without bound", above(10_000)),)),
}
