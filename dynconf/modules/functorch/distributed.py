"""Several ranks: decisions that must be the same on each."""

from dynconf.flags.described import Described

FLAGS = (
    Described(
        name="_broadcast_rank0_decision",
        summary="Makes all ranks save the tensors for the backward that rank 0 chose.",
        details="Only where graphs are the same on all ranks and contain collectives.",
        renamed="_sync_decision_cross_ranks",
    ),
    Described(
        name="_sync_cache_decision_cross_ranks",
        summary="Uses a cached graph only if every rank has found one.",
        details="Ranks that compile exchange messages, and would wait for a rank that does not.",
    ),
    Described(
        name="_sync_decision_cross_ranks",
        summary="Makes all ranks agree on the tensors that are saved for the backward.",
        details="Only where graphs are the same on all ranks and contain collectives.",
    ),
    Described(
        name="unsafe_allow_optimization_of_collectives",
        summary="Lets the partitioner recompute and remove collectives such as all_reduce.",
        details=(
            "Ranks that decide differently then wait for each other forever; torch has no protection "
            "against that yet."
        ),
    ),
)
