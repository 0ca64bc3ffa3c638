"""Several ranks: decisions that must be the same on each."""

DESCRIPTIONS = """
_broadcast_rank0_decision: Makes all ranks save the tensors for the backward that rank 0 chose.
    Only where graphs are the same on all ranks and contain collectives.
_sync_cache_decision_cross_ranks: Uses a cached graph only if every rank has found one.
    Ranks that compile exchange messages, and would wait for a rank that does not.
_sync_decision_cross_ranks: Makes all ranks agree on the tensors that are saved for the backward.
    Only where graphs are the same on all ranks and contain collectives.
unsafe_allow_optimization_of_collectives:
    Lets the partitioner recompute and remove collectives such as all_reduce.
    Ranks that decide differently then wait for each other forever; torch has no protection against that yet.
"""
