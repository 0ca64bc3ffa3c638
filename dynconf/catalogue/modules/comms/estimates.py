"""How long operations are thought to take, on which the passes base their decisions."""

DESCRIPTIONS = """
reorder_for_compute_comm_overlap_broadcast_runtime_estimations:
    Makes all ranks use the estimates of one, sent to them as they compile.
    Ranks that estimate differently may order collectives differently, and then wait forever.
reorder_sink_runtime_estimations_comm_mult: Factor by which estimates for collectives are multiplied.
reorder_sink_runtime_estimations_non_comm_mult:
    Factor by which estimates for everything but collectives are multiplied.
runtime_estimations_align_across_all_distributed_ranks:
    Makes all ranks agree on one estimate for each operation.
    Ranks exchange messages while they compile. Needed wherever estimates are measured, since ranks that order
    collectives differently wait for each other forever.
runtime_estimations_use_nccl_lib_estimations:
    Asks NCCL how long a collective takes, instead of a formula of bandwidths.
"""
