"""Several ranks: decisions that must be the same on each."""

from dynconf.flags.described import Described

FLAGS = {
    "_broadcast_rank0_decision": Described(
        "Makes all ranks save the tensors for the backward that rank 0 chose.",
        details="Only where graphs are the same on all ranks and contain collectives.",
        renamed_to="_sync_decision_cross_ranks",
    ),
    "_sync_cache_decision_cross_ranks": Described(
        "Uses a cached graph only if every rank has found one.",
        details="Ranks that compile exchange messages, and would wait for a rank that does not.",
    ),
    "_sync_decision_cross_ranks": Described(
        "Makes all ranks agree on the tensors that are saved for the backward.",
        details="Only where graphs are the same on all ranks and contain collectives.",
    ),
    "unsafe_allow_optimization_of_collectives": Described(
        "Lets the partitioner recompute and remove collectives such as all_reduce.",
        details="Ranks that decide differently then wait for each other forever; torch does not prevent it.",
    ),
}
