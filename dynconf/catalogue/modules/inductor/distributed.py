"""Several ranks: overlapping communication with computation, and merging collectives."""

_BUCKET = (
    "By default torch decides how large a bucket becomes. The function takes its number, and returns MB."
)

DESCRIPTIONS = f"""
_collective.auto_select: Sums small tensors with a one-shot all_reduce; needs symmetric memory.
_collective.one_shot_all_reduce_threshold_bytes:
    Most bytes for which _collective.auto_select uses a one-shot all_reduce.
aten_distributed_optimizations.allow_comms_decompositions:
    Replaces collectives by local computation and lighter collectives with the same result.
    So far an all_gather of X that only serves to compute X.T @ X: an all_reduce of the local products does.
aten_distributed_optimizations.bucket_exposed_first:
    Merges those collectives first that computation hides least, instead of in the order of the graph.
    None does so only between machines.
aten_distributed_optimizations.bucket_mode: How overlap scheduling merges collectives; None is "default".
    "default": the copies are part of the graph, and Inductor compiles them; "custom_ops": they are hidden
    from it in custom operators; "custom_ops_multidtype": likewise, and tensors of different dtypes share a
    bucket; "coalesced": reduce_scatters run as one call without copies.
aten_distributed_optimizations.bucket_only_internode_comms: Merges only collectives between machines.
aten_distributed_optimizations.collective_bucketing:
    Merges collectives during overlap scheduling where computation still hides them.
    None does not.
aten_distributed_optimizations.collective_estimator: How overlap scheduling estimates the time of collectives.
    "analytical": from the bandwidth; "benchmark": by measuring. The flag deterministic implies "analytical".
aten_distributed_optimizations.compute_estimator:
    How overlap scheduling estimates the time of matmuls and other heavy operations.
    "analytical": from their sizes; "benchmark": by measuring. The flag deterministic implies "analytical".
aten_distributed_optimizations.compute_overlap_multipler:
    Factor by which computation counts as longer when collectives are hidden behind it.
    Greater values start more collectives beside it. None is 1.
aten_distributed_optimizations.custom_runtime_estimation:
    Function that estimates how long a node of the graph takes; None uses torch's estimates.
aten_distributed_optimizations.enable_fusion_regions:
    Leaves results that fusion saves from being stored out of estimates of time.
aten_distributed_optimizations.enable_low_contention_collectives:
    Uses all_gathers and reduce_scatters that copy without occupying the GPU's multiprocessors.
    Computation beside them is then not slowed down. Needs symmetric memory.
aten_distributed_optimizations.enable_overlap_scheduling:
    Reorders the graph so that collectives run beside computation.
aten_distributed_optimizations.enable_simple_overlap:
    Starts collectives earlier and waits for them later, where that takes no more memory.
    It keeps the order of collectives, and estimates nothing.
aten_distributed_optimizations.insert_overlap_deps:
    Adds dependencies to the graph that keep the order found by overlap scheduling.
    None adds them where Inductor compiles the graph.
aten_distributed_optimizations.log_final_collectives_estimations:
    Logs how long collectives are expected to take after overlap scheduling.
aten_distributed_optimizations.low_contention_all_gather_ce_multicast:
    Uses multicast for all_gathers of enable_low_contention_collectives, where the GPU supports it.
aten_distributed_optimizations.low_contention_min_bytes_per_rank:
    Bytes per rank from which enable_low_contention_collectives replaces a collective; 0 is all.
aten_distributed_optimizations.low_contention_skip_overlap_check:
    Also replaces collectives that no computation runs beside.
    Part of enable_low_contention_collectives.
aten_distributed_optimizations.max_coll_distance:
    How many collectives overlap scheduling considers at once, which limits compile time.
    None leaves it to torch.
aten_distributed_optimizations.max_compute_pre_fetch:
    How many matmuls or other heavy operations ahead of its use a collective may start.
    None leaves it to torch.
aten_distributed_optimizations.max_in_flight_gb:
    Gigabytes of collectives that may run at once; None leaves it to torch.
aten_distributed_optimizations.max_memory_increase_gb:
    Gigabytes by which overlap scheduling may raise peak memory; None leaves it to torch.
    The lower of this and max_memory_increase_ratio holds.
aten_distributed_optimizations.max_memory_increase_ratio:
    Share of peak memory by which overlap scheduling may raise it; None leaves it to torch.
    The lower of this and max_memory_increase_gb holds.
aten_distributed_optimizations.overlap_scheduling_autofix_cycles:
    Drops dependencies of overlap scheduling that form a cycle, instead of raising an error.
aten_distributed_optimizations.pre_bucketing_fsdp_collectives:
    Merges collectives of FSDP before overlap scheduling, so that each uses the whole bandwidth.
aten_distributed_optimizations.pre_bucketing_fsdp_collectives_bucket_cap_mb:
    Size in MB of the buckets of pre_bucketing_fsdp_collectives; None takes it from the bandwidth.
aten_distributed_optimizations.pre_bucketing_fsdp_collectives_max_bucket_cap_mb:
    Largest size in MB that pre_bucketing_fsdp_collectives computes for its buckets.
aten_distributed_optimizations.pre_bucketing_fsdp_collectives_min_bucket_cap_mb:
    Smallest size in MB that pre_bucketing_fsdp_collectives computes for its buckets.
aten_distributed_optimizations.pre_bucketing_fsdp_collectives_saturation_calibration_multiplier:
    Factor on the size that pre_bucketing_fsdp_collectives computes for its buckets.
aten_distributed_optimizations.pre_bucketing_fsdp_collectives_verbose:
    Logs the sizes of collectives and buckets of pre_bucketing_fsdp_collectives.
aten_distributed_optimizations.prioritize_bucketing_during_scheduling:
    Starts collectives that could share a bucket one after the other.
aten_distributed_optimizations.profile_guided_estimations_profile_path:
    Chrome trace from which the time of operations is taken.
aten_distributed_optimizations.spmd_check: Checks that all ranks have the same graph before it is reordered.
    Ranks with different graphs would wait for each other forever.
aten_distributed_optimizations.spmd_mismatch:
    Whether aten_distributed_optimizations.spmd_check warns of different graphs, or raises.
bucket_all_gathers_bucket_mode:
    How bucket_all_gathers_fx merges; see aten_distributed_optimizations.bucket_mode.
bucket_all_gathers_fx: Which all_gathers are merged: none, all, or only those of FSDP.
bucket_all_gathers_fx_bucket_size_determinator:
    Function that says how large a bucket of bucket_all_gathers_fx becomes.
    {_BUCKET}
bucket_all_reduces_fx: Which all_reduces are merged: none or all.
bucket_all_reduces_fx_bucket_size_determinator:
    Function that says how large a bucket of bucket_all_reduces_fx becomes.
    {_BUCKET}
bucket_reduce_scatters_bucket_mode:
    How bucket_reduce_scatters_fx merges; see aten_distributed_optimizations.bucket_mode.
bucket_reduce_scatters_fx: Which reduce_scatters are merged: none or all.
bucket_reduce_scatters_fx_bucket_size_determinator:
    Function that says how large a bucket of bucket_reduce_scatters_fx becomes.
    {_BUCKET}
collective_benchmark_nruns: How often a collective runs when its time is measured.
collective_benchmark_timeout:
    Seconds after which the measurement of a collective is given up; that candidate is then not used.
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
decompose_shard_dim_alltoall:
    Lets Inductor compile the steps by which a DTensor is sharded along another dimension.
    It becomes an all_to_all and changes of layout. Experimental.
dedup_reduce_scatters: Adds the inputs of reduce_scatters whose results are summed, and runs a single one.
env_str:
reorder_iterative_debug_limit_to_reorder:
reorder_iterative_debug_memory_recompute:
sink_waits_iterative_debug_limit_to_sink:
"""
